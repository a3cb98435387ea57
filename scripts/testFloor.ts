import { runEditorTests } from './runEditorTests.ts';
import { runMain } from './runMain.mjs';
import { floorServer } from './serverEdition.ts';

// The editor tests in the oldest VS Code that Runhook runs in: `npm run test:floor -- --grep <words>`.
await runMain(() => runEditorTests(floorServer, process.argv.slice(2)));
