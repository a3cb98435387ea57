import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { workFolder } from '../checkout.ts';
import { writeLanguagePacks } from '../l10n/bundles.ts';
import { atEnd, endOwned, runOwned, spawnOwned } from '../processes.mjs';
import { ScriptError } from '../runMain.mjs';
import { filesOf, latestServer, neededBuiltIns, type ServerEdition } from './vscodeServer.ts';

/** A running VS Code server with data of its own, on loopback. */
export interface VscodeServer {
  /** Without a slash at its end. */
  url: string;
  /** Of the server's own process. */
  pid: number;
  /** Its user data and its logs. */
  dataFolder: string;
  /** What holds for the windows that are opened from then on. */
  writeUserSettings(settings: Record<string, unknown>): Promise<void>;
  dispose(): Promise<void>;
}

export interface ServerOptions {
  /** The latest, where it is left out. */
  edition?: ServerEdition;
  /** Runs a test run named in the address; modal messages reject then. */
  testDriver?: boolean;
  /** Asks whether to trust a workspace, as VS Code does by itself. */
  workspaceTrust?: boolean;
  /** Paths of what to install. */
  vsix?: string | readonly string[];
  /** Names of built-in extensions that are needed besides those of every test. */
  builtIns?: readonly string[];
  /** Folders of extensions that are there as if they were built in: nothing is packed and installed. */
  unpacked?: readonly string[];
  env?: Record<string, string>;
}

/** The settings of every test: nothing starts by itself, nothing asks, nothing reports. */
export const quietSettings = {
  'telemetry.telemetryLevel': 'off',
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'workbench.tips.enabled': false,
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  // Servers of other tests come and go.
  'remote.autoForwardPorts': false,
  // Otherwise each window still looks through all processes for listening ports, every two seconds.
  'remote.autoForwardPortsSource': 'output',
  'chat.disableAIFeatures': true,
  'security.workspace.trust.banner': 'never',
  'window.commandCenter': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
};

/** Starts VS Code's server on a free port, with a fresh user data folder that is deleted at the end. */
export async function startVscodeServer(options: ServerOptions = {}): Promise<VscodeServer> {
  await mkdir(workFolder, { recursive: true });
  const edition = options.edition ?? latestServer;
  const program = filesOf(edition);
  const data = await mkdtemp(join(workFolder, 'data-'));
  const removeData = () => rm(data, { recursive: true, force: true, maxRetries: 5 });
  atEnd(removeData);
  const builtIns = await neededBuiltIns(edition, options.builtIns);
  const folders = foldersIn(data, await withUnpacked(builtIns, options.unpacked, data));
  if (options.vsix) await takeExtensions(edition, [options.vsix].flat(), join(data, 'extensions'));
  await writeLanguagePacks(data);
  const server = {
    async writeUserSettings(settings: Record<string, unknown>) {
      const text = JSON.stringify({ ...quietSettings, ...settings }, null, 2);
      // Those of scope application are read from the first, those of scope machine from the second.
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
    { env: { ...process.env, EXTENSIONS_GALLERY: '{}', ...options.env } },
  );
  const port = await announcedPort(child);
  return {
    ...server,
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    dataFolder: data,
    async dispose() {
      await endOwned(child);
      await removeData();
    },
  };
}

/** The options that keep all that a server writes in one folder. */
function foldersIn(data: string, builtIns: string): string[] {
  return [
    ...['--server-data-dir', data, '--user-data-dir', data],
    ...['--extensions-dir', join(data, 'extensions'), '--accept-server-license-terms'],
    ...['--builtin-extensions-dir', builtIns],
  ];
}

/** A folder of built-in extensions with others beside them. */
async function withUnpacked(
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

/** The folders of extensions that this process has installed, by what is in them. */
const installed = new Map<string, Promise<string>>();

/** Puts extensions into the folder of a server. What was installed once is copied for the next. */
async function takeExtensions(edition: ServerEdition, vsix: readonly string[], to: string): Promise<void> {
  const key = [edition.version, ...vsix].join('\n');
  const installing = installed.get(key) ?? installExtensions(edition, vsix);
  installed.set(key, installing);
  const from = await installing;
  await cp(from, to, { recursive: true });
  const list = join(to, 'extensions.json');
  await writeFile(list, (await readFile(list, 'utf8')).replaceAll(from, to));
}

/** @returns the folder that they were installed into */
async function installExtensions(edition: ServerEdition, vsix: readonly string[]): Promise<string> {
  const { node, main } = filesOf(edition);
  const data = await mkdtemp(join(workFolder, 'data-installed-'));
  atEnd(() => rm(data, { recursive: true, force: true, maxRetries: 5 }));
  const each = vsix.flatMap((path) => ['--install-extension', path]);
  const args = [main, ...each, '--force', ...foldersIn(data, await neededBuiltIns(edition))];
  const { code, output } = await runOwned(node, args);
  if (code !== 0) throw new ScriptError(`${output}\nVS Code did not install ${vsix.join(' and ')}.`);
  return join(data, 'extensions');
}

/** The port that the server says it listens on. */
function announcedPort(child: ReturnType<typeof spawnOwned>): Promise<number> {
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
