import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attachProgram } from '../../src/listener/attach/attachProgram.ts';
import { version } from '../../src/commandLine/version.ts';
import { defaultSecret } from '../support/listener/defaultSecret.ts';
import { processSettings } from '../support/listener/listenerProcess.ts';
import { Sender } from '../support/listener/sender.ts';
import { benchSecret } from './load.ts';
import { bundledCommandLine } from './bundledCommandLine.ts';
import { median, spread } from './statistics.ts';
import { ignoringHandlers } from '../support/listener/ignoringHandlers.ts';

const goalMs = 400;

/** Measures the time from a window's request for a listener to the first answered delivery, in a new folder. */
export async function startTime(rounds: number): Promise<string> {
  const attached: number[] = [];
  const answered: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const folder = mkdtempSync(join(process.env['RUNHOOK_BENCH_FOLDER'] ?? tmpdir(), 'runhook-bench-'));
    const started = performance.now();
    const { peer } = await attachProgram({
      entry: bundledCommandLine,
      folder,
      version: version(),
      replaces: false,
      hello: () =>
        Promise.resolve({
          settings: {
            ...processSettings,
            secrets: [defaultSecret(benchSecret)],
            maxBodyBytes: 1 << 20,
            keep: 1000,
            keepAliveSeconds: 0,
          },
          messages: {},
        }),
      handlers: ignoringHandlers,
    });
    const { port } = await peer.call.listen({ port: 0 });
    attached.push(performance.now() - started);
    const sender = new Sender(port, benchSecret);
    if ((await sender.deliver('first', '{}')) !== 200) throw new Error('Not answered with 200.');
    answered.push(performance.now() - started);
    sender.close();
    await peer.call.stop();
    await peer.closed;
    rmSync(folder, { recursive: true, force: true });
  }
  const formatTimes = (values: readonly number[]): string =>
    `${median(values).toFixed(0)} ms (${spread(values)})`;
  return `from the window's request: listens after ${formatTimes(attached)}, answers after ${formatTimes(answered)}, goal ${goalMs} ms`;
}
