import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchSecret, sendContinuously, type Scheme, signedRequests } from './load.ts';
import { type BenchServer, startServer } from './serverProcess.ts';
import { median, spread } from './statistics.ts';

interface Contender {
  server: BenchServer;
  scheme: Scheme;
  answered: number;
}

const others = ['plain', 'expressStore', 'express'] as const;

/** The others, in words. */
const names: Readonly<Record<(typeof others)[number], string>> = {
  plain: 'the plainest program that keeps as much',
  expressStore: 'express, standardwebhooks and an INSERT',
  express: 'express and standardwebhooks, which keep nothing',
};

/** The least ratio to each of the others with bodies of 1 KB, by the number of connections. */
const goals: Readonly<Record<number, Partial<Record<(typeof others)[number], number>>>> = {
  1: { plain: 0.8, expressStore: 1 },
  16: { plain: 0.8, expressStore: 3 },
  128: { plain: 0.7, expressStore: 4 },
};

/**
 * Measures the answers per second of the listener with a window attached, beside others that receive webhooks. The
 * servers are measured in turns with the same sender. Each finishes its work before the next one's turn.
 */
export async function throughput(bodyBytes: number, rounds: number, durationMs: number): Promise<string[]> {
  // More than any answers in a turn, because the listener would treat a second use of a request as a repeat.
  const count = Math.ceil((durationMs / 1000) * (bodyBytes > 10_000 ? 6000 : 50_000));
  // Standard Webhooks takes the secret in base64.
  const key = Buffer.from(benchSecret).toString('base64');
  const folder = mkdtempSync(join(tmpdir(), 'runhook-bench-'));
  const contenders = {
    listener: { server: await startServer('listener'), scheme: 'service', answered: 0 },
    plain: { server: await startServer('plain', [benchSecret, folder]), scheme: 'service', answered: 0 },
    expressStore: { server: await startServer('express', [key, folder]), scheme: 'standard', answered: 0 },
    express: { server: await startServer('express', [key]), scheme: 'standard', answered: 0 },
  } satisfies Record<string, Contender>;
  const measure = async (contender: Contender, connections: number): Promise<number> => {
    const { server, scheme } = contender;
    const requests = signedRequests(count, bodyBytes, scheme);
    const { answers, perSecond } = await sendContinuously(server.port, requests, connections, durationMs);
    contender.answered += answers;
    await server.settle(contender.answered);
    return perSecond;
  };
  const lines: string[] = [];
  try {
    for (const contender of Object.values(contenders)) await measure(contender, 16);
    for (const connections of [1, 16, 128]) {
      const ratios = { plain: [] as number[], expressStore: [] as number[], express: [] as number[] };
      const own: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const rate = await measure(contenders.listener, connections);
        own.push(rate);
        for (const other of others)
          ratios[other].push(rate / (await measure(contenders[other], connections)));
      }
      lines.push(
        `${bodyBytes / 1024} KB, ${connections} connections: ${Math.round(median(own))} a second, times`,
      );
      for (const other of others) {
        const goal = bodyBytes === 1024 ? goals[connections]?.[other] : undefined;
        const beside = goal === undefined ? '' : `, goal ${goal}`;
        lines.push(
          `  ${names[other]}: ${median(ratios[other]).toFixed(2)} (${spread(ratios[other])}${beside})`,
        );
      }
    }
    const { server, answered } = contenders.listener;
    lines.push(`${answered} answered, ${await server.kept()} kept`);
  } finally {
    for (const { server } of Object.values(contenders)) await server.end();
    rmSync(folder, { recursive: true, force: true });
  }
  return lines;
}
