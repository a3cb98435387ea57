import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/checkout.ts';

const text = readFileSync(join(root, 'SECURITY.md'), 'utf8');

/** What SECURITY.md cites, as `file`: title; title; `file`: title */
const cited = [...text.matchAll(/`([\w/]+\.test\.ts)`: ((?:(?!`[\w/]+\.test\.ts`)[^|\n)])+)/g)].flatMap(
  ([, file = '', titles = '']) =>
    titles
      .split('; ')
      .map((title) => title.trim())
      .filter((title) => title !== '')
      .map((title) => ({ file, title })),
);

/** Its tables: what somebody may try to, what stands in the way, and the tests of that. */
const rows = text
  .split('\n')
  .filter((line) => /^\| (?!It |They |---)/.test(line))
  .map((line) => {
    const [, , guards = '', tests = ''] = line.split('|');
    return { line, guards, tests };
  });

/** Where a guard stands in the sources, in words of its row: `// guard: <words>`. */
const marks = globSync('src/**/*.ts', { cwd: root }).flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/\/\/ guard: (.+)/g)].map(([, words = '']) => ({
    file,
    words,
  })),
);

/** The tests of guards that stand elsewhere: in the manifest, the workflows, the lockfile and the snippets. */
const outsideOfSources = /^ `unit\/(?:manifest|workflows|supply|snippets\/receivers)\.test\.ts`/;

describe('the threat model in SECURITY.md', () => {
  it('names a test in every row', () => {
    assert.ok(rows.length > 20);
    for (const { line } of rows) assert.match(line, /\.test\.ts`: /);
    assert.ok(cited.length >= rows.length);
  });

  for (const { file, title } of cited) {
    it(`names a test that is there: ${title}`, () => {
      const source = readFileSync(join(root, 'test', file), 'utf8');
      assert.ok(source.includes(title), `${file} has no test "${title}"`);
    });
  }

  it('has its guards marked in the sources, where they stand', () => {
    const unmarked = rows.filter(
      ({ guards, tests }) =>
        !outsideOfSources.test(tests) && !marks.some(({ words }) => guards.includes(words)),
    );
    assert.deepEqual(
      unmarked.map(({ guards }) => guards.trim()),
      [],
    );
  });

  it('tells of every guard that is marked', () => {
    const untold = marks.filter(({ words }) => !rows.some(({ guards }) => guards.includes(words)));
    assert.deepEqual(untold, []);
  });
});
