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
  const [, id] = /^- (S\d+) \*\*.+?\*\*: .+/.exec(line) ?? [];
  if (id === undefined) return [];
  const below = section.slice(index + 1);
  const count = below.findIndex((one) => !one.startsWith('  - '));
  return [{ line, id, tests: below.slice(0, count) }];
});

/** Where the guard of an entry stands in the sources: `// guard S17: A sentence.` */
const marks = globSync('src/**/*.ts', { cwd: root }).flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/\/\/ guard\b(?: (S\d+): \S.*\.$)?.*/gm)].map(
    ([mark, id]) => ({ file, mark, id }),
  ),
);

/** The tests of guards that stand elsewhere: in the manifest, the workflows, the lockfile and the snippets. */
const outsideOfSources =
  /^ {2}- `(?:unit|process)\/(?:manifest|scripts|bundles|docs|snippets\/receivers)\.test\.ts`/;

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

  it('gives each entry an id of its own', () => {
    const bullets = lines.slice(start, end).filter((line) => line.startsWith('- '));
    assert.deepEqual(
      bullets.filter((line) => !entries.some((entry) => entry.line === line)),
      [],
    );
    assert.equal(new Set(entries.map(({ id }) => id)).size, entries.length);
  });

  it('has the guard of each entry marked in the sources', () => {
    const unmarked = entries.filter(
      ({ id, tests }) =>
        !tests.some((test) => outsideOfSources.test(test)) && !marks.some((mark) => mark.id === id),
    );
    assert.deepEqual(
      unmarked.map(({ line }) => line),
      [],
    );
  });

  it('has an entry for each marked guard', () => {
    const unlisted = marks.filter(({ id }) => !entries.some((entry) => entry.id === id));
    assert.deepEqual(unlisted, []);
  });
});
