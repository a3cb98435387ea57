// npm run bench:tree: measures how soon the Projects view shows 10,000 keys, and 1,000 payload files, in a real
// workbench. `-- --only payloads` or `-- --only keys` measures one of them.
import { parseArgs } from 'node:util';
import { packageExtension } from '../../scripts/build/package.ts';
import { runMain } from '../../scripts/runMain.mjs';
import { ensureVscodeServer } from '../../scripts/test/vscodeServer.ts';
import { endSession, session } from '../support/workbench/session.ts';
import { payloadReport } from './payloadReport.ts';
import { treeReport } from './treeReport.ts';

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const parts: Readonly<Record<string, typeof treeReport>> = { keys: treeReport, payloads: payloadReport };

await runMain(async () => {
  await ensureVscodeServer();
  await packageExtension();
  try {
    let failed = 0;
    for (const part of values.only === undefined ? Object.values(parts) : [parts[values.only]]) {
      if (part === undefined) throw new Error(`There is no such part: ${Object.keys(parts).join(', ')}.`);
      const { lines, withinBudget } = await part(await session());
      console.log(lines.join('\n'));
      if (!withinBudget) failed += 1;
    }
    return failed === 0 ? 0 : 1;
  } finally {
    await endSession();
  }
});
