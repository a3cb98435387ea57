import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageExtension, vsix } from '../build/package.ts';
import { workFolder } from '../checkout.ts';
import { atEnd, runOwned } from '../processes.mjs';
import { runMain, ScriptError, withProgress } from '../runMain.mjs';
import { demoWorkspace, startInBrowser, writeDemoSettings } from './demo.ts';

// `npm start`: a VS Code with Runhook, a demo workspace and the sandbox. `-- --desktop` uses the VS Code that
// is installed, `-- --port 9000` another port.
await runMain(async () => {
  const { values } = parseArgs({
    options: { desktop: { type: 'boolean', default: false }, port: { type: 'string', default: '8123' } },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_435) {
    throw new ScriptError(`"${values.port}" is not a port.`);
  }
  await withProgress('building and packing Runhook', packageExtension);
  await (values.desktop ? startOnDesktop() : startInBrowser(port));
});

/** Opens the desktop VS Code that is on PATH, with data of its own, and resolves when its window is closed. */
async function startOnDesktop(): Promise<void> {
  const data = join(workFolder, 'desktop');
  await writeDemoSettings([join(data, 'User', 'settings.json')]);
  const folders = ['--user-data-dir', data, '--extensions-dir', join(data, 'extensions')];
  await code([...folders, '--install-extension', vsix, '--force']);
  atEnd(() => endWindow(data));
  console.log('VS Code with Runhook is opening. Closing its window or Ctrl-C ends it.');
  await code([...folders, '--disable-workspace-trust', '--new-window', '--wait', await demoWorkspace()]);
}

async function code(args: readonly string[]): Promise<void> {
  const ended = await runOwned('code', args).catch(() => undefined);
  if (ended === undefined) {
    throw new ScriptError(
      'There is no "code" on PATH. Without --desktop, npm start serves VS Code in the browser.',
    );
  }
  if (ended.code !== 0) throw new ScriptError(`${ended.output}\ncode ended with ${ended.code}.`);
}

/** `code` hands over to a process that it lets go of; that one leaves its id in its data folder. */
async function endWindow(data: string): Promise<void> {
  const pid = Number(await readFile(join(data, 'code.lock'), 'utf8').catch(() => ''));
  if (!(pid > 1)) return;
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // It has ended already.
  }
}
