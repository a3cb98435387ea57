import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
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
  }
});
