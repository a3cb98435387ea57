import { isJson, scanJson } from '../../shared/json/jsonScanner.ts';

/** The names of a run id. The first that an object has counts. */
export const runIdNames = ['run_id', 'runId', 'runID'];

/** How deep an answer is searched: wrappers such as `{"data": {"run": {…}}}` are, deeper app data is not. */
const levels = 3;

/** The maximum number of tokens that are read: a text crafted to be slow is not read to its end. */
const mostTokens = 1_000_000;

/** An id that was found: the number of enclosing objects, the number of its own object, and the index of its name. */
interface Candidate {
  level: number;
  object: number;
  name: number;
  /** As written. */
  token: string;
}

/**
 * The id of a run in an answer or a delivery, a JSON text; undefined if the text is not JSON, or has no id. The
 * interface document calls it `run_id` and shows no shape (service-interface.md, section 6), so the top level is
 * searched first, then one wrapper after the other. The search creates no values from the text, which may be large
 * and come from anybody, and a number keeps its digits.
 */
export function runIdIn(text: string): string | undefined {
  let best: Candidate | undefined;
  /** The numbers of the enclosing objects, the outermost first. */
  const enclosing: number[] = [];
  let [objects, tokens, name, previous] = [0, 0, -1, ''];
  const end = scanJson(text, (start, behind, depth) => {
    tokens += 1;
    const token = behind - start === 1 ? (text[start] ?? '') : '';
    if (token === '}' && depth === enclosing.length - 1) {
      enclosing.pop();
      previous = token;
    } else if (depth === enclosing.length) {
      // Anything else is in a list, or deeper than the search goes.
      if (token === '{' && (previous === ':' || depth === 0) && depth < levels) {
        objects += 1;
        enclosing.push(objects);
      } else if (previous === '{' || previous === ',') {
        name = runIdNames.indexOf(text.slice(start + 1, behind - 1));
      } else if (previous === ':' && name >= 0) {
        const found = { level: depth, object: enclosing.at(-1) ?? 0, name, token: text.slice(start, behind) };
        if (isId(found.token) && !goesBefore(best, found)) best = found;
      }
      previous = token;
    }
    // guard S104: A large body is neither hashed again nor read to its end.
    return tokens < mostTokens && !(best?.level === 1 && best.name === 0);
  });
  if (best === undefined || end === 'notJson' || (end === 'end' && !isJson(text))) return undefined;
  return best.token.startsWith('"') ? (JSON.parse(best.token) as string) : best.token;
}

function isId(token: string): boolean {
  return /^(?:"[^"]|[-\d])/.test(token);
}

/** Whether one id wins: the outermost, then that of the first object, then the likelier name, then the last one. */
function goesBefore(one: Candidate | undefined, other: Candidate): boolean {
  if (one === undefined) return false;
  if (one.level !== other.level) return one.level < other.level;
  return one.object === other.object ? one.name < other.name : one.object < other.object;
}
