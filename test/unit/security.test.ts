import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/checkout.ts';

const text = readFileSync(join(root, 'SECURITY.md'), 'utf8');

/** A line for each paragraph and each item of a list. */
const lines = text.replaceAll(/\n +(?! |- )/g, ' ').split('\n');

/** What SECURITY.md cites, as `file`: title; title */
const cited = lines
  .flatMap((line) => [...line.matchAll(/`([\w/]+\.test\.ts)`: ([^)]+)/g)])
  .flatMap(([, file = '', titles = '']) =>
    titles.split('; ').map((title) => ({ file, title: title.trim() })),
  );

/** Its entries: what somebody may try to, what stands in the way, and, as items below, the tests of that. */
const start = lines.indexOf('## Who may do what to whom');
const end = lines.indexOf('## What is not kept off');
const entries = lines.slice(start, end).flatMap((line, index, section) => {
  const [, guards] = /^- \*\*.+?\*\*: (.+)/.exec(line) ?? [];
  if (guards === undefined) return [];
  const below = section.slice(index + 1);
  const count = below.findIndex((one) => !one.startsWith('  - '));
  return [{ line, guards, tests: below.slice(0, count) }];
});

/** Where a guard stands in the sources, in words of its entry: `// guard: <words>`. */
const marks = globSync('src/**/*.ts', { cwd: root }).flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/\/\/ guard: (.+)/g)].map(([, words = '']) => ({
    file,
    words,
  })),
);

/** The tests of guards that stand elsewhere: in the manifest, the workflows, the lockfile and the snippets. */
const outsideOfSources =
  /^ {2}- `(?:unit|process)\/(?:manifest|workflows|supply|docs|snippets\/receivers)\.test\.ts`/;

describe('the threat model in SECURITY.md', () => {
  it('names a test in every entry', () => {
    assert.ok(entries.length > 20);
    for (const { line, tests } of entries) {
      assert.ok(tests.length > 0, line);
      for (const test of tests) assert.match(test, /\.test\.ts`: /);
    }
    assert.ok(cited.length >= entries.length);
  });

  for (const { file, title } of cited) {
    it(`names a test that is there: ${title}`, () => {
      const source = readFileSync(join(root, 'test', file), 'utf8');
      assert.ok(source.includes(title), `${file} has no test "${title}"`);
    });
  }

  it('has its guards marked in the sources, where they stand', () => {
    const unmarked = entries.filter(
      ({ guards, tests }) =>
        !tests.some((test) => outsideOfSources.test(test)) &&
        !marks.some(({ words }) => guards.includes(words)),
    );
    assert.deepEqual(
      unmarked.map(({ guards }) => guards.trim()),
      [],
    );
  });

  it('tells of every guard that is marked', () => {
    const unlisted = marks.filter(({ words }) => !entries.some(({ guards }) => guards.includes(words)));
    assert.deepEqual(unlisted, []);
  });
});
