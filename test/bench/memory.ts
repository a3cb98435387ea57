import { saturate, signedRequests } from './load.ts';
import { startServer } from './serverProcess.ts';

const goalMb = 30;

/** What the host and the thread hold more after many deliveries of 1 KB, of which 1,000 are kept. */
export async function memory(deliveries: number): Promise<string> {
  const server = await startServer('listener');
  const requests = signedRequests(deliveries, 1024);
  try {
    // The first thousands have code compiled and the journal's first files made.
    const warm = await saturate(server.port, requests.slice(0, 3000), 16, 60_000, 3000);
    await server.settle(warm.answers);
    const before = await server.memory();
    const { answers } = await saturate(server.port, requests, 64, 120_000, deliveries);
    await server.settle(warm.answers + answers);
    const after = await server.memory();
    const change = (where: 'host' | 'worker'): string => {
      const [from, to] = [before[where] / 1e6, after[where] / 1e6];
      return `${from.toFixed(1)} → ${to.toFixed(1)} MB (${to < from ? '' : '+'}${(to - from).toFixed(1)})`;
    };
    return `${answers} deliveries: host ${change('host')}, goal +${goalMb} MB at most; thread ${change('worker')}`;
  } finally {
    server.end();
  }
}
