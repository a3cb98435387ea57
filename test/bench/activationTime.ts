import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { workFolder } from '../../scripts/checkout.ts';
import type { ActivationCost } from '../support/bridge/bridgeProtocol.ts';
import type { BridgedSession } from '../support/workbench/bridgedSession.ts';
import { openWorkbench } from '../support/workbench/openWorkbench.ts';
import { packExtension } from './packExtension.ts';
import { waitFor } from '../support/time/waitFor.ts';
import { median, spread } from './statistics.ts';

const goalMs = 5;
const ids = { runhook: 'runhook.runhook', empty: 'empty.empty' };

/**
 * Measures the activation of Runhook and that of an empty extension in an idle extension host. While a window starts, a
 * dozen extensions share its thread, and each one's time would include the work of the others.
 * @param session one that no window was opened in, with the empty extension
 * @param idleMs the time after which a new window and its extension host are idle
 * @param ended the process ids of the extension hosts that have ended; those of its own are added
 */
export async function activationTime(
  session: BridgedSession,
  rounds: number,
  idleMs: number,
  ended = new Set<number>(),
): Promise<string[]> {
  const took = { runhook: [] as ActivationCost[], empty: [] as ActivationCost[] };
  await removeActivationEvents(join(session.server.dataFolder, 'extensions'));
  for (let round = 0; round < rounds; round += 1) {
    const workbench = await openWorkbench(session, { isPainted: true });
    const bridge = await waitFor('the extension host', () => session.runningBridge(ended));
    await pause(idleMs);
    const names = ['runhook', 'empty'] as const;
    // Alternating, because the second one finds more of VS Code's own code compiled.
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      took[name].push(await bridge.call('activate', { id: ids[name] }));
    }
    ended.add(bridge.pid);
    await workbench.close();
  }
  const line = (what: string, of: (one: ActivationCost) => number): string => {
    const [ours, theirs] = [took.runhook.map(of), took.empty.map(of)];
    const more = ours.map((one, round) => one - (theirs[round] ?? Number.NaN));
    return `${what}: Runhook ${formatTimes(ours)}, an empty extension ${formatTimes(theirs)}: ${formatTimes(more)} more`;
  };
  return [
    `${line('time', ({ wallMs }) => wallMs)}, goal ${goalMs} ms`,
    line('of the processor', ({ cpuMs }) => cpuMs),
  ];
}

function formatTimes(values: readonly number[]): string {
  return `${median(values).toFixed(1)} ms (${spread(values)})`;
}

/** Keeps Runhook from being activated at startup. */
async function removeActivationEvents(extensions: string): Promise<void> {
  const folder = (await readdir(extensions)).find((name) => name.startsWith(ids.runhook));
  const path = join(extensions, folder ?? '', 'package.json');
  const manifest = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
  await writeFile(path, JSON.stringify({ ...manifest, activationEvents: [] }));
}

/** Packs an extension that does nothing and is not activated at startup. @returns the path of the VSIX */
export async function packEmptyExtension(): Promise<string> {
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
  return packExtension(folder);
}
