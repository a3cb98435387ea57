import { packageExtension } from './packageExtension.ts';
import { packageCommandLine } from './packageCommandLine.ts';
import { runMain } from './runMain.mjs';

// `npm run package`: runhook.vsix, and runhook-cli.tgz.
await runMain(async () => {
  console.log(await packageExtension());
  await packageCommandLine();
});
