/** How many slots all trigrams share. */
export const slotCount = 8192;

/** How many slots of a text are looked up: more narrow it down no further. */
const mostSought = 24;

/** Calls back with the slot of each three bytes in a row of the text, which is read in lower case and as UTF-8. */
export function eachSlot(text: string, found: (slot: number) => void): void {
  const bytes = Buffer.from(text.toLowerCase());
  let three = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    three = ((three << 8) | (bytes[at] ?? 0)) & 0xffffff;
    // The upper 13 bits of a product that spreads them.
    if (at >= 2) found(Math.imul(three, 0x9e3779b1) >>> 19);
  }
}

/**
 * Slots that every text has which holds this one, in any case of its letters. Undefined where there are none that can
 * be relied on: for a text of fewer than three bytes, half of a character, or what ends a text for SQLite.
 */
export function slotsOf(text: string): number[] | undefined {
  if (!text.isWellFormed() || text.includes('\0')) return undefined;
  const all = new Set<number>();
  eachSlot(text, (slot) => all.add(slot));
  if (all.size === 0) return undefined;
  const step = Math.ceil(all.size / mostSought);
  return [...all].filter((_, at) => at % step === 0);
}
