import { packageExtension } from './packageExtension.ts';
import { runMain } from './runMain.mjs';
import { ensureVscodeServer } from './vscodeServer.ts';

// What editor and UI tests run on: the VS Code server, dist/ and runhook.vsix. They take it as it is (`--built`),
// because they run at once.
await runMain(async () => {
  await ensureVscodeServer();
  await packageExtension();
});
