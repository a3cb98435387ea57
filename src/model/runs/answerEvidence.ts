import { isObject, parsed } from './recentValues.ts';

/** Less than this, in characters, is in many a delivery by chance: `{}`, `true`, `"ok"`. */
const leastLength = 12;
/** More than this is not kept for the comparison. */
const mostLength = 64 * 1024;
/** A longer delivery is not searched. */
const mostSearched = 512 * 1024;
/** How deep a delivery is searched. The interface document names "the app's response" and not where it stands. */
const depth = 3;

/**
 * What an answer is known by in its delivery, which holds it (service-interface.md, section 6): the same text
 * for the same JSON, however it is laid out. Undefined where it is too little to tell it from others, or too much.
 */
export function answerEvidence(text: string): string | undefined {
  const evidence = canonical(parsed(text) ?? text);
  return evidence.length < leastLength || evidence.length > mostLength ? undefined : evidence;
}

/** The evidence of every answer that a delivery's body may hold: as a value, or as a text of it. */
export function evidenceIn(deliveryBody: string): ReadonlySet<string> {
  const found = new Set<string>();
  const whole = deliveryBody.length > mostSearched ? undefined : parsed(deliveryBody);
  let level: unknown[] = whole === undefined ? [] : [whole];
  for (let deep = 0; deep <= depth; deep += 1) {
    for (const value of level) {
      const evidence = answerEvidence(typeof value === 'string' ? value : canonical(value));
      if (evidence !== undefined) found.add(evidence);
    }
    level = level.flatMap((value) => (isObject(value) ? Object.values(value) : []));
  }
  return found;
}

/** JSON with its keys in order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  );
}
