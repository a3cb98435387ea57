import { runMain } from '../runMain.mjs';
import { packageCommandLine } from './packageCommandLine.ts';
import { packageExtension } from './packageExtension.ts';

// `npm run package`: runhook.vsix, and runhook-cli.tgz; with `--extension` the first alone.
await runMain(async () => {
  console.log(await packageExtension());
  if (!process.argv.includes('--extension')) await packageCommandLine();
});
