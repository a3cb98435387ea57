import { setTimeout as pause } from 'node:timers/promises';
import { saturate, signedRequests } from './load.ts';
import { startServer } from './serverProcess.ts';

const goalMb = 90;
const goalGrowthMb = 10;
/** How long the program is left alone before it is looked at, in milliseconds. */
const quietMs = 3000;

/** What memory the program takes: idle, and after many deliveries of 1 KB, all of which are kept. Linux alone. */
export async function memory(deliveries: number): Promise<string> {
  const server = await startServer('listener');
  try {
    await pause(quietMs);
    const idle = await server.memory();
    let answers = 0;
    // Signed in parts: a signature holds for some minutes.
    while (answers < deliveries) {
      const part = Math.min(20_000, deliveries - answers);
      const sent = await saturate(server.port, signedRequests(part, 1024), 64, 120_000, part);
      answers += sent.answers;
      await server.settle(answers);
    }
    await pause(quietMs);
    const after = await server.memory();
    return (
      `the program: idle ${idle.now.toFixed(1)} MB, goal ${goalMb}; after ${answers} deliveries, of which ` +
      `${await server.kept()} are kept, ${after.now.toFixed(1)} MB (${(after.now - idle.now).toFixed(1)} more, goal ` +
      `${goalGrowthMb}); at most ${after.most.toFixed(1)} MB`
    );
  } finally {
    await server.end();
  }
}
