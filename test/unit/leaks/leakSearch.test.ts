import assert from 'node:assert/strict';
import type { FileText } from '../../../src/leaks/fileText.ts';
import { type SearchedFile, searchLeaks } from '../../../src/leaks/leakSearch.ts';

const token = 'a-stored-token-4711';
const needles = { tokens: [token], webhookSecrets: ['hook-secret-0815'], projectIds: [] };
const running = () => new AbortController().signal;
const tell = () => undefined;

/** Reads from a list in memory. */
function reader(files: Record<string, FileText>) {
  return ({ path }: SearchedFile) => Promise.resolve(files[path] ?? { kind: 'none' as const });
}

const named = (names: readonly string[]) => names.map((path) => ({ path, folder: '/' }));
const many = named(Array.from({ length: 1000 }, (_, index) => `${index}`));

const text = (content: string): FileText => ({ kind: 'text', text: content });

describe('a search for tokens in files', () => {
  it('names file and place, in the order of the files, and counts what it left out', async () => {
    const files = {
      one: text(`A=1\r\nTOKEN=${token}\r\n`),
      two: text('nothing'),
      three: text(`x: hook-secret-0815\n${token}`),
      large: { kind: 'tooLarge' as const },
      program: { kind: 'binary' as const },
      locked: { kind: 'unreadable' as const },
    };
    const told: number[][] = [];
    const result = await searchLeaks(named([...Object.keys(files), 'vanished']), {
      read: reader(files),
      needles,
      signal: running(),
      tell: (done, of) => told.push([done, of]),
    });
    assert.deepEqual(result, {
      files: 3,
      found: [
        {
          path: 'one',
          places: [{ kind: 'token', start: { line: 1, character: 6 }, end: { line: 1, character: 25 } }],
        },
        {
          path: 'three',
          places: [
            { kind: 'webhookSecret', start: { line: 0, character: 3 }, end: { line: 0, character: 19 } },
            { kind: 'token', start: { line: 1, character: 0 }, end: { line: 1, character: 19 } },
          ],
        },
      ],
      skipped: { tooLarge: 1, binary: 1, unreadable: 1 },
      end: 'complete',
    });
    assert.deepEqual(told.at(-1), [7, 7]);
  });

  it('reads eight files at once, and no more', async () => {
    let [open, most] = [0, 0];
    const read = async () => {
      open += 1;
      most = Math.max(most, open);
      await Promise.resolve();
      open -= 1;
      return text('');
    };
    const { files } = await searchLeaks(many, { read, needles, signal: running(), tell });
    assert.deepEqual([files, most], [1000, 8]);
  });

  it('ends where it is cancelled, and says what it has found by then', async () => {
    const abort = new AbortController();
    let reads = 0;
    const read = () => {
      reads += 1;
      if (reads === 20) abort.abort();
      return Promise.resolve(text(reads === 1 ? token : ''));
    };
    const result = await searchLeaks(many, { read, needles, signal: abort.signal, tell });
    assert.equal(result.end, 'cancelled');
    assert.equal(result.found.length, 1);
    assert.ok(reads < 30, `${reads} files were read`);
  });

  it('ends where it has found enough', async () => {
    const read = () => Promise.resolve(text(`${token}\n${token}`));
    const result = await searchLeaks(many, { read, needles, signal: running(), tell, most: 5 });
    assert.equal(result.end, 'enough');
    assert.equal(result.found.flatMap(({ places }) => places).length, 5);
  });

  it('is complete where there is exactly as much as it may find, and not where there is more', async () => {
    const end = async (files: Record<string, FileText>) =>
      (
        await searchLeaks(named(Object.keys(files)), {
          ...{ read: reader(files), needles, signal: running(), tell, most: 2 },
        })
      ).end;
    const two = text(`${token}\n${token}`);
    assert.equal(await end({ one: text(''), two }), 'complete');
    assert.equal(await end({ one: text(token), two }), 'enough');
    assert.equal(await end({ one: text(`${token}\n${token}\n${token}`) }), 'enough');
  });
});
