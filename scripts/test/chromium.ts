import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { workFolder } from '../checkout.ts';
import { ScriptError, withProgress } from '../runMain.mjs';

/** No sandbox, no GPU, and no network access of the browser itself, so that it also runs in containers and offline. */
const chromiumFlags = [
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
  // No TurboFan: a test closes its page before that compiler's work pays off.
  '--js-flags=--max-opt=2',
];

/** Starts a headless Chromium. The caller closes it; Playwright kills it when this process exits. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: await findChromium(),
    args: chromiumFlags,
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

/** Unpacks the Chromium in the npm package @sparticuz/chromium, once. @returns its program */
async function unpackedChromium(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const folder = join(workFolder, 'chromium');
  const program = join(folder, 'chromium');
  if (existsSync(program)) return program;
  await mkdir(workFolder, { recursive: true });
  const unfinished = await mkdtemp(join(workFolder, 'chromium-'));
  // The package unpacks into TMPDIR and reuses any file it finds there, even an incomplete one. So it unpacks into a new
  // folder, which is renamed once it is complete.
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
