import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as prettier from 'prettier';
import { root } from './checkout.ts';
import { withTables } from './readmeTables.ts';
import { runMain } from './runMain.mjs';

// `npm run readme`: the tables of README.md anew. A test fails where that was forgotten.
await runMain(async () => {
  const file = join(root, 'README.md');
  const options = await prettier.resolveConfig(file);
  const text = withTables(await readFile(file, 'utf8'));
  await writeFile(file, await prettier.format(text, { ...options, parser: 'markdown' }));
});
