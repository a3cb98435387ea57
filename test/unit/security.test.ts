import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/checkout.ts';
import { allGuards } from '../../scripts/guards/allGuards.ts';

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

describe('the threat model in SECURITY.md', () => {
  it('names a test in every row', () => {
    const rows = text.split('\n').filter((line) => /^\| (?!It |They |---)/.test(line));
    assert.ok(rows.length > 20);
    for (const row of rows) assert.match(row, /\.test\.ts`: /);
    assert.ok(cited.length >= rows.length);
  });

  for (const { file, title } of cited) {
    it(`names a test that is there: ${title}`, () => {
      const source = readFileSync(join(root, 'test', file), 'utf8');
      assert.ok(source.includes(title), `${file} has no test "${title}"`);
    });

    it(`has a guard that can be taken away from it (npm run guards): ${title}`, () => {
      const guards = allGuards.filter(({ tests }) => tests[file]?.includes(title));
      assert.ok(guards.length > 0, `no guard of scripts/guards is shown by ${file}: ${title}`);
    });
  }

  for (const { guard, file, is, tests } of allGuards) {
    it(`is what ${guard} is of`, () => {
      assert.equal(
        readFileSync(join(root, file), 'utf8').split(is).length,
        2,
        `${file} does not hold it once`,
      );
      for (const [test, titles] of Object.entries(tests)) {
        for (const title of titles) {
          assert.ok(
            cited.some((one) => one.file === test && one.title === title),
            `SECURITY.md does not name ${test}: ${title}`,
          );
        }
      }
    });
  }
});
