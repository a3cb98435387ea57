import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root, workFolder } from '../../../scripts/checkout.ts';
import { languageCookie } from '../../../scripts/l10n/bundles.ts';
import {
  followSystemColors,
  receiveArrayBuffers,
  disableBrowserExtensionHost,
  skipPainting,
  disableNetworkEvents,
  themeSettings,
} from '../../../scripts/test/workbenchPage.ts';
import type { Session } from './session.ts';
import { waitFor } from '../time/waitFor.ts';
import { Workbench } from './workbench.ts';

export interface WorkbenchOptions {
  /** User settings. */
  settings?: Record<string, unknown>;
  /** Starts the sandbox with the button in the empty view Projects. */
  sandbox?: boolean;
  /** The contents of the workspace's files, by relative path. */
  files?: Record<string, string>;
  /** Opens a multi-root workspace with these relative folders, and these settings in its file. */
  multiRoot?: { folders: readonly string[]; settings: Record<string, unknown> };
  /** Names of additional built-in extensions of the server, which all workbenches of a file share. */
  builtIns?: readonly string[];
  /** Folders of further extensions of the server. They may be written until the workbench opens. */
  unpacked?: readonly string[];
  /** Makes the workspace a git repository. */
  isRepository?: boolean;
  /** Paints the page all the time, not only for screenshots: see `skipPainting`. */
  isPainted?: boolean;
  /** The size of the window. */
  size?: { width: number; height: number };
  /** The folder for screenshots. */
  screenshots?: string;
  /** `de`, `ja` or the pseudo-locale. Defaults to English. */
  language?: string;
  /** Defaults to `info`. */
  logLevel?: 'trace';
}

/** Opens a workbench in a new browser profile, with a new workspace. */
export async function openWorkbench(
  session: Pick<Session, 'server' | 'browser'>,
  options: WorkbenchOptions = {},
): Promise<Workbench> {
  const { settings = {}, files = {}, size = { width: 1280, height: 800 } } = options;
  // A hover that opens under the mouse would cover other rows and take their clicks.
  await session.server.writeUserSettings({
    'workbench.hover.delay': 60_000,
    // In a tree that has scrolled a little, rows that stay at its top would cover the first ones.
    'workbench.tree.enableStickyScroll': false,
    ...themeSettings,
    ...settings,
  });
  const parent = await mkdtemp(join(workFolder, 'data-workspace-'));
  const workspace = join(parent, 'demo');
  await mkdir(workspace);
  for (const [path, content] of Object.entries(files)) {
    const file = join(workspace, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  if (options.isRepository === true)
    await promisify(execFile)('git', ['init', '--quiet'], { cwd: workspace });
  const context = await session.browser.newContext({
    viewport: size,
    permissions: ['clipboard-read', 'clipboard-write'],
    // Playwright waits until an element stops moving before it clicks, and each animation costs frames.
    reducedMotion: 'reduce',
  });
  if (options.language) {
    await context.addCookies([{ name: languageCookie, value: options.language, url: session.server.url }]);
  }
  context.setDefaultTimeout(60_000);
  context.on('close', () => void rm(parent, { recursive: true, force: true }));
  const page = await context.newPage();
  await followSystemColors(page);
  if (options.isPainted !== true) await skipPainting(page);
  await disableNetworkEvents(page);
  await receiveArrayBuffers(page);
  await disableBrowserExtensionHost(page);
  const workbench = new Workbench(page, options.screenshots ?? join(workFolder, 'screenshots'));
  const address = new URL(session.server.url);
  if (options.multiRoot) {
    const { folders, settings: ofWorkspace } = options.multiRoot;
    const file = join(workspace, 'demo.code-workspace');
    const content = { folders: folders.map((path) => ({ path })), settings: ofWorkspace };
    await writeFile(file, JSON.stringify(content));
    address.searchParams.set('workspace', file);
  } else {
    address.searchParams.set('folder', workspace);
  }
  if (options.logLevel) {
    address.searchParams.set('payload', JSON.stringify([['logLevel', options.logLevel]]));
  }
  await page.goto(address.href);
  await workbench.ready();
  if (options.multiRoot) await waitForFolders(workbench);
  if (options.sandbox === true) await startSandbox(workbench, options.language);
  return workbench;
}

/**
 * Sometimes the web workbench opens a multi-root workspace without its folders. A reload helps. The Explorer, which is
 * open by default, shows whether the folders are there.
 */
async function waitForFolders({ page }: Workbench): Promise<void> {
  const explorer = page.locator('.explorer-viewlet');
  const folder = explorer.locator('.explorer-folders-view .monaco-list-row').first();
  const none = explorer.getByText('You have not yet added a folder to the workspace');
  await waitFor('the folders of the workspace', async (timeout) => {
    await folder.or(none).waitFor({ timeout });
    const isThere = await folder.isVisible();
    if (!isThere) await page.reload();
    return isThere;
  });
}

async function startSandbox(workbench: Workbench, language: string | undefined): Promise<void> {
  const file = join(root, language === undefined ? 'package.nls.json' : `package.nls.${language}.json`);
  const texts = JSON.parse(await readFile(file, 'utf8')) as Record<
    'view.projects' | 'welcome.projects',
    string
  >;
  const tree = workbench.tree(texts['view.projects']);
  const [, button = ''] =
    /\[([^\]]+)\]\(command:runhook\.startSandbox\)/.exec(texts['welcome.projects']) ?? [];
  const start = (await tree.open()).getByRole('button', { name: button });
  await workbench.click(start, async () => (await tree.rows()).length > 0);
}
