import { runEditorTests } from './runEditorTests.ts';
import { runMain } from './runMain.mjs';
import { latestServer } from './serverEdition.ts';

// `npm run test:editor -- --grep <words>` picks tests by name; `--built` takes dist/ as it is.
await runMain(() => runEditorTests(latestServer, process.argv.slice(2)));
