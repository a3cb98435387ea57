import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { MemoryUse } from '../support/bridge/bridgeProtocol.ts';
import type { Bridge, BridgedSession } from '../support/workbench/bridgedSession.ts';
import { sendBurst } from '../support/listener/sendBurst.ts';
import { openWorkbench } from '../support/workbench/openWorkbench.ts';
import { waitFor } from '../support/time/waitFor.ts';
import { benchSecret, signedRequests } from './load.ts';
import { percentile } from './statistics.ts';

/** In milliseconds. */
export interface EditorLatency {
  /** The duration of a no-op command. */
  command: { median: number; p90: number; p99: number; worst: number };
  /** The processor time of the extension host between two commands. */
  work: { p99: number; worst: number; total: number };
  /** The time from the key press until the palette is visible. */
  palette: { median: number; worst: number; count: number };
}

export interface BurstResult {
  deliveries: number;
  /** The time until all deliveries are answered. */
  answeredMs: number;
  /** The time until all deliveries have their line in the output. */
  shownMs: number;
  lines: number;
  quiet: EditorLatency;
  during: EditorLatency;
  /** Before the burst, after it, after another burst, and after clearing the output. */
  memory: readonly [before: MemoryUse, after: MemoryUse, again: MemoryUse, cleared: MemoryUse];
}

const connections = 32;
const languageId = 'runhook-deliveries';

/** How much is sent, and how long is waited. */
export interface BurstSize {
  deliveries: number;
  /** How many deliveries warm up. */
  warmUp: number;
  /** How long a quiet editor is measured, in milliseconds. */
  quietMs: number;
  /** After which time batched messages are freed, in milliseconds. */
  settleMs: number;
}

/**
 * Sends a burst to the listener of a real workbench with its output and its Deliveries view open, and measures the
 * latency and memory of the editor.
 * @param ended the process ids of extension hosts of the session that have ended
 */
export async function measureWorkbenchBurst(
  session: BridgedSession,
  { deliveries, warmUp, quietMs, settleMs }: BurstSize,
  ended: ReadonlySet<number> = new Set(),
): Promise<BurstResult> {
  const workbench = await openWorkbench(session, { isPainted: true });
  try {
    const { page } = workbench;
    const bridge = await waitFor('the extension host', () => session.runningBridge(ended));
    await bridge.command('setWebhookSecret', { secret: benchSecret });
    const { port } = await bridge.command<{ port: number }>('startListener', { port: 0 });
    await bridge.command('showOutput');
    await bridge.call('command', { id: 'runhook.deliveries.focus', args: [] });
    // Warms up, so that loaded and compiled code does not count as a leak.
    await send(bridge, port, warmUp);
    const before = await bridge.call('memory', {});
    // Not at the same time, because opening the palette again and again takes half a core.
    const commandQuiet = await commandLatency(bridge, pause(quietMs));
    const paletteQuiet = await paletteLatency(page, pause(quietMs));
    const burstDone = send(bridge, port, deliveries);
    const commandDuring = await commandLatency(bridge, burstDone);
    const { answeredMs, shownMs, pattern } = await burstDone;
    // Only now, because searching the whole output blocks the extension host.
    const lines = await bridge.call('countInDocument', { languageId, pattern });
    // Batched messages are freed with a delay.
    await pause(settleMs);
    const after = await bridge.call('memory', {});
    const paletteDuring = await paletteLatency(page, send(bridge, port, deliveries));
    await pause(settleMs);
    const again = await bridge.call('memory', {});
    await bridge.call('command', { id: 'workbench.output.action.clearOutput', args: [] });
    await pause(settleMs);
    const cleared = await bridge.call('memory', {});
    const quiet = { ...commandQuiet, palette: paletteQuiet };
    const during = { ...commandDuring, palette: paletteDuring };
    return { deliveries, answeredMs, shownMs, lines, quiet, during, memory: [before, after, again, cleared] };
  } finally {
    await workbench.close();
  }
}

/** Sends deliveries and waits until the output has a line for each. @returns the times, and a pattern for the lines */
async function send(
  bridge: Bridge,
  port: number,
  count: number,
): Promise<{ answeredMs: number; shownMs: number; pattern: string }> {
  const requests = signedRequests(count, 1024);
  const series = /"run_id":"([0-9a-f-]{36})-0"/.exec(requests[0]?.toString() ?? '')?.[1] ?? '';
  const before = await bridge.call('linesInDocument', { languageId });
  const started = performance.now();
  // At low priority, because the real service does not compete with the editor for processor time.
  await sendBurst(port, requests.map(String), connections, true);
  const answeredMs = performance.now() - started;
  let added = 0;
  for (let looks = 0; added < count && looks < 600; looks += 1) {
    await pause(100);
    added = (await bridge.call('linesInDocument', { languageId })) - before;
  }
  return { answeredMs, shownMs: performance.now() - started, pattern: `✓ verified .*${series.slice(0, 13)}` };
}

async function commandLatency(
  bridge: Bridge,
  until: Promise<unknown>,
): Promise<Pick<EditorLatency, 'command' | 'work'>> {
  await bridge.call('startProbe', { everyMs: 20 });
  await until;
  const { commandMs, cpuMs } = await bridge.call('endProbe', {});
  return {
    command: {
      median: percentile(commandMs, 0.5),
      p90: percentile(commandMs, 0.9),
      p99: percentile(commandMs, 0.99),
      worst: percentile(commandMs, 1),
    },
    work: {
      p99: percentile(cpuMs, 0.99),
      worst: percentile(cpuMs, 1),
      total: cpuMs.reduce((sum, one) => sum + one, 0),
    },
  };
}

async function paletteLatency(page: Page, until: Promise<unknown>): Promise<EditorLatency['palette']> {
  const openings: number[] = [];
  const phase = { isOver: false };
  const ended = until.then(() => (phase.isOver = true));
  while (!phase.isOver) openings.push(await measurePalette(page));
  await ended;
  return { median: percentile(openings, 0.5), worst: percentile(openings, 1), count: openings.length };
}

/** These two run in the page. The first starts the stopwatch, the second reads it. */
const setStopwatch = `window.runhookPalette = new Promise((resolve) => {
  addEventListener('keydown', ({ timeStamp }) => {
    const look = () => {
      const input = document.querySelector('.quick-input-widget input');
      if (input !== null && input.checkVisibility()) resolve(performance.now() - timeStamp);
      else requestAnimationFrame(look);
    };
    look();
  }, { capture: true, once: true });
}); undefined`;
const readStopwatch = `Promise.race([window.runhookPalette, new Promise((resolve) => setTimeout(resolve, 5000, 5000))])`;

/** Measures the time from the key press to the first frame that shows the palette. */
async function measurePalette(page: Page): Promise<number> {
  await page.evaluate(setStopwatch);
  await page.keyboard.press('F1');
  const taken = await page.evaluate<number>(readStopwatch);
  await page.keyboard.press('Escape');
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  return taken;
}
