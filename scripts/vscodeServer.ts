import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root, workFolder } from './checkout.ts';
import { runOwned } from './processes.mjs';
import { ScriptError } from './scriptError.mjs';
import { withProgress } from './progress.ts';

/** code-server is VS Code's server and web workbench as an npm package, which any registry mirror has. */
const version = '4.139.1';
const folder = join(workFolder, 'server');
const codeServer = join(folder, 'node_modules', 'code-server');

/** Where things lie in an installed VS Code server. */
export const serverFiles = {
  /** VS Code's own server: takes the flags of testing. */
  main: join(codeServer, 'lib', 'vscode', 'out', 'server-main.js'),
  /** code-server around it, which keeps secrets over a reload. */
  entry: join(codeServer, 'out', 'node', 'entry.js'),
};

/** Makes sure that there is a VS Code server under `.vscode-test/server`. Set up once, reused after. */
export async function ensureVscodeServer(): Promise<void> {
  const stamp = join(folder, 'runhook-stamp.json');
  const wanted = JSON.stringify({ version, node: process.versions.modules, arch: process.arch });
  if (existsSync(serverFiles.main) && (await readText(stamp)) === wanted) return;
  await rm(stamp, { force: true });
  await mkdir(folder, { recursive: true });
  await withProgress(`fetching VS Code (code-server ${version} from the npm registry)`, async () => {
    // npm takes the nearest package.json for the place to install to: without this one, Runhook's own.
    await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
    await npm('code-server', ['install', '--ignore-scripts', `code-server@${version}`], folder);
    const vscode = dirname(dirname(serverFiles.main));
    await npm('its own packages', ['install', '--omit=dev', '--ignore-scripts'], vscode);
  });
  await buildNativeModules(dirname(dirname(serverFiles.main)));
  await writeFile(stamp, wanted);
}

/** The logger and the watchdog have no prebuilt binaries. VS Code runs without them, less quietly. */
async function buildNativeModules(vscode: string): Promise<void> {
  await withProgress('compiling the native log module of VS Code', async () => {
    const headers = join(
      root,
      'node_modules',
      'node',
      'node_modules',
      `node-${process.platform}-${process.arch}`,
    );
    const env = existsSync(join(headers, 'include')) ? { npm_config_nodedir: headers } : {};
    const { code } = await runOwned('npm', ['rebuild', '@vscode/spdlog', '@vscode/native-watchdog'], {
      cwd: vscode,
      env: { ...process.env, ...env },
    });
    if (code !== 0) {
      console.warn(
        '  That did not work: it needs python3, make and a C++ compiler. Going on without the module;\n' +
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
