import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, workFolder } from '../checkout.ts';
import { runOwned } from '../processes.mjs';
import { runMain, ScriptError, withProgress } from '../runMain.mjs';

/** A VS Code server with its web workbench, as the npm package code-server has it, and the Node that runs it. */
export interface ServerEdition {
  /** Of code-server: 4.139.1 holds VS Code 1.139.1. */
  version: string;
  /** What it is installed into. */
  folder: string;
  /** Of the Node that is installed beside it; without one the Node of the scripts runs it. */
  nodeVersion?: string;
  /** The logger, the watchdog and what else has no prebuilt binaries. */
  nativeModules: readonly string[];
  /** The version of the registry for a package that VS Code names by another place. */
  fromRegistry?: Readonly<Record<string, string>>;
}

/** The one of tests, tour and `npm start`. */
export const latestServer: ServerEdition = {
  version: '4.139.1',
  folder: join(workFolder, 'server'),
  nativeModules: ['@vscode/spdlog', '@vscode/native-watchdog'],
};

/** The oldest VS Code that `engines.vscode` allows, on the Node that it has. */
export const floorServer: ServerEdition = {
  version: '4.105.1',
  folder: join(workFolder, 'floor'),
  nodeVersion: '22.20.0',
  nativeModules: ['@vscode/spdlog', 'native-watchdog', 'node-pty'],
  fromRegistry: { '@parcel/watcher': '2.5.1' },
};

/** The package of the npm registry that holds the program and the headers of a Node, and nothing else. */
export const nodePackage = `node-${process.platform}-${process.arch}`;

/** Where things lie in an installed edition. */
export function filesOf({ folder, nodeVersion }: ServerEdition) {
  const codeServer = join(folder, 'node_modules', 'code-server');
  const vscode = join(codeServer, 'lib', 'vscode');
  const nodeFolder =
    nodeVersion === undefined
      ? join(root, 'node_modules', 'node', 'node_modules', nodePackage)
      : join(folder, 'node_modules', nodePackage);
  return {
    vscode,
    /** VS Code's own server: takes the flags of testing. */
    main: join(vscode, 'out', 'server-main.js'),
    /** code-server around it, which keeps secrets over a reload. */
    entry: join(codeServer, 'out', 'node', 'entry.js'),
    nodeFolder,
    node: nodeVersion === undefined ? process.execPath : join(nodeFolder, 'bin', 'node'),
  };
}

/**
 * The built-in extensions with a program of their own that a test needs: the fixes and the schemas of JSON, and what
 * git ignores.
 */
const neededPrograms = new Set(['configuration-editing', 'git', 'git-base', 'json-language-features']);

/**
 * A folder of the built-in extensions that tests get along with: colours, languages, and the few programs that one
 * needs. The others (chat, TypeScript, debuggers …) cost each window seconds of the processor.
 * @param more names of those that one test needs besides
 */
export async function neededBuiltIns(edition: ServerEdition, more: readonly string[] = []): Promise<string> {
  const all = join(filesOf(edition).vscode, 'extensions');
  const needed = join(edition.folder, ['extensions', ...more].join('-'));
  await mkdir(needed, { recursive: true });
  for (const name of await readdir(all)) {
    const text = await readText(join(all, name, 'package.json'));
    if (text === undefined) continue;
    const { main, browser } = JSON.parse(text) as { main?: string; browser?: string };
    const isNeeded = neededPrograms.has(name) || more.includes(name);
    if ((main ?? browser) !== undefined && !isNeeded) continue;
    await symlink(relative(needed, join(all, name)), join(needed, name)).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
  }
  return needed;
}

/** Makes sure that there is a VS Code server of an edition under `.vscode-test`. Set up once, reused after. */
export async function ensureVscodeServer(edition: ServerEdition = latestServer): Promise<void> {
  const { version, folder, nodeVersion } = edition;
  const { main, vscode } = filesOf(edition);
  const stamp = join(folder, 'runhook-stamp.json');
  const wanted = JSON.stringify({
    version,
    node: nodeVersion ?? process.versions.modules,
    arch: process.arch,
  });
  if (existsSync(main) && (await readText(stamp)) === wanted) return;
  await rm(stamp, { force: true });
  await mkdir(folder, { recursive: true });
  await withProgress(`fetching VS Code (code-server ${version} from the npm registry)`, async () => {
    // npm takes the nearest package.json for the place to install to: without this one, Runhook's own.
    await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
    const node = nodeVersion === undefined ? [] : [`${nodePackage}@${nodeVersion}`];
    await npm('code-server', ['install', '--ignore-scripts', `code-server@${version}`, ...node], folder);
    await takeFromRegistry(vscode, edition.fromRegistry);
    await npm('its own packages', ['install', '--omit=dev', '--ignore-scripts'], vscode);
  });
  await buildNativeModules(edition);
  await writeFile(stamp, wanted);
}

/** Names other versions in VS Code's package.json. What it has locked would go before them. */
async function takeFromRegistry(vscode: string, versions: ServerEdition['fromRegistry']): Promise<void> {
  if (versions === undefined) return;
  const file = join(vscode, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as { dependencies: Record<string, string> };
  Object.assign(manifest.dependencies, versions);
  await writeFile(file, JSON.stringify(manifest, null, 2));
  await rm(join(vscode, 'npm-shrinkwrap.json'), { force: true });
}

/** VS Code runs without them, less quietly. */
async function buildNativeModules(edition: ServerEdition): Promise<void> {
  const { vscode, node, nodeFolder } = filesOf(edition);
  await withProgress('compiling the native modules of VS Code', async () => {
    const headers = existsSync(join(nodeFolder, 'include')) ? { npm_config_nodedir: nodeFolder } : {};
    // They are compiled for the Node that runs npm.
    const path = [dirname(node), process.env.PATH].join(delimiter);
    const { code } = await runOwned('npm', ['rebuild', ...edition.nativeModules], {
      cwd: vscode,
      // What writes a log line now and then need not be fast: that takes the compiler longest.
      env: { ...process.env, PATH: path, CXXFLAGS: '-O0', ...headers },
    });
    if (code !== 0) {
      console.warn(
        '  That did not work: it needs python3, make and a C++ compiler. Going on without them;\n' +
          '  the extension host then logs an error for every output channel, and everything else works.',
      );
    }
  });
}

async function npm(what: string, args: string[], cwd: string): Promise<void> {
  const { code, output } = await runOwned('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
  });
  if (code !== 0) {
    throw new ScriptError(
      `${output.trim()}\n\nVS Code (${what}) could not be fetched from the npm registry. Connect to the network, or ` +
        'name a registry that this machine reaches (npm config set registry …), and run the command again.',
    );
  }
}

function readText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runMain(ensureVscodeServer);
