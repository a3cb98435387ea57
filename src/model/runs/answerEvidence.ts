import { isObject, parsed } from './recentValues.ts';

/** In characters. Shorter answers are in many deliveries by chance: `{}`, `true`, `"ok"`. */
const leastLength = 12;
/** In characters. Longer answers are not kept for the comparison. */
const mostLength = 64 * 1024;
/** In characters. A longer delivery is not searched. */
const mostSearched = 512 * 1024;
/** How deep a delivery is searched. The interface document names "the app's response", but not its place. */
const depth = 3;

/**
 * The text by which an answer is recognised in its delivery, which contains it (service-interface.md, section 6): the
 * same for the same JSON, however that is laid out. Undefined if it is too short to be distinctive, or too long.
 */
export function answerEvidence(text: string): string | undefined {
  const evidence = canonical(parsed(text) ?? text);
  return evidence.length < leastLength || evidence.length > mostLength ? undefined : evidence;
}

/** The evidence of every answer that a delivery's body may contain, as a value or as a text. */
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

/** JSON with its keys sorted. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  );
}
