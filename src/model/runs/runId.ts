import { isJson, scanJson } from '../json/jsonScanner.ts';

/** The first that an object has counts. */
export const runIdNames = ['run_id', 'runId', 'runID'];

/** How deep an answer is searched: wrappers such as `{"data": {"run": {…}}}` are seen, app data is not dug through. */
const levels = 3;

/** A text that somebody made to be slow is not read to its end. */
const mostTokens = 1_000_000;

/** An id that was found: how many objects are around it, which of them it is in, and by which name. */
interface Candidate {
  level: number;
  object: number;
  name: number;
  /** As it is written. */
  token: string;
}

/**
 * The id of a run in an answer or a delivery: a JSON text; undefined where it is none, or names none. The interface
 * document calls it `run_id` and shows no shape (service-interface.md, section 6), so it is looked for at the top first,
 * then one wrapper further in. Looking makes no values of the text, which may be large and come from anybody, and a number
 * keeps its digits.
 */
export function runIdIn(text: string): string | undefined {
  let best: Candidate | undefined;
  /** The objects around, each in the one before, by their numbers. */
  const around: number[] = [];
  let [objects, tokens, name, before] = [0, 0, -1, ''];
  const end = scanJson(text, (start, behind, depth) => {
    tokens += 1;
    const token = behind - start === 1 ? (text[start] ?? '') : '';
    if (token === '}' && depth === around.length - 1) {
      around.pop();
      before = token;
    } else if (depth === around.length) {
      // Anything else lies in a list, or deeper than is looked.
      if (token === '{' && (before === ':' || depth === 0) && depth < levels) {
        objects += 1;
        around.push(objects);
      } else if (before === '{' || before === ',') {
        name = runIdNames.indexOf(text.slice(start + 1, behind - 1));
      } else if (before === ':' && name >= 0) {
        const found = { level: depth, object: around.at(-1) ?? 0, name, token: text.slice(start, behind) };
        if (isId(found.token) && !goesBefore(best, found)) best = found;
      }
      before = token;
    }
    // guard: it hashes no large body again, and reads none to its end
    return tokens < mostTokens && !(best?.level === 1 && best.name === 0);
  });
  if (best === undefined || end === 'notJson' || (end === 'end' && !isJson(text))) return undefined;
  return best.token.startsWith('"') ? (JSON.parse(best.token) as string) : best.token;
}

function isId(token: string): boolean {
  return /^(?:"[^"]|[-\d])/.test(token);
}

/** Of two ids the outermost counts, then that of the first object, then the likelier name, then the last one. */
function goesBefore(one: Candidate | undefined, other: Candidate): boolean {
  if (one === undefined) return false;
  if (one.level !== other.level) return one.level < other.level;
  return one.object === other.object ? one.name < other.name : one.object < other.object;
}
