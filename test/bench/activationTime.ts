import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { launchChromium } from '../../scripts/test/chromium.ts';
import { workFolder } from '../../scripts/checkout.ts';
import { packageExtension } from '../../scripts/build/package.ts';
import { ensureVscodeServer } from '../../scripts/test/vscodeServer.ts';
import type { Activated } from '../support/bridge/bridgeProtocol.ts';
import { BridgedSession } from '../support/bridgedSession.ts';
import { openWorkbench } from '../support/openWorkbench.ts';
import { packFolder } from '../support/packFolder.ts';
import { waitFor } from '../support/waitFor.ts';
import { median, spread } from './statistics.ts';

const goalMs = 5;
/** How long a new window and its extension host are left alone: then they do nothing. */
const quietMs = 4000;
const ids = { runhook: 'runhook.runhook', empty: 'empty.empty' };

/**
 * What an activation takes, Runhook's and that of an extension that does nothing, in an extension host that is
 * quiet: when a window starts, a dozen of extensions share its thread, and the time of each holds what the others
 * did meanwhile.
 */
export async function activationTime(rounds: number): Promise<string[]> {
  await ensureVscodeServer();
  await packageExtension();
  const browser = await launchChromium();
  const session = await BridgedSession.start(browser, [await packEmpty()]);
  const took = { runhook: [] as Activated[], empty: [] as Activated[] };
  try {
    await takeActivationEventsFrom(join(session.server.dataFolder, 'extensions'));
    const ended = new Set<number>();
    for (let round = 0; round < rounds; round += 1) {
      const workbench = await openWorkbench(session, { isPainted: true });
      const bridge = await waitFor('the extension host', () => session.runningBridge(ended));
      await pause(quietMs);
      const names = ['runhook', 'empty'] as const;
      // What comes second finds more of VS Code's own code compiled.
      for (const name of round % 2 === 0 ? names : names.toReversed()) {
        took[name].push(await bridge.call('activate', { id: ids[name] }));
      }
      ended.add(bridge.pid);
      await workbench.close();
    }
  } finally {
    await browser.close();
    await session.dispose();
  }
  const line = (what: string, of: (one: Activated) => number): string => {
    const [ours, theirs] = [took.runhook.map(of), took.empty.map(of)];
    const more = ours.map((one, round) => one - (theirs[round] ?? Number.NaN));
    return `${what}: Runhook ${shown(ours)}, an empty extension ${shown(theirs)}: ${shown(more)} more`;
  };
  return [
    `${line('time', ({ time }) => time)}, goal ${goalMs} ms`,
    line('of the processor', ({ work }) => work),
  ];
}

function shown(values: readonly number[]): string {
  return `${median(values).toFixed(1)} ms (${spread(values)})`;
}

/** Lets Runhook not start by itself. */
async function takeActivationEventsFrom(extensions: string): Promise<void> {
  const folder = (await readdir(extensions)).find((name) => name.startsWith(ids.runhook));
  const path = join(extensions, folder ?? '', 'package.json');
  const manifest = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
  await writeFile(path, JSON.stringify({ ...manifest, activationEvents: [] }));
}

/** Packs an extension that does nothing, and does not start by itself. */
async function packEmpty(): Promise<string> {
  const folder = join(workFolder, 'empty-extension');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const manifest = {
    name: 'empty',
    displayName: 'empty',
    publisher: 'empty',
    version: '1.0.0',
    engines: { vscode: '^1.105.0' },
    type: 'module',
    main: './extension.js',
    activationEvents: [],
    extensionKind: ['workspace'],
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'extension.js'), 'export function activate() {}\n');
  return packFolder(folder);
}
