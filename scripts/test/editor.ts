import { appendFileSync } from 'node:fs';
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { format, parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { createLocalCa } from '../../test/support/http/localCa.ts';
import { reportLinePrefix, parseReport } from '../../test/support/report/testReport.ts';
import { buildExtension } from '../build/package.ts';
import { bundleEditorTests, editorTestsPath } from './editorTests.ts';
import { root, workFolder } from '../checkout.ts';
import { launchChromium } from './chromium.ts';
import { onExit } from '../processes.mjs';
import { runMain } from '../runMain.mjs';
import { startVscodeServer } from './serverProcess.ts';
import { receiveArrayBuffers, skipPainting, disableNetworkEvents } from './workbenchPage.ts';
import { ensureVscodeServer, floorServer, latestServer } from './vscodeServer.ts';

/** The suite counts as hung after this time without output. A single test times out earlier. */
const inactivityTimeoutMs = 5 * 60_000;

/** The console output of the extension host and the workbench. */
const logFile = join(workFolder, 'editor-tests.log');

const maxProblemLines = 60;

// Runs the editor tests in the extension host of a VS Code server; a headless browser opens its workbench.
// --grep <words>  runs the tests with these words in their titles
// --built         uses dist/ as it is
// --floor         uses the oldest supported VS Code (`npm run test:floor`)
// --debug         only builds, with names and source maps, for the launch configuration in .vscode
await runMain(async () => {
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    options: { grep: { type: 'string', default: '' }, built: flag, floor: flag, debug: flag },
  });
  const edition = values.floor ? floorServer : latestServer;
  if (!values.debug) await ensureVscodeServer(edition);
  if (!values.built) await buildExtension({ dev: values.debug });
  await bundleEditorTests();
  if (values.debug) return 0;
  await rm(logFile, { force: true });
  const reportFile = process.env.RUNHOOK_TEST_REPORT ?? join(workFolder, 'editor-report.json');
  await rm(reportFile, { force: true });
  const ca = createLocalCa('api.example');
  onExit(() => ca.dispose());
  const server = await startVscodeServer({
    edition,
    testDriver: true,
    // For the test that debugs a handler.
    builtIns: ['ms-vscode.js-debug'],
    env: {
      RUNHOOK_TEST_REPORT: reportFile,
      RUNHOOK_TEST_GREP: values.grep,
      // Node reads the system's certificates only once, so the file must exist when the server starts.
      SSL_CERT_FILE: ca.caFile,
      RUNHOOK_TEST_CERTIFICATE: JSON.stringify({ key: ca.key, cert: ca.cert }),
    },
  });
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ reducedMotion: 'reduce' });
    await skipPainting(page);
    await disableNetworkEvents(page);
    await receiveArrayBuffers(page);
    const code = await runInWorkbench(page, server.url);
    const text = await readFile(reportFile, 'utf8').catch(() => undefined);
    const { passed, failures } = parseReport(text, code);
    console.log(`${passed} editor tests passed, ${failures.length} failed`);
    if (failures.length > 0) {
      console.error(`The log: ${logFile}\nWhat Runhook itself logged as wrong:`);
      for (const line of await loggedProblems(server.dataFolder)) console.error(line);
    }
    return failures.length === 0 ? 0 : 1;
  } finally {
    await browser.close();
    await server.dispose();
  }
});

/** The last warnings and errors in Runhook's log. They often explain a failed test. */
async function loggedProblems(dataFolder: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const file of glob('logs/**/Runhook.log', { cwd: dataFolder })) {
    const text = await readFile(join(dataFolder, file), 'utf8');
    lines.push(...text.split('\n').filter((line) => /\[(warning|error)\]/.test(line)));
  }
  return lines.slice(-maxProblemLines);
}

/** Opens the workbench with a URL that starts the tests, and resolves to their exit code. */
async function runInWorkbench(page: Page, url: string): Promise<number> {
  const ended = Promise.withResolvers<number>();
  const silent = setTimeout(
    () => ended.reject(new Error(`The editor tests said nothing for ${inactivityTimeoutMs / 1000} s.`)),
    inactivityTimeoutMs,
  );
  // VS Code calls these two functions: for console output of the extension host, and at the end of the tests.
  await page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => {
    const text = format(...args);
    appendFileSync(logFile, `${text}\n`);
    if (!text.startsWith(reportLinePrefix)) return;
    silent.refresh();
    console.log(text.replaceAll(reportLinePrefix, ''));
  });
  await page.exposeFunction('codeAutomationExit', (code: number) => ended.resolve(code));
  page.on('crash', () => ended.reject(new Error('The page of the workbench crashed.')));
  const remote = (path: string) => `vscode-remote://remote${path}`;
  const address = new URL(url);
  address.searchParams.set('folder', await mkdtemp(join(workFolder, 'data-workspace-')));
  address.searchParams.set(
    'payload',
    JSON.stringify([
      ['extensionDevelopmentPath', remote(root.replace(/\/$/, ''))],
      ['extensionTestsPath', remote(editorTestsPath)],
      ['skipWelcome', 'true'],
    ]),
  );
  await page.goto(address.href, { timeout: inactivityTimeoutMs });
  return ended.promise.finally(() => clearTimeout(silent));
}
