import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { workFolder } from '../checkout.ts';
import { writeLanguagePacks } from '../l10n/bundles.ts';
import { onExit, stopOwned, runOwned, spawnOwned } from '../processes.mjs';
import { ScriptError } from '../runMain.mjs';
import { serverPaths, latestServer, linkBuiltInExtensions, type ServerEdition } from './vscodeServer.ts';

/** A running VS Code server on loopback, with its own data folder. */
export interface VscodeServer {
  /** Without a slash at its end. */
  url: string;
  /** The process id of the server. */
  pid: number;
  /** Its user data and its logs. */
  dataFolder: string;
  /** Replaces the user settings; call it before a window opens. */
  writeUserSettings(settings: Record<string, unknown>): Promise<void>;
  dispose(): Promise<void>;
}

export interface ServerOptions {
  /** Defaults to the latest. */
  edition?: ServerEdition;
  /** Lets a URL start a test run. Modal messages reject in this mode. */
  testDriver?: boolean;
  /** Keeps Workspace Trust enabled, which tests turn off by default. */
  workspaceTrust?: boolean;
  /** Paths of the extensions to install. */
  vsix?: string | readonly string[];
  /** Names of additional built-in extensions. */
  builtIns?: readonly string[];
  /** Folders of extensions that are added to the built-in ones, which saves packing and installing them. */
  unpacked?: readonly string[];
  env?: Record<string, string>;
}

/** Default settings for tests: no telemetry, updates, prompts or background work. */
const quietSettings = {
  'telemetry.telemetryLevel': 'off',
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'workbench.tips.enabled': false,
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  // Servers of other tests would be forwarded.
  'remote.autoForwardPorts': false,
  // Otherwise each window still scans all processes for listening ports every two seconds.
  'remote.autoForwardPortsSource': 'output',
  'chat.disableAIFeatures': true,
  'security.workspace.trust.banner': 'never',
  'window.commandCenter': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
};

/** Starts a VS Code server on a free port, with a temporary user data folder. */
export async function startVscodeServer(options: ServerOptions = {}): Promise<VscodeServer> {
  await mkdir(workFolder, { recursive: true });
  const edition = options.edition ?? latestServer;
  const program = serverPaths(edition);
  const data = await mkdtemp(join(workFolder, 'data-'));
  const removeData = () => rm(data, { recursive: true, force: true, maxRetries: 5 });
  onExit(removeData);
  const builtIns = await linkBuiltInExtensions(edition, options.builtIns);
  const folders = folderOptions(data, await addUnpackedExtensions(builtIns, options.unpacked, data));
  if (options.vsix) await copyInstalledExtensions(edition, [options.vsix].flat(), join(data, 'extensions'));
  await writeLanguagePacks(data);
  const server = {
    async writeUserSettings(settings: Record<string, unknown>) {
      const text = JSON.stringify({ ...quietSettings, ...settings }, null, 2);
      // VS Code reads settings of scope application from the first, of scope machine from the second.
      for (const folder of ['User', 'Machine']) {
        await mkdir(join(data, folder), { recursive: true });
        await writeFile(join(data, folder, 'settings.json'), text);
      }
    },
  };
  await server.writeUserSettings({});
  const child = spawnOwned(
    program.node,
    [
      program.main,
      ...['--host', '127.0.0.1', '--port', '0', '--without-connection-token', '--telemetry-level', 'off'],
      '--disable-websocket-compression',
      ...(options.testDriver ? ['--enable-smoke-test-driver'] : []),
      ...(options.workspaceTrust ? [] : ['--disable-workspace-trust']),
      ...folders,
    ],
    { env: { ...process.env, ...ownDataFolder(data), EXTENSIONS_GALLERY: '{}', ...options.env } },
  );
  const port = await waitForPort(child);
  return {
    ...server,
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    dataFolder: data,
    async dispose() {
      await stopOwned(child);
      await removeData();
    },
  };
}

/** Environment variables by which Runhook keeps in that folder what it would keep in that of the user. */
export function ownDataFolder(data: string): Record<string, string> {
  return { XDG_DATA_HOME: data, LOCALAPPDATA: data };
}

/** Command line options that keep everything the server writes in one folder. */
function folderOptions(data: string, builtIns: string): string[] {
  return [
    ...['--server-data-dir', data, '--user-data-dir', data],
    ...['--extensions-dir', join(data, 'extensions'), '--accept-server-license-terms'],
    ...['--builtin-extensions-dir', builtIns],
  ];
}

/** @returns a folder with links to the built-in extensions and to the unpacked ones */
async function addUnpackedExtensions(
  builtIns: string,
  unpacked: readonly string[] = [],
  data: string,
): Promise<string> {
  if (unpacked.length === 0) return builtIns;
  const folder = join(data, 'built-in');
  await mkdir(folder);
  const all = [...(await readdir(builtIns)).map((name) => join(builtIns, name)), ...unpacked];
  for (const path of all) await symlink(await realpath(path), join(folder, basename(path)));
  return folder;
}

/** The extension folders that this process has created, by server version and installed files. */
const installedFolders = new Map<string, Promise<string>>();

/** Installs extensions for a server. Copies the result of an earlier installation if there is one. */
async function copyInstalledExtensions(
  edition: ServerEdition,
  vsix: readonly string[],
  to: string,
): Promise<void> {
  const key = [edition.version, ...vsix].join('\n');
  const installing = installedFolders.get(key) ?? installExtensions(edition, vsix);
  installedFolders.set(key, installing);
  const from = await installing;
  await cp(from, to, { recursive: true });
  const list = join(to, 'extensions.json');
  await writeFile(list, (await readFile(list, 'utf8')).replaceAll(from, to));
}

/** @returns the folder with the installed extensions */
async function installExtensions(edition: ServerEdition, vsix: readonly string[]): Promise<string> {
  const { node, main } = serverPaths(edition);
  const data = await mkdtemp(join(workFolder, 'data-installed-'));
  onExit(() => rm(data, { recursive: true, force: true, maxRetries: 5 }));
  const each = vsix.flatMap((path) => ['--install-extension', path]);
  const args = [main, ...each, '--force', ...folderOptions(data, await linkBuiltInExtensions(edition))];
  const { code, output } = await runOwned(node, args);
  if (code !== 0) throw new ScriptError(`${output}\nVS Code did not install ${vsix.join(' and ')}.`);
  return join(data, 'extensions');
}

/** Reads the port from the server's output. */
function waitForPort(child: ReturnType<typeof spawnOwned>): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const port = /Web UI available at http:\/\/localhost:(\d+)/.exec(output)?.[1];
      if (port) resolve(Number(port));
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', reject);
    child.once('exit', (code) => {
      reject(new ScriptError(`${output}\nThe VS Code server ended by itself (${code ?? 'by a signal'}).`));
    });
  });
}
