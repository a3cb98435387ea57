// npm run bench:workbench: measures the effect of a burst of 10,000 deliveries on the editor. `--deliveries 1000` sends
// fewer.
import { parseArgs } from 'node:util';
import { runMain } from '../../scripts/runMain.mjs';
import { ensureVscodeServer } from '../../scripts/test/vscodeServer.ts';
import { burstTable } from './burstTable.ts';
import { measureWorkbenchBurst } from './workbenchBurst.ts';

const { values } = parseArgs({ options: { deliveries: { type: 'string', default: '10000' } } });

await runMain(async () => {
  await ensureVscodeServer();
  const result = await measureWorkbenchBurst(Number(values.deliveries));
  console.log(burstTable(result));
  return result.lines === result.deliveries ? 0 : 1;
});
