import { packageExtension } from './packageExtension.ts';
import { runMain } from './runMain.mjs';

// `npm run package`: runhook.vsix.
await runMain(async () => {
  console.log(await packageExtension());
});
