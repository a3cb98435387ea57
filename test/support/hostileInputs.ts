/** A text that somebody made to be slow, or to be too much: of about so many characters. */
export interface HostileInput {
  name: string;
  text: (size: number) => string;
  /** Whether it is one run of characters: a pattern may take room on its stack for each of them. */
  isRun?: true;
}

function filled(before: string, piece: string, after = ''): (size: number) => string {
  return (size) => before + piece.repeat(Math.ceil(size / piece.length)) + after;
}

function nested(open: string, innermost: string, close: string): (size: number) => string {
  return (size) => {
    const depth = Math.ceil(size / (open.length + close.length));
    return open.repeat(depth) + innermost + close.repeat(depth);
  };
}

/** As many of them as fit: each with its number. */
function numbered(before: string, piece: (at: number) => string, after: string): (size: number) => string {
  return (size) => {
    const pieces: string[] = [];
    for (let length = 0; length < size; length += pieces.at(-1)!.length + 1)
      pieces.push(piece(pieces.length));
    return before + pieces.join(',') + after;
  };
}

/** JSON that nests so deep. */
export function deepTexts(depth: number): string[] {
  return [
    ['[', '1', ']'],
    ['{"data":', '1', '}'],
    ['{"keys":[', '{"key":[]}', ']}'],
    ['{"id":1,"value":[', '1', ']}'],
    ['{"message":[', '"a"', ']}'],
  ].map(([open = '', innermost = '', close = '']) => open.repeat(depth) + innermost + close.repeat(depth));
}

/** What whoever reads a foreign text has to stand. */
export const hostileInputs: readonly HostileInput[] = [
  { name: 'lists that are never closed', text: filled('', '[') },
  { name: 'objects that are never closed', text: filled('', '{"a":') },
  { name: 'lists in lists', text: nested('[', '', ']') },
  { name: 'lists in lists under a secret name', text: (size) => `{"key":${nested('[', '1', ']')(size)}}` },
  { name: 'objects in objects', text: nested('{"data":', '1', '}') },
  { name: 'wrappers in wrappers', text: nested('{"keys":{"data":[', '1', ']}}') },
  { name: 'a string of escapes', text: filled('"', '\\u0041', '"'), isRun: true },
  { name: 'a string of escapes under a name', text: filled('{"run_id":"', '\\u0041\\n\\"', '"}') },
  { name: 'a string that is never closed', text: filled('{"message":"', '\\u00') },
  { name: 'one long string', text: filled('{"name":"', 'x', '"}'), isRun: true },
  { name: 'one long name', text: filled('{"', 'expires_', '":1}') },
  { name: 'digits', text: filled('', '1') },
  { name: 'digits under a name', text: filled('{"expires_at":', '7', '}') },
  { name: 'digits as text', text: filled('{"cpu":"', '9', '"}') },
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
  { name: 'many numbers', text: filled('[1', ',1', ']') },
  { name: 'many objects', text: filled('[{}', ',{}', ']') },
  { name: 'many reasons', text: filled('{"errors":["a"', ',"a"', ']}') },
  { name: 'halves of characters', text: filled('{"name":"', '\ud800', '"}'), isRun: true },
  {
    name: 'names of prototypes',
    text: filled('{"__proto__":{"id":1},"constructor":1', ',"__proto__":[]', '}'),
  },
  { name: 'beginnings of tokens', text: filled('', 'eyJ'), isRun: true },
  { name: 'parts of tokens', text: filled('', 'eyJhbGciOi.') },
  { name: 'dots', text: filled('eyJ', '.') },
  { name: 'words before a token', text: filled('', 'bearer ') },
  { name: 'white space', text: filled('', ' ') },
  { name: 'line breaks', text: filled('', '\n') },
  { name: 'quotes', text: filled('', '"') },
  { name: 'headers', text: filled('', 'a: b\n') },
  { name: 'one header', text: filled('x-request-id: ', 'a') },
  { name: 'percent signs', text: filled('run?webhookEndpoint=', '%25') },
  { name: 'addresses', text: filled('run?', 'webhookEndpoint=http://a/&') },
  { name: 'backslashes', text: filled('"', '\\') },
  { name: 'brackets of a link', text: filled('', '](') },
];
