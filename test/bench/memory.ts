import { setTimeout as pause } from 'node:timers/promises';
import { sendContinuously, signedRequests } from './load.ts';
import { startServer } from './serverProcess.ts';

const goalMb = 90;
const goalGrowthMb = 10;
/**
 * Measures the memory of the listener program: idle, and after many kept deliveries of 1 KB. Linux only.
 * @param idleMs the idle time before each measurement
 */
export async function programMemory(deliveries: number, idleMs: number): Promise<string> {
  const server = await startServer('listener');
  try {
    await pause(idleMs);
    const idle = await server.memory();
    let answers = 0;
    // Signed in parts, because a signature expires after some minutes.
    while (answers < deliveries) {
      const part = Math.min(20_000, deliveries - answers);
      const sent = await sendContinuously(server.port, signedRequests(part, 1024), 64, 120_000, part);
      answers += sent.answers;
      await server.settle(answers);
    }
    await pause(idleMs);
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
