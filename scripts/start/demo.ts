import { existsSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { root, workFolder } from '../checkout.ts';
import { vsix } from '../build/package.ts';
import { runOwned, spawnOwned } from '../processes.mjs';
import { ScriptError, withProgress } from '../runMain.mjs';
import { ensureVscodeServer, serverPaths, latestServer } from '../test/vscodeServer.ts';

/**
 * Copies the demo workspace on the first call. Later changes in the copy are kept. It is a repository of its own where git is
 * there: that of this checkout ignores its folder, so that nothing in it would be searched for tokens.
 */
export async function ensureDemoWorkspace(): Promise<string> {
  const folder = join(workFolder, 'demo-workspace');
  if (!existsSync(folder)) {
    await cp(join(root, 'test', 'fixtures', 'demo-workspace'), folder, { recursive: true });
    await runOwned('git', ['init', '--quiet', folder]).catch(() => undefined);
  }
  return folder;
}

/** Writes settings without telemetry and distractions. Existing files are kept. */
export async function writeDemoSettings(files: readonly string[]): Promise<void> {
  const settings = {
    'telemetry.telemetryLevel': 'off',
    'workbench.startupEditor': 'readme',
    'workbench.secondarySideBar.defaultVisibility': 'hidden',
    'chat.disableAIFeatures': true,
    'update.mode': 'none',
    // The workspace is inside this checkout, and VS Code would ask whether to open its repository.
    'git.openRepositoryInParentFolders': 'never',
    // The server from the npm registry comes without its own TypeScript, which every JavaScript file would complain of.
    'typescript.tsdk': join(root, 'node_modules', 'typescript', 'lib'),
  };
  for (const file of files) {
    if (existsSync(file)) continue;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `${JSON.stringify(settings, null, 2)}\n`);
  }
}

/**
 * Serves VS Code with Runhook on loopback and opens it in the browser. Resolves when the server has ended. Uses
 * code-server, which keeps secrets across a reload, unlike VS Code's own server that the tests use.
 * @param wantedPort if it is taken, the next free port is used
 */
export async function serveInBrowser(wantedPort: number): Promise<void> {
  await ensureVscodeServer();
  const { entry } = serverPaths(latestServer);
  const data = join(workFolder, 'start');
  await writeDemoSettings([
    join(data, 'User', 'settings.json'),
    // For settings of scope machine.
    join(data, 'Machine', 'settings.json'),
  ]);
  const config = join(data, 'config.yaml');
  await writeFile(config, 'auth: none\n');
  const folders = ['--config', config, '--user-data-dir', data, '--extensions-dir', join(data, 'extensions')];
  await withProgress('installing runhook.vsix', async () => {
    const args = [entry, ...folders, '--install-extension', vsix, '--force'];
    const { code, output } = await runOwned(process.execPath, args);
    if (code !== 0) throw new ScriptError(`${output}\nVS Code did not install runhook.vsix.`);
  });
  const port = await nextFreePort(wantedPort);
  if (port !== wantedPort) console.log(`Port ${wantedPort} is taken: using ${port}.`);
  const server = spawnOwned(process.execPath, [
    entry,
    ...folders,
    ...[
      '--bind-addr',
      `127.0.0.1:${port}`,
      '--auth',
      'none',
      '--disable-telemetry',
      '--disable-update-check',
    ],
    ...['--disable-workspace-trust', '--disable-getting-started-override', '--disable-proxy'],
    ...['--app-name', 'VS Code', '--ignore-last-opened'],
  ]);
  let output = '';
  const ended = new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new ScriptError(`${output}\nVS Code ended by itself (${code ?? 'by a signal'}).`));
    });
  });
  const listening = new Promise<void>((resolve) => {
    const read = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-10_000);
      if (output.includes('HTTP server listening on')) resolve();
    };
    server.stdout?.on('data', read);
    server.stderr?.on('data', read);
  });
  await Promise.race([withProgress('starting VS Code', () => listening), ended]);
  const address = `http://127.0.0.1:${port}/?folder=${encodeURIComponent(await ensureDemoWorkspace())}`;
  console.log(`\nVS Code with Runhook: ${address}\nCtrl-C ends it.`);
  openInBrowser(address);
  await ended;
}

/** Opens an address in the user's browser. Does nothing without a display. */
function openInBrowser(address: string): void {
  const { platform, env } = process;
  if (platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return;
  const opener = { darwin: 'open', win32: 'explorer.exe' }[platform as string] ?? 'xdg-open';
  // The address is printed, so a missing program is no failure.
  spawnOwned(opener, [address]).on('error', () => undefined);
}

/** The first free port on loopback, starting with `first`. */
export async function nextFreePort(first: number): Promise<number> {
  for (let port = first; port < first + 100; port += 1) {
    if (await isFree(port)) return port;
  }
  throw new Error(`No port between ${first} and ${first + 99} is free.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => {
      probe.close(() => resolve(true));
    });
  });
}
