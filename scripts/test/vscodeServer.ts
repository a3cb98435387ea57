import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, workFolder } from '../checkout.ts';
import { runOwned } from '../processes.mjs';
import { runMain, ScriptError, withProgress } from '../runMain.mjs';

/** A version of code-server, the npm package with the VS Code server and its web workbench, and the Node that runs it. */
export interface ServerEdition {
  /** The version of code-server: 4.139.1 contains VS Code 1.139.1. */
  version: string;
  /** The installation folder. */
  folder: string;
  /** Installs this Node beside it. Defaults to the Node that runs the scripts. */
  nodeVersion?: string;
  /** Modules without prebuilt binaries, such as the logger and the watchdog. */
  nativeModules: readonly string[];
  /** Registry versions of dependencies that VS Code's package.json takes from elsewhere. */
  dependencyOverrides?: Readonly<Record<string, string>>;
}

/** For tests, tour and `npm start`. */
export const latestServer: ServerEdition = {
  version: '4.139.1',
  folder: join(workFolder, 'server'),
  nativeModules: ['@vscode/spdlog', '@vscode/native-watchdog'],
};

/** The oldest VS Code that `engines.vscode` allows, with the Node version that it ships. */
export const floorServer: ServerEdition = {
  version: '4.105.1',
  folder: join(workFolder, 'floor'),
  nodeVersion: '22.20.0',
  nativeModules: ['@vscode/spdlog', 'native-watchdog', 'node-pty'],
  dependencyOverrides: { '@parcel/watcher': '2.5.1' },
};

/** The npm package with the program and the headers of Node for this platform. */
const nodePackage = `node-${process.platform}-${process.arch}`;

/** The paths in an installed edition. */
export function serverPaths({ folder, nodeVersion }: ServerEdition) {
  const codeServer = join(folder, 'node_modules', 'code-server');
  const vscode = join(codeServer, 'lib', 'vscode');
  const nodeFolder =
    nodeVersion === undefined
      ? join(root, 'node_modules', 'node', 'node_modules', nodePackage)
      : join(folder, 'node_modules', nodePackage);
  return {
    vscode,
    /** VS Code's own server, which supports the test driver. */
    main: join(vscode, 'out', 'server-main.js'),
    /** code-server, which keeps secrets across a reload. */
    entry: join(codeServer, 'out', 'node', 'entry.js'),
    nodeFolder,
    node: nodeVersion === undefined ? process.execPath : join(nodeFolder, 'bin', 'node'),
  };
}

/**
 * The built-in extensions with code that tests need: for JSON schemas and quick fixes, and for git.
 */
const extensionsWithCode = new Set(['configuration-editing', 'git', 'git-base', 'json-language-features']);

/**
 * Makes a folder with links to the built-in extensions that tests need: themes, grammars and the few in
 * `extensionsWithCode`. The others (chat, TypeScript, debuggers …) cost each window seconds of processor time.
 * @param more names of additional extensions
 * @returns the folder
 */
export async function linkBuiltInExtensions(
  edition: ServerEdition,
  more: readonly string[] = [],
): Promise<string> {
  const all = join(serverPaths(edition).vscode, 'extensions');
  const needed = join(edition.folder, ['extensions', ...more].join('-'));
  await mkdir(needed, { recursive: true });
  for (const name of await readdir(all)) {
    const text = await readText(join(all, name, 'package.json'));
    if (text === undefined) continue;
    const { main, browser } = JSON.parse(text) as { main?: string; browser?: string };
    const isNeeded = extensionsWithCode.has(name) || more.includes(name);
    if ((main ?? browser) !== undefined && !isNeeded) continue;
    await symlink(relative(needed, join(all, name)), join(needed, name)).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
  }
  return needed;
}

/** Installs an edition under `.vscode-test`, unless it is there already. */
export async function ensureVscodeServer(edition: ServerEdition = latestServer): Promise<void> {
  const { version, folder, nodeVersion } = edition;
  const { main, vscode } = serverPaths(edition);
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
    // npm installs beside the nearest package.json, which would otherwise be Runhook's.
    await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
    const node = nodeVersion === undefined ? [] : [`${nodePackage}@${nodeVersion}`];
    await npm('code-server', ['install', '--ignore-scripts', `code-server@${version}`, ...node], folder);
    await overrideDependencies(vscode, edition.dependencyOverrides);
    await npm('its own packages', ['install', '--omit=dev', '--ignore-scripts'], vscode);
  });
  await buildNativeModules(edition);
  await writeFile(stamp, wanted);
}

/** Changes versions in VS Code's package.json, and removes its lockfile, which would override them. */
async function overrideDependencies(
  vscode: string,
  versions: ServerEdition['dependencyOverrides'],
): Promise<void> {
  if (versions === undefined) return;
  const file = join(vscode, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as { dependencies: Record<string, string> };
  Object.assign(manifest.dependencies, versions);
  await writeFile(file, JSON.stringify(manifest, null, 2));
  await rm(join(vscode, 'npm-shrinkwrap.json'), { force: true });
}

/** Compiles the native modules. VS Code also runs without them, but logs errors. */
async function buildNativeModules(edition: ServerEdition): Promise<void> {
  const { vscode, node, nodeFolder } = serverPaths(edition);
  await withProgress('compiling the native modules of VS Code', async () => {
    const headers = existsSync(join(nodeFolder, 'include')) ? { npm_config_nodedir: nodeFolder } : {};
    // npm compiles for the first Node on PATH.
    const path = [dirname(node), process.env.PATH].join(delimiter);
    const { code } = await runOwned('npm', ['rebuild', ...edition.nativeModules], {
      cwd: vscode,
      // Optimizing takes most of the compile time, and the logger need not be fast.
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
