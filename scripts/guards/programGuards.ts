import type { Guard } from './guard.ts';

const program = 'unit/listener/program/program.test.ts';
const store = 'unit/listener/store/deliveryStore.test.ts';
const folder = 'unit/listener/store/storeFile.test.ts';

/** Of the listener program, its socket and its store. */
export const programGuards: readonly Guard[] = [
  {
    guard: 'the way to the program is open to the user alone',
    file: 'src/listener/program/control.ts',
    is: '{ mode: 0o600 }',
    without: '{ mode: 0o644 }',
    tests: { [program]: ['by the user alone: neither the folder nor the file is open to others'] },
  },
  {
    guard: 'the program wants its key before anything else',
    file: 'src/listener/program/control.ts',
    is: "if (isStranger() && name !== 'hello' && name !== 'handOver')",
    without: 'if (false)',
    tests: { [program]: ['by those who show the key, before anything else'] },
  },
  {
    guard: 'the key has to be the right one',
    file: 'src/listener/program/control.ts',
    is: 'if (!this.#isKey(key)) {',
    without: 'if (false) {',
    tests: { [program]: ['by those who show the key, before anything else'] },
  },
  {
    guard: 'the program ends when nobody wants it any longer',
    file: 'src/listener/program/lifetime.ts',
    is: '    this.#wait(ms);\n  }\n\n  close',
    without: '  }\n\n  close',
    tests: {
      [program]: ['ends with its last window where it is not to go on'],
      'unit/listener/program/lifetime.test.ts': [
        'is while a window is there, and so long after the last one',
      ],
    },
  },
  {
    guard: 'what was refused has a part of its own in the store',
    file: 'src/listener/store/retention.ts',
    is: 'Math.max(1, Math.floor(keep * refusedPart))',
    without: 'keep',
    tests: {
      [store]: ['go the oldest first, and what was refused beside them, of which there is a fifth as many'],
    },
  },
  {
    guard: 'what was refused has so many bytes',
    file: 'src/listener/store/retention.ts',
    is: 'refused.bytes - mostRefusedBytes',
    without: '0',
    tests: { [store]: ['leave 32 MB to what was refused, however few that are'] },
  },
  {
    guard: 'a repeat is one of what verified',
    file: 'src/listener/store/deliveryTable.ts',
    is: "d.bytes = ? AND d.standing = 'verified' AND",
    without: 'd.bytes = ? AND',
    tests: { [store]: ['and not of what was refused'] },
  },
  {
    guard: 'nothing is acknowledged that is not in the file of that name',
    file: 'src/listener/store/storeFile.ts',
    is: "        database.exec('COMMIT');\n        this.#mustBeThere();",
    without: "        database.exec('COMMIT');",
    tests: { [folder]: ['are lost, and said to be, where the file goes while they are written'] },
  },
  {
    guard: 'what is cleared is in no file any more',
    file: 'src/listener/store/deliveryStore.ts',
    is: '    this.#file.compact();\n',
    without: '',
    tests: { [store]: ['leave no byte of theirs in any file once they are cleared'] },
  },
];
