import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeliveryStore } from '../../src/listener/store/deliveryStore.ts';
import type { DeliveryFilter } from '../../src/model/deliveries/deliveryFilter.ts';
import { startServer } from './serverProcess.ts';
import { percentile } from './statistics.ts';

const goalMs = 50;
/** What the view asks for first. */
const firstPage = 100;
const rounds = 9;

/** The searches, by a word for what they look for. `deliveries` are kept, and every thousandth is special. */
const searches: Readonly<Record<string, DeliveryFilter>> = {
  nothing: {},
  'a text in many bodies': { text: 'response' },
  'a text in few bodies': { text: 'special body' },
  'a text in the oldest body': { text: 'the very first' },
  'a text in no body': { text: 'in no body at all' },
  'a text in no body, not in ASCII': { text: 'nirgends zu finden: ä' },
  'a header': { text: 'special-header' },
  'an app': { app: 'special app' },
  'an app that has none': { app: 'no app' },
  'a run': { text: 'run-000000007000' },
  'a verdict': { verdict: 'mismatch' },
  'a verdict that none has': { verdict: 'stale' },
};

/** How soon the window has the first page of what is sought. */
export async function searchTime(deliveries: number): Promise<string[]> {
  const folder = mkdtempSync(join(process.env['RUNHOOK_BENCH_FOLDER'] ?? tmpdir(), 'runhook-bench-'));
  fill(join(folder, 'deliveries'), deliveries);
  const server = await startServer('listener', [], folder);
  try {
    const lines: string[] = [];
    for (const [name, filter] of Object.entries(searches)) {
      const taken: number[] = [];
      let found = 0;
      for (let round = 0; round < rounds; round += 1) {
        const started = performance.now();
        found = (await server.page(filter, firstPage)).deliveries.length;
        taken.push(performance.now() - started);
      }
      const [p50, worst] = [percentile(taken, 0.5).toFixed(1), percentile(taken, 1).toFixed(1)];
      lines.push(
        `${deliveries} kept, ${name}: ${found} found, median ${p50} ms, worst ${worst} ms, goal ${goalMs} ms`,
      );
    }
    return lines;
  } finally {
    await server.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

function fill(folder: string, count: number): void {
  const store = new DeliveryStore({
    folder,
    keep: count,
    now: () => Date.now(),
    onProblem: (problem) => {
      if (problem !== undefined) throw problem;
    },
    onSetAside: () => undefined,
    onChanged: () => undefined,
    reasonFor: () => undefined,
  });
  store.open();
  for (let index = 0; index < count; index += 1) {
    const isSpecial = index % 1000 === 0;
    const runId = `run-${index.toString().padStart(12, '0')}`;
    const first = index === 0 ? 'the very first' : '';
    const response = `${isSpecial ? 'special body' : ''}${first}${'x'.repeat(900)}`;
    const header = isSpecial ? 'special-header' : 'application/json';
    store.add(
      {
        id: `bench-${index}`,
        receivedAt: 1_790_000_000_000 + index,
        verdict: isSpecial ? 'mismatch' : 'verified',
        standing: isSpecial ? 'accepted' : 'verified',
        answered: 200,
        method: 'POST',
        path: '/hook',
        rawHeaders: ['Host', '127.0.0.1', 'Content-Type', header, 'X-Request-Id', crypto.randomUUID()],
        body: Buffer.from(JSON.stringify({ run_id: runId, response })),
      },
      () => undefined,
      (error) => {
        throw error;
      },
    );
    if (isSpecial) store.note({ id: `bench-${index}`, appName: 'special app' });
    if (index % 1000 === 999) store.flush();
  }
  // What is found out about each is found out before a window asks.
  store.page({}, 1);
  store.close();
}
