/** How a scan ended: `stopped` where it was told to. */
export type ScanEnd = 'json' | 'notJson' | 'stopped';

/** What may stand next. */
type Next = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'commaOrEnd';

const space = /[ \t\n\r]*/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null/y;
const plain = /[^"\\\u0000-\u001f]*/y;
/** Many at once, for a text of nothing else; not all at once, as each takes room on the stack of the pattern. */
const escapes = /(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})){1,500}/y;

/**
 * Goes through the tokens of a JSON text one by one. It neither recurses nor makes values of them, so that a
 * text made to be slow takes no longer than another of its length.
 * @param take is given where each token starts and ends, and how many brackets are open around it; returns
 * whether to go on
 */
export function scanJson(
  text: string,
  take: (start: number, end: number, depth: number) => boolean,
): ScanEnd {
  /** Of each open bracket, whether it is an object's. */
  const open: boolean[] = [];
  let next: Next | 'nothing' = 'value';
  const afterValue = (): Next | 'nothing' => (open.length > 0 ? 'commaOrEnd' : 'nothing');
  let at = behindSpace(text, 0);
  while (at < text.length) {
    const first = text[at];
    let end = at + 1;
    let depth = open.length;
    if (first === '{' || first === '[') {
      if (next !== 'value' && next !== 'valueOrEnd') return 'notJson';
      open.push(first === '{');
      next = first === '{' ? 'keyOrEnd' : 'valueOrEnd';
    } else if (first === '}' || first === ']') {
      const mayEnd = next === 'commaOrEnd' || next === (first === '}' ? 'keyOrEnd' : 'valueOrEnd');
      if (!mayEnd || open.pop() !== (first === '}')) return 'notJson';
      depth -= 1;
      next = afterValue();
    } else if (first === ',') {
      if (next !== 'commaOrEnd') return 'notJson';
      next = open.at(-1) === true ? 'key' : 'value';
    } else if (first === ':') {
      if (next !== 'colon') return 'notJson';
      next = 'value';
    } else if (first === '"') {
      end = endOfString(text, at);
      if (end < 0) return 'notJson';
      if (next === 'key' || next === 'keyOrEnd') next = 'colon';
      else if (next === 'value' || next === 'valueOrEnd') next = afterValue();
      else return 'notJson';
    } else {
      end = endOf(scalar, text, at);
      if (end === at || (next !== 'value' && next !== 'valueOrEnd')) return 'notJson';
      next = afterValue();
    }
    if (!take(at, end, depth)) return 'stopped';
    at = behindSpace(text, end);
  }
  return next === 'nothing' ? 'json' : 'notJson';
}

/** Whether a text is one value of JSON. */
export function isJson(text: string): boolean {
  return scanJson(text, () => true) === 'json';
}

/** Behind the closing quote; -1 where there is none, or something that no string may hold. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    at = endOf(plain, text, at);
    if (text[at] === '"') return at + 1;
    const end = endOf(escapes, text, at);
    if (end === at) return -1;
    at = end;
  }
}

/** Most tokens have none behind them: to ask the pattern would take as long as all the rest. */
function behindSpace(text: string, at: number): number {
  return text.charCodeAt(at) <= 0x20 ? endOf(space, text, at) : at;
}

/** Where what the pattern describes ends, if it begins there; else the beginning. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
