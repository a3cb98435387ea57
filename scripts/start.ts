import { parseArgs } from 'node:util';
import { packageExtension } from './packageExtension.ts';
import { runMain } from './runMain.mjs';
import { ScriptError } from './scriptError.mjs';
import { startInBrowser } from './startInBrowser.ts';
import { startOnDesktop } from './startOnDesktop.ts';
import { withProgress } from './progress.ts';

// `npm start`: a VS Code with Runhook, a demo workspace and the sandbox. `-- --desktop` uses the VS Code that
// is installed, `-- --port 9000` another port.
await runMain(async () => {
  const { values } = parseArgs({
    options: { desktop: { type: 'boolean', default: false }, port: { type: 'string', default: '8123' } },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_435) {
    throw new ScriptError(`"${values.port}" is not a port.`);
  }
  await withProgress('building and packing Runhook', packageExtension);
  await (values.desktop ? startOnDesktop() : startInBrowser(port));
});
