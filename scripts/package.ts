import { packageExtension } from './packageExtension.ts';
import { runMain } from './processes.mjs';

// `npm run package`: runhook.vsix.
await runMain(async () => {
  console.log(await packageExtension());
});
