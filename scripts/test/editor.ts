import { appendFileSync } from 'node:fs';
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { format, parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { createLocalCa } from '../../test/support/localCa.ts';
import { reportLineMark, reportOf } from '../../test/support/testReport.ts';
import { buildExtension } from '../build/package.ts';
import { bundleEditorTests, editorTestsPath } from './editorTests.ts';
import { root, workFolder } from '../checkout.ts';
import { launchChromium } from './chromium.ts';
import { atEnd } from '../processes.mjs';
import { runMain } from '../runMain.mjs';
import { startVscodeServer } from './serverProcess.ts';
import { leaveBlobs, leaveUnpainted, leaveUntold } from './workbenchPage.ts';
import { ensureVscodeServer, floorServer, latestServer } from './vscodeServer.ts';

/** How long the suite may say nothing before it counts as hung. A single test is broken off before. */
const silenceMs = 5 * 60_000;

/** Everything that the extension host and the workbench log in the course of it. */
const logFile = join(workFolder, 'editor-tests.log');

const mostComplaints = 60;

// The editor tests in the extension host of a VS Code server, with its workbench in a headless browser.
// `npm run test:editor -- --grep <words>` picks tests by name; `--built` takes dist/ as it is. `npm run test:floor`
// is the oldest VS Code that Runhook runs in. `--debug` only builds, with names and maps, what .vscode launches.
await runMain(async () => {
  const no = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    options: { grep: { type: 'string', default: '' }, built: no, floor: no, debug: no },
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
  atEnd(() => ca.dispose());
  const server = await startVscodeServer({
    edition,
    testDriver: true,
    // One of them debugs a handler.
    builtIns: ['ms-vscode.js-debug'],
    env: {
      RUNHOOK_TEST_REPORT: reportFile,
      RUNHOOK_TEST_GREP: values.grep,
      // A process reads the system's store once, so that it has to be there from the start.
      SSL_CERT_FILE: ca.caFile,
      RUNHOOK_TEST_CERTIFICATE: JSON.stringify({ key: ca.key, cert: ca.cert }),
    },
  });
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ reducedMotion: 'reduce' });
    await leaveUnpainted(page);
    await leaveUntold(page);
    await leaveBlobs(page);
    const code = await runInWorkbench(page, server.url);
    const text = await readFile(reportFile, 'utf8').catch(() => undefined);
    const { passed, failures } = reportOf(text, code);
    console.log(`${passed} editor tests passed, ${failures.length} failed`);
    if (failures.length > 0) {
      console.error(`The log: ${logFile}\nWhat Runhook itself logged as wrong:`);
      for (const line of await complaints(server.dataFolder)) console.error(line);
    }
    return failures.length === 0 ? 0 : 1;
  } finally {
    await browser.close();
    await server.dispose();
  }
});

/** The last warnings and errors of Runhook's own log: why a test failed often stands there alone. */
async function complaints(dataFolder: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const file of glob('logs/**/Runhook.log', { cwd: dataFolder })) {
    const text = await readFile(join(dataFolder, file), 'utf8');
    lines.push(...text.split('\n').filter((line) => /\[(warning|error)\]/.test(line)));
  }
  return lines.slice(-mostComplaints);
}

/** Opens the workbench with the test run in its address and resolves to the run's exit code. */
async function runInWorkbench(page: Page, url: string): Promise<number> {
  const ended = Promise.withResolvers<number>();
  const silent = setTimeout(
    () => ended.reject(new Error(`The editor tests said nothing for ${silenceMs / 1000} s.`)),
    silenceMs,
  );
  // VS Code calls these two: the console of the extension host, and the end.
  await page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => {
    const text = format(...args);
    appendFileSync(logFile, `${text}\n`);
    if (!text.startsWith(reportLineMark)) return;
    silent.refresh();
    console.log(text.replaceAll(reportLineMark, ''));
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
  await page.goto(address.href, { timeout: silenceMs });
  return ended.promise.finally(() => clearTimeout(silent));
}
