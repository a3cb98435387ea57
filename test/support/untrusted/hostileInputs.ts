/** A text that is meant to make a reader slow or overflow, of a given approximate length. */
interface HostileInput {
  name: string;
  text: (size: number) => string;
  /** It repeats one pattern without a break. A regular expression may need stack space for each repetition. */
  isSingleRun?: true;
}

function repeated(before: string, piece: string, after = ''): (size: number) => string {
  return (size) => before + piece.repeat(Math.ceil(size / piece.length)) + after;
}

function nested(open: string, innermost: string, close: string): (size: number) => string {
  return (size) => {
    const depth = Math.ceil(size / (open.length + close.length));
    return open.repeat(depth) + innermost + close.repeat(depth);
  };
}

/** Numbered pieces, as many as fit. */
function numbered(before: string, piece: (at: number) => string, after: string): (size: number) => string {
  return (size) => {
    const pieces: string[] = [];
    for (let length = 0; length < size; length += pieces.at(-1)!.length + 1)
      pieces.push(piece(pieces.length));
    return before + pieces.join(',') + after;
  };
}

/** JSON texts with this nesting depth. */
export function deeplyNestedJson(depth: number): string[] {
  return [
    ['[', '1', ']'],
    ['{"data":', '1', '}'],
    ['{"keys":[', '{"key":[]}', ']}'],
    ['{"id":1,"value":[', '1', ']}'],
    ['{"message":[', '"a"', ']}'],
  ].map(([open = '', innermost = '', close = '']) => open.repeat(depth) + innermost + close.repeat(depth));
}

/** Inputs that every reader of untrusted text must handle in linear time. */
export const hostileInputs: readonly HostileInput[] = [
  { name: 'lists that are never closed', text: repeated('', '[') },
  { name: 'objects that are never closed', text: repeated('', '{"a":') },
  { name: 'comments of a page that are never closed', text: repeated('<', '<!--') },
  { name: 'lists in lists', text: nested('[', '', ']') },
  { name: 'lists in lists under a secret name', text: (size) => `{"key":${nested('[', '1', ']')(size)}}` },
  { name: 'objects in objects', text: nested('{"data":', '1', '}') },
  { name: 'wrappers in wrappers', text: nested('{"keys":{"data":[', '1', ']}}') },
  { name: 'a string of escapes', text: repeated('"', '\\u0041', '"'), isSingleRun: true },
  { name: 'a string of escapes under a name', text: repeated('{"run_id":"', '\\u0041\\n\\"', '"}') },
  { name: 'a string that is never closed', text: repeated('{"message":"', '\\u00') },
  { name: 'one long string', text: repeated('{"name":"', 'x', '"}'), isSingleRun: true },
  { name: 'one long name', text: repeated('{"', 'expires_', '":1}') },
  { name: 'digits', text: repeated('', '1') },
  { name: 'digits under a name', text: repeated('{"expires_at":', '7', '}') },
  { name: 'digits as text', text: repeated('{"cpu":"', '9', '"}') },
  { name: 'many names', text: numbered('{', (at) => `"n${at.toString()}":1`, '}') },
  {
    name: 'many names under a long one',
    text: (size) => numbered(`{"${'k'.repeat(size / 2)}":{`, (at) => `"n${at.toString()}":1`, '}}')(size / 2),
  },
  {
    name: 'many names under a long one, beside an id',
    text: (size) =>
      numbered(`{"id":1,"${'k'.repeat(size / 2)}":{`, (at) => `"n${at.toString()}":1`, '}}')(size / 2),
  },
  { name: 'many keys', text: numbered('{"keys":[', (at) => `{"id":${at.toString()}}`, ']}') },
  { name: 'many numbers', text: repeated('[1', ',1', ']') },
  { name: 'many objects', text: repeated('[{}', ',{}', ']') },
  { name: 'many reasons', text: repeated('{"errors":["a"', ',"a"', ']}') },
  { name: 'halves of characters', text: repeated('{"name":"', '\ud800', '"}'), isSingleRun: true },
  {
    name: 'names of prototypes',
    text: repeated('{"__proto__":{"id":1},"constructor":1', ',"__proto__":[]', '}'),
  },
  { name: 'beginnings of tokens', text: repeated('', 'eyJ'), isSingleRun: true },
  { name: 'parts of tokens', text: repeated('', 'eyJhbGciOi.') },
  { name: 'dots', text: repeated('eyJ', '.') },
  { name: 'words before a token', text: repeated('', 'bearer ') },
  { name: 'white space', text: repeated('', ' ') },
  { name: 'line breaks', text: repeated('', '\n') },
  { name: 'quotes', text: repeated('', '"') },
  { name: 'headers', text: repeated('', 'a: b\n') },
  { name: 'one header', text: repeated('x-request-id: ', 'a') },
  { name: 'percent signs', text: repeated('run?webhookEndpoint=', '%25') },
  { name: 'addresses', text: repeated('run?', 'webhookEndpoint=http://a/&') },
  { name: 'backslashes', text: repeated('"', '\\') },
  { name: 'brackets of a link', text: repeated('', '](') },
];
