import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { hasNats, NatsServer } from '../support/relay/natsServer.ts';
import { TestChannel } from '../support/relay/relayRig.ts';
import { sendContinuously, signedRequests } from './load.ts';
import { startServer } from './serverProcess.ts';
import { median, spread } from './statistics.ts';

const bytes = 1024;

/**
 * Measures what a relay accepts per second, beside a bare server of node:http, which keeps nothing, and beside publishing
 * to the same engine from a process like the relay. All in turns, with one node and one replica.
 */
export async function relayThroughput(rounds: number, durationMs: number): Promise<string[]> {
  if (!hasNats) return ['0: not measured, since this machine has no nats-server'];
  const nats = await NatsServer.start();
  const relay = fork(fileURLToPath(new URL('relayServer.ts', import.meta.url)), [nats.url]);
  const bare = await startServer('bare');
  try {
    const { port } = await answerOf<{ port: number }>(relay);
    const channel = await TestChannel.open(`http://127.0.0.1:${port}`);
    const path = new URL(channel.address).pathname;
    const name = path.split('/')[2] ?? '';
    const requests = signedRequests(Math.ceil(durationMs * 20), bytes).map((request) =>
      Buffer.concat([Buffer.from(`POST ${path} `), request.subarray('POST / '.length)]),
    );
    const lines: string[] = [];
    for (const connections of [1, 16, 128]) {
      const own: number[] = [];
      const toBare: number[] = [];
      const toPublishing: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const taken = await sendContinuously(port, requests, connections, durationMs, requests.length);
        const answered = await sendContinuously(bare.port, requests, connections, durationMs);
        relay.send({ channel: name, bytes, concurrency: connections, durationMs });
        const published = await answerOf<{ perSecond: number }>(relay);
        own.push(taken.perSecond);
        toBare.push(taken.perSecond / answered.perSecond);
        toPublishing.push(taken.perSecond / published.perSecond);
        // What waits would be more from round to round; repeats would be kept once.
        await channel.call('DELETE', '/v1/channel');
        await channel.open();
      }
      lines.push(
        `${connections} connections: ${Math.round(median(own))} accepted per second, ` +
          `${spread(toBare)} times a bare node:http, ${spread(toPublishing)} times publishing from one process`,
      );
    }
    return lines;
  } finally {
    relay.kill();
    await bare.end();
    await nats.remove();
  }
}

async function answerOf<T>(child: ChildProcess): Promise<T> {
  const [answer] = (await once(child, 'message')) as [T];
  return answer;
}
