import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeliveryStore } from '../../src/listener/store/deliveryStore.ts';
import type { DeliveryFilter } from '../../src/deliveries/deliveryFilter.ts';
import { Random } from '../support/random/random.ts';
import { startServer } from './serverProcess.ts';
import { percentile } from './statistics.ts';

const goalMs = 150;
/** The size of the view's first page. */
const firstPage = 100;
const rounds = 9;
/** Letters for random words. There is no `q`, so that a search for it finds nothing. */
const letters = 'etaoinshrdlucmfwypvbgk';

/** The searches by name. Every thousandth delivery is special. */
const searches: Readonly<Record<string, DeliveryFilter>> = {
  nothing: {},
  'a text in many bodies': { text: 'response' },
  'a text in few bodies': { text: 'special body' },
  'a text in the oldest body': { text: 'the very first' },
  'a text in no body': { text: 'in no body at all' },
  'a text in no body, not in ASCII': { text: 'nirgends zu finden: ä' },
  'two Chinese characters in no body': { text: '漢字' },
  'three letters in no body': { text: 'qzx' },
  'two letters in no body': { text: 'qz' },
  'a header': { text: 'special-header' },
  'an app': { app: 'special app' },
  'an app that has none': { app: 'no app' },
  'a run': { text: 'run-000000007000' },
  'a verdict': { verdict: 'mismatch' },
  'a verdict that none has': { verdict: 'stale' },
};

/** Measures how soon a window has the first page of each search. */
export async function searchTime(deliveries: number): Promise<string[]> {
  const folder = mkdtempSync(join(process.env['RUNHOOK_BENCH_FOLDER'] ?? tmpdir(), 'runhook-bench-'));
  fillStore(join(folder, 'deliveries'), deliveries);
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

function fillStore(folder: string, count: number): void {
  const random = new Random(1);
  const words = Array.from({ length: 3000 }, () => wordOf(random));
  const store = new DeliveryStore({
    folder,
    keep: count,
    now: () => Date.now(),
    onProblem: (problem) => {
      if (problem !== undefined) throw problem;
    },
    onSetAside: () => undefined,
    onChanged: () => undefined,
  });
  store.trim();
  for (let index = 0; index < count; index += 1) {
    const isSpecial = index % 1000 === 0;
    const runId = `run-${index.toString().padStart(12, '0')}`;
    const first = index === 0 ? 'the very first' : '';
    const response = `${isSpecial ? 'special body' : ''}${first}${textOf(random, words)}`;
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
  // Completes the facts about each delivery, which are computed on the first read.
  store.page({}, 1);
  store.close();
}

function wordOf(random: Random): string {
  return Array.from({ length: random.whole(2, 10) }, () =>
    letters.charAt(random.whole(0, letters.length)),
  ).join('');
}

/** About 900 letters. */
function textOf(random: Random, words: readonly string[]): string {
  return Array.from({ length: 140 }, () => random.of(words)).join(' ');
}
