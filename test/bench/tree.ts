// npm run bench:tree: how soon the Projects view shows 10,000 keys, in a real workbench. No network.
import { packageExtension } from '../../scripts/build/packageExtension.ts';
import { runMain } from '../../scripts/runMain.mjs';
import { ensureVscodeServer } from '../../scripts/test/vscodeServer.ts';
import { endSession, session } from '../support/session.ts';
import { treeReport } from './treeReport.ts';

await runMain(async () => {
  await ensureVscodeServer();
  await packageExtension();
  try {
    const { lines, withinBudget } = await treeReport(await session());
    console.log(lines.join('\n'));
    return withinBudget ? 0 : 1;
  } finally {
    await endSession();
  }
});
