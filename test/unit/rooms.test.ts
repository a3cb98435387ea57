import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const cwd = fileURLToPath(new URL('../..', import.meta.url));
const files = globSync('src/**/*', { cwd }).filter((file) => statSync(`${cwd}/${file}`).isFile());

describe('the folders of src', () => {
  it('hold 18 files at most', () => {
    const counts = new Map<string, number>();
    for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    assert.deepEqual(
      [...counts].filter(([, count]) => count > 18),
      [],
    );
  });

  it('hold files of 300 lines at most', () => {
    const long = files.filter(
      (file) => file.endsWith('.ts') && readFileSync(`${cwd}/${file}`, 'utf8').split('\n').length > 301,
    );
    assert.deepEqual(long, []);
  });
});
