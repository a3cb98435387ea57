import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageExtension, vsix } from '../build/package.ts';
import { workFolder } from '../checkout.ts';
import { onExit, runOwned } from '../processes.mjs';
import { runMain, ScriptError, withProgress } from '../runMain.mjs';
import { ensureDemoWorkspace, serveInBrowser, writeDemoSettings } from './demo.ts';

// `npm start` opens VS Code with Runhook and a demo workspace in the browser. `-- --desktop` uses the installed VS Code
// instead, `-- --port 9000` another port.
await runMain(async () => {
  const { values } = parseArgs({
    options: { desktop: { type: 'boolean', default: false }, port: { type: 'string', default: '8123' } },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_435) {
    throw new ScriptError(`"${values.port}" is not a port.`);
  }
  await withProgress('building and packing Runhook', packageExtension);
  await (values.desktop ? openOnDesktop() : serveInBrowser(port));
});

/** Opens the desktop VS Code on PATH, with its own user data folder. Resolves when its window is closed. */
async function openOnDesktop(): Promise<void> {
  const data = join(workFolder, 'desktop');
  await writeDemoSettings([join(data, 'User', 'settings.json')]);
  const folders = ['--user-data-dir', data, '--extensions-dir', join(data, 'extensions')];
  await runCode([...folders, '--install-extension', vsix, '--force']);
  onExit(() => endWindow(data));
  console.log('VS Code with Runhook is opening. Closing its window or Ctrl-C ends it.');
  await runCode([
    ...folders,
    '--disable-workspace-trust',
    '--new-window',
    '--wait',
    await ensureDemoWorkspace(),
  ]);
}

async function runCode(args: readonly string[]): Promise<void> {
  const ended = await runOwned('code', args).catch(() => undefined);
  if (ended === undefined) {
    throw new ScriptError(
      'There is no "code" on PATH. Without --desktop, npm start serves VS Code in the browser.',
    );
  }
  if (ended.code !== 0) throw new ScriptError(`${ended.output}\ncode ended with ${ended.code}.`);
}

/** `code` starts VS Code as a detached process, which writes its process id into its user data folder. */
async function endWindow(data: string): Promise<void> {
  const pid = Number(await readFile(join(data, 'code.lock'), 'utf8').catch(() => ''));
  if (!(pid > 1)) return;
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // It has already ended.
  }
}
