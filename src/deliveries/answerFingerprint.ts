import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { isObject, parsed } from '../shared/json/exactJson.ts';

/** In characters. Shorter answers are in many deliveries by chance: `{}`, `true`, `"ok"`. */
const leastLength = 12;
/** In characters. Longer answers are not compared. */
const mostLength = 64 * 1024;
/** In characters. A longer delivery is not searched. */
const mostSearched = 512 * 1024;
/** How deep a delivery is searched. The interface document names "the app's response", but not its place. */
const depth = 3;
/** How many values of a delivery are looked at. */
const mostValues = 1000;

/**
 * By what an answer is recognised in its delivery, which contains it (service-interface.md, section 6): the same for
 * the same JSON, however that is laid out. Undefined if it is too short to be distinctive, or too long.
 */
export function answerFingerprint(text: string): string | undefined {
  return fingerprintOf(canonical(parsed(text) ?? text));
}

/** The fingerprint of every answer that a delivery's body may contain, as a value or as a text. */
export function fingerprintsIn(body: Uint8Array): ReadonlySet<string> {
  const found = new Set<string>();
  // A character takes at most four bytes.
  if (body.byteLength > 4 * mostSearched || !isUtf8(body)) return found;
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  const whole = text.length > mostSearched ? undefined : parsed(text);
  let level: unknown[] = whole === undefined ? [] : [whole];
  let left = mostValues;
  for (let deep = 0; deep <= depth; deep += 1) {
    for (const value of level.slice(0, left)) {
      const fingerprint =
        typeof value === 'string' ? answerFingerprint(value) : fingerprintOf(canonical(value));
      if (fingerprint !== undefined) found.add(fingerprint);
    }
    left -= Math.min(left, level.length);
    level = level.flatMap((value) => (isObject(value) ? Object.values(value) : []));
  }
  return found;
}

function fingerprintOf(text: string): string | undefined {
  return text.length < leastLength || text.length > mostLength ? undefined : hash('sha256', text);
}

/** JSON with its keys sorted. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  );
}
