import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchChromium } from '../../scripts/chromium.ts';
import { root, workFolder } from '../../scripts/checkout.ts';
import { packageExtension, vsix } from '../../scripts/packageExtension.ts';
import { runOwned } from '../../scripts/processes.mjs';
import { startVscodeServer } from '../../scripts/serverProcess.ts';
import { ensureVscodeServer } from '../../scripts/vscodeServer.ts';
import { openWorkbench } from '../support/openWorkbench.ts';
import { waitFor } from '../support/waitFor.ts';
import { median, spread } from './statistics.ts';

const goalMs = 5;
/** One whose turn comes before Runhook's, and one whose turn comes after it. */
const emptyNames = ['a-empty', 'z-empty'];

/**
 * How long VS Code says that an activation took, Runhook's and those of two extensions that do nothing, in the same
 * extension host, several times anew.
 */
export async function activationTime(rounds: number): Promise<string> {
  await ensureVscodeServer();
  await packageExtension();
  const empties = await Promise.all(emptyNames.map(packEmpty));
  const server = await startVscodeServer({ vsix: [vsix, ...empties] });
  const browser = await launchChromium();
  const times: { runhook: number; empty: number }[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      // The list of running extensions draws only what is on the screen, and the quickest stand at its end.
      const size = { width: 1280, height: 4000 };
      const workbench = await openWorkbench({ server, browser, dispose: () => Promise.resolve() }, { size });
      await workbench.runCommand('Developer: Show Running Extensions');
      const shown = await waitFor('the times of all three', async () => {
        const texts = await workbench.page.locator('.runtime-extensions-editor .extension').allInnerTexts();
        const time = (name: string): number | undefined => {
          const text = texts.find((one) => one.includes(name));
          const found = /Activation:? (\d+)ms/.exec(text ?? '')?.[1];
          return found === undefined ? undefined : Number(found);
        };
        const [runhook, first, last] = [time('Runhook'), ...emptyNames.map(time)];
        if (runhook === undefined || first === undefined || last === undefined) return undefined;
        return { runhook, empty: (first + last) / 2 };
      });
      times.push(shown);
      await workbench.close();
    }
  } finally {
    await browser.close();
    await server.dispose();
  }
  const [ours, empty] = [times.map(({ runhook }) => runhook), times.map((one) => one.empty)];
  const more = times.map((one) => one.runhook - one.empty);
  const shown = (values: readonly number[]): string => `${median(values).toFixed(1)} ms (${spread(values)})`;
  return `Runhook ${shown(ours)}, an empty extension ${shown(empty)}: ${shown(more)} more, goal ${goalMs} ms`;
}

/** Packs an extension that does nothing, and is activated when Runhook is. */
async function packEmpty(name: string): Promise<string> {
  const folder = join(workFolder, 'empty-extensions', name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const manifest = {
    name,
    displayName: name,
    publisher: name,
    version: '1.0.0',
    engines: { vscode: '^1.105.0' },
    license: 'MIT',
    type: 'module',
    main: './extension.js',
    activationEvents: ['onStartupFinished'],
    extensionKind: ['workspace'],
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'LICENSE'), 'MIT');
  await writeFile(join(folder, 'extension.js'), 'export function activate() {}\n');
  const out = `${folder}.vsix`;
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const args = [vsce, 'package', '--no-dependencies', '--allow-missing-repository', '--out', out];
  const { code, output } = await runOwned(process.execPath, args, { cwd: folder });
  if (code !== 0) throw new Error(output);
  return out;
}
