import type { Guard } from './guard.ts';

const keys = 'unit/model/keys/keys.test.ts';
const bounds = 'is read up to bounds of length, width, depth and of each text';

/** Of whoever reads what others wrote: bounds of depth, size and time. */
export const readerGuards: readonly Guard[] = [
  {
    guard: 'a list of keys has a limit of size',
    file: 'src/client/answer.ts',
    is: 'maxAnswerBytes = 8 * 1024 * 1024;',
    without: 'maxAnswerBytes = 64 * 1024 * 1024;',
    tests: {
      'editor/projects/keys/keyLists.test.ts': [
        'are not read where the answer is too long, and the line says so and what to do',
      ],
    },
  },
  {
    guard: 'a list of keys has a limit of length',
    file: 'src/model/keys/keys.ts',
    is: '      .slice(0, mostKeys)\n',
    without: '',
    tests: { [keys]: [bounds] },
  },
  {
    guard: 'the fields of a key have a limit',
    file: 'src/model/keys/keyReader.ts',
    is: '          if (fields.length + nested.length >= mostFields) break;\n',
    without: '',
    tests: { [keys]: [bounds] },
  },
  {
    guard: 'the mask goes no deeper than it can',
    file: 'src/model/masking/masking.ts',
    is: "return depth > deepest ? '…' : value.map(",
    without: 'return value.map(',
    tests: { [keys]: [bounds] },
  },
  {
    guard: 'JSON that nests too deep is taken for text',
    file: 'src/model/json/jsonDepth.ts',
    is: 'isTooDeep = depth >= deepestJson;',
    without: 'isTooDeep = false;',
    tests: { 'unit/readers.test.ts': ['stands JSON of any depth'] },
  },
  {
    guard: 'the mask takes no room for every character',
    file: 'src/model/masking/masking.ts',
    is: 'const long = /[A-Za-z0-9_+/=-]+/g;',
    without: 'const long = /[A-Za-z0-9_+/=-]{32,}/g;',
    tests: { 'unit/readers.test.ts': ['stands a run of ten million characters'] },
  },
  {
    guard: 'a name that is too long is cut before it is looked at',
    file: 'src/model/keys/keyReader.ts',
    is: 'outer + (key.length > longestName ? `${key.slice(0, longestName)}…` : key)',
    without: 'outer + key',
    tests: { [keys]: [bounds] },
  },
  {
    guard: 'a message names a few of very many mistakes',
    file: 'src/model/settings/settingsFile.ts',
    is: '      .slice(0, mostProblems)\n',
    without: '',
    tests: {
      'unit/readers.test.ts': ['takes no longer than the text is long, and throws nothing but a UserError'],
    },
  },
];
