import { hash } from 'node:crypto';
import { fewJsonTokens, type Layout, layOutJson } from '../../shared/json/jsonText.ts';

/** How a serialiser lays a text out. `pad` is white space inside the brackets of what stands on one line. */
const layouts: readonly Layout[] = [
  { comma: ',', colon: ':' },
  { comma: ', ', colon: ': ' },
  { comma: ',\n', colon: ': ', indent: '  ' },
  { comma: ',\n', colon: ': ', indent: '    ' },
  { comma: ',\n', colon: ': ', indent: '\t' },
  // .NET on Windows.
  { comma: ',\r\n', colon: ': ', indent: '  ' },
  // Jackson: on one line, by its own pretty printer, and with arrays over several lines.
  { comma: ', ', colon: ' : ' },
  { comma: ',\n', colon: ' : ', indent: '  ', pad: ' ', flatArrays: true },
  { comma: ',\n', colon: ' : ', indent: '  ', pad: ' ' },
  { comma: ',\r\n', colon: ' : ', indent: '  ', pad: ' ', flatArrays: true },
  { comma: ', ', colon: ' : ', pad: ' ' },
  { comma: ', ', colon: ': ', pad: ' ' },
  { comma: ',', colon: ': ' },
  { comma: ', ', colon: ':' },
];

/** How a serialiser writes the characters of a string. */
interface Escaping {
  /** What it escapes beside what JSON demands. */
  also?: RegExp;
  /** Whether it writes hexadecimal digits in capital letters. */
  capitals?: boolean;
  /** Whether it writes a quotation mark as a number. */
  quotes?: boolean;
}

const escapings: readonly Escaping[] = [
  // JavaScript, Rust; with capital letters Jackson.
  {},
  { capitals: true },
  // Python; with capital letters Jackson where it is told to.
  { also: /[^\0-\x7e]/g },
  { also: /[^\0-\x7e]/g, capitals: true },
  // PHP, and PHP without its slashes, or with nothing but them.
  { also: /[^\0-\x7f]|\//g },
  { also: /[^\0-\x7f]/g },
  { also: /\//g },
  // Go, then Gson, then .NET.
  { also: /[<>&\u2028\u2029]/g },
  { also: /[<>&='\u2028\u2029]/g },
  { also: /[&'+<>`]|[^\0-\x7e]/g, capitals: true, quotes: true },
];

/** What a JSON text may have been before a parser read it and a serialiser wrote it anew, the likeliest first. */
export function* rewrittenJson(tokens: readonly string[]): Generator<string> {
  for (const strings of distinct(stringForms(tokens))) {
    for (const layout of layouts) {
      const text = layOutJson(strings, layout);
      if (text !== undefined) yield text;
    }
  }
}

/** The same with each key in its place by the alphabet, as a canonical form has it. */
export function* sortedJson(tokens: readonly string[], text: string): Generator<string> {
  // Sorting recurses, so it takes no text that is deeper than a layout may be.
  if (layOutJson(tokens, { comma: ',\n', colon: ':', indent: '' }) === undefined) return;
  const sorted = fewJsonTokens(sortedText(JSON.parse(text)), Infinity);
  if (Array.isArray(sorted)) yield* rewrittenJson(sorted);
}

function sortedText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${sortedText(inner)}`).join(',')}}`;
}

function* stringForms(tokens: readonly string[]): Generator<readonly string[]> {
  yield tokens;
  for (const capitals of [false, true]) yield strings(tokens, (one) => withDigits(one, capitals));
  for (const escaping of escapings) yield strings(tokens, (one) => escaped(one, escaping));
}

function strings(tokens: readonly string[], change: (one: string) => string): readonly string[] {
  return tokens.map((one) => (one.startsWith('"') ? change(one) : one));
}

function withDigits(text: string, capitals: boolean): string {
  return text.replace(/\\(?:u([0-9a-f]{4})|.)/gi, (whole, digits?: string) =>
    digits === undefined ? whole : String.raw`\u` + (capitals ? digits.toUpperCase() : digits.toLowerCase()),
  );
}

function escaped(text: string, { also, capitals = false, quotes = false }: Escaping): string {
  const plain = JSON.stringify(JSON.parse(text));
  const more =
    also === undefined
      ? plain
      : plain.replace(also, (one) =>
          one === '/' ? String.raw`\/` : String.raw`\u` + one.charCodeAt(0).toString(16).padStart(4, '0'),
        );
  const numbered = quotes
    ? more.replace(/\\(.)/g, (whole, one) => (one === '"' ? String.raw`\u0022` : whole))
    : more;
  return capitals ? withDigits(numbered, true) : numbered;
}

/** The most numbers, or names of numbers, of which every choice is tried. */
const chosenAtMost = 6;
/** The most of which one at a time is tried. */
const oneByOneAtMost = 64;

/** What the numbers may have been before a parser turned `12.0` into `12`, or `12` into `12.0`. */
export function* numberForms(tokens: readonly string[]): Generator<readonly string[]> {
  const numbers = tokens.flatMap((one, at) => (/^[-\d]/.test(one) ? [at] : []));
  if (numbers.length === 0) return;
  const change = (places: Iterable<number>, to: (text: string) => string): readonly string[] => {
    const changed = [...tokens];
    for (const at of places) changed[at] = to(changed[at] ?? '');
    return changed;
  };
  function* all(): Generator<readonly string[]> {
    yield change(numbers, (text) => String(Number(text)));
    yield change(numbers, (text) => (/^-?\d+$/.test(text) ? `${text}.0` : text));
    yield change(numbers, (text) => text.replace(/\.0$/, ''));
    yield change(numbers, (text) => (/^-?\d+\.\d$/.test(text) ? `${text}0` : text));
    yield change(numbers, (text) => (/^-?\d+(?:\.\d*)?$/.test(text) ? Number(text).toFixed(2) : text));
    yield change(numbers, (text) => text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, ''));
    // Which of them had a fraction is not known any more.
    const units = numbers.length <= chosenAtMost ? numbers.map((at) => [at]) : byName(tokens, numbers);
    if (units.length <= chosenAtMost) {
      for (let choice = 1; choice < 2 ** units.length; choice += 1) {
        yield change(units.filter((_, bit) => (choice >> bit) % 2 === 1).flat(), otherFraction);
      }
    } else {
      for (const unit of units.slice(0, oneByOneAtMost)) yield change(unit, otherFraction);
    }
  }
  yield* distinct(all(), tokens);
}

function otherFraction(text: string): string {
  if (text.endsWith('.0')) return text.slice(0, -2);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/** The places of numbers, together where the same name stands before them. */
function byName(tokens: readonly string[], numbers: readonly number[]): number[][] {
  const places = new Map<string, number[]>();
  const isNumber = new Set(numbers);
  let name = '';
  for (const [at, one] of tokens.entries()) {
    if (one === ':') name = tokens[at - 1] ?? '';
    if (isNumber.has(at)) places.set(name, [...(places.get(name) ?? []), at]);
  }
  return [...places.values()];
}

/** Those that differ from each other, and from the given one. Digests are kept, since the texts may be large. */
function* distinct(
  all: Iterable<readonly string[]>,
  ...given: readonly (readonly string[])[]
): Generator<readonly string[]> {
  const digestOf = (tokens: readonly string[]): string => hash('sha1', tokens.join(' '));
  const seen = new Set(given.map(digestOf));
  for (const one of all) {
    const digest = digestOf(one);
    if (seen.has(digest)) continue;
    seen.add(digest);
    yield one;
  }
}

/** The values of the outermost object, as ranges of its tokens. */
function* members(tokens: readonly string[]): Generator<[begin: number, end: number]> {
  if (tokens[0] !== '{') return;
  let depth = 0;
  let begin = 0;
  for (const [at, one] of tokens.entries()) {
    if (depth === 1 && one === ':') begin = at + 1;
    if (depth === 1 && begin > 0 && (one === ',' || one === '}')) {
      yield [begin, at];
      begin = 0;
    }
    if (one === '{' || one === '[') depth += 1;
    if (one === '}' || one === ']') depth -= 1;
  }
}

/** The most members of which the value is tried as a text of JSON. */
const mostMembers = 20;

/** What the text may have been where JSON stands as a text inside of JSON, or no longer does. */
export function* nestedJson(tokens: readonly string[], text: string): Generator<string> {
  const inner = tokens.length === 1 ? innerTokens(tokens[0] ?? '') : undefined;
  if (inner !== undefined) yield* rewrittenJson(inner);
  for (const outer of distinct([[text], [tokens.join('')], [layOutJson(tokens, pythonLayout) ?? text]])) {
    yield* distinctTexts(stringForms([JSON.stringify(outer[0])]));
  }
  let tried = 0;
  for (const [begin, end] of members(tokens)) {
    const first = tokens[begin] ?? '';
    const value = tokens.slice(begin, end);
    const within = first.startsWith('"') ? innerTokens(first) : undefined;
    if (within === undefined && !/^[{[]/.test(first)) continue;
    if ((tried += 1) > mostMembers) return;
    const others =
      within === undefined
        ? [value.join(''), layOutJson(value, pythonLayout) ?? ''].map((one) => [JSON.stringify(one)])
        : [within];
    for (const other of others) {
      const changed = [...tokens.slice(0, begin), ...other, ...tokens.slice(end)];
      for (const layout of layouts.slice(0, 3)) yield layOutJson(changed, layout) ?? '';
    }
  }
}

const pythonLayout: Layout = { comma: ', ', colon: ': ' };

function* distinctTexts(all: Iterable<readonly string[]>): Generator<string> {
  for (const tokens of distinct(all)) yield tokens.join('');
}

/** The tokens of an object or array that stands as a text in a JSON string. */
function innerTokens(token: string): string[] | undefined {
  if (!token.startsWith('"')) return undefined;
  const text = JSON.parse(token) as string;
  if (!/^\s*[{[]/.test(text)) return undefined;
  const tokens = fewJsonTokens(text, Infinity);
  return Array.isArray(tokens) ? tokens : undefined;
}

/** The text of the value in Python, which a format string writes for what `request.json()` gave. */
export function pythonText(tokens: readonly string[]): string | undefined {
  const words: Record<string, string> = { true: 'True', false: 'False', null: 'None' };
  const python = tokens.map((one) =>
    one.startsWith('"') ? pythonString(JSON.parse(one) as string) : (words[one] ?? one),
  );
  return layOutJson(python, pythonLayout);
}

function pythonString(text: string): string {
  return pythonLiteral(text, /[\0-\x1f\x7f-\xa0\xad\\']/g);
}

/** The text of bytes in Python: `b'…'`. */
export function pythonBytes(bytes: Buffer): string {
  return `b${pythonLiteral(bytes.toString('latin1'), /[^\x20-\x7e]|[\\']/g)}`;
}

const shortEscapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** @param special what is escaped, and single quotation marks, which are where they are around the text */
function pythonLiteral(text: string, special: RegExp): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inner = text.replace(special, (one) => {
    if (one === "'") return quote === "'" ? String.raw`\'` : one;
    return shortEscapes[one] ?? String.raw`\x` + one.charCodeAt(0).toString(16).padStart(2, '0');
  });
  return quote + inner + quote;
}
