/** How many slots the trigrams are hashed to. */
export const slotCount = 8192;

/** How many slots of a text are looked up; more would not narrow the result further. */
const mostSought = 24;

/** Calls back with the slot of each trigram: three consecutive bytes of the text, lower-cased and in UTF-8. */
export function eachSlot(text: string, found: (slot: number) => void): void {
  const bytes = Buffer.from(text.toLowerCase());
  let three = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    three = ((three << 8) | (bytes[at] ?? 0)) & 0xffffff;
    // A multiplicative hash: the upper 13 bits of the product.
    if (at >= 2) found(Math.imul(three, 0x9e3779b1) >>> 19);
  }
}

/**
 * Slots that every text containing this one has, ignoring case. Undefined if there are no reliable ones: for a text
 * of fewer than three bytes, with a lone surrogate, or with a NUL, which ends a text for SQLite.
 */
export function slotsOf(text: string): number[] | undefined {
  if (!text.isWellFormed() || text.includes('\0')) return undefined;
  const all = new Set<number>();
  eachSlot(text, (slot) => all.add(slot));
  if (all.size === 0) return undefined;
  const step = Math.ceil(all.size / mostSought);
  return [...all].filter((_, at) => at % step === 0);
}
