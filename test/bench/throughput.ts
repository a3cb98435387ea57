import { benchSecret, sendContinuously, type Scheme, signedRequests } from './load.ts';
import { type BenchServer, startServer } from './serverProcess.ts';
import { median, spread } from './statistics.ts';

interface Contender {
  name: string;
  server: BenchServer;
  scheme: Scheme;
  answered: number;
}

const connectionCounts = [1, 16, 128];
/** The minimum ratio to express + standardwebhooks with bodies of 1 KB, by the number of connections. */
const minRatioToExpress: Readonly<Record<number, number>> = { 16: 1, 128: 1.6 };

/**
 * Measures the answers per second of the listener and of express with standardwebhooks, relative to a bare server. The
 * servers are measured in turns with the same sender. Each finishes its work before the next one's turn.
 */
export async function throughput(bodyBytes: number, rounds: number, durationMs: number): Promise<string[]> {
  // More than the listener answers in a turn, because it would treat a second use of a request as a repeat.
  const count = Math.ceil((durationMs / 1000) * (bodyBytes > 10_000 ? 6000 : 50_000));
  // Standard Webhooks takes the secret in base64.
  const key = Buffer.from(benchSecret).toString('base64');
  const contenders: Contender[] = [
    { name: 'bare', server: await startServer('bare'), scheme: 'service', answered: 0 },
    { name: 'listener', server: await startServer('listener'), scheme: 'service', answered: 0 },
    { name: 'express', server: await startServer('express', [key]), scheme: 'standard', answered: 0 },
  ];
  const measure = async (contender: Contender, connections: number, ms: number): Promise<number> => {
    const { server, scheme } = contender;
    const requests = signedRequests(count, bodyBytes, scheme);
    const { answers, perSecond } = await sendContinuously(server.port, requests, connections, ms);
    contender.answered += answers;
    await server.settle(contender.answered);
    return perSecond;
  };
  const lines: string[] = [];
  try {
    for (const contender of contenders) await measure(contender, 16, durationMs);
    for (const connections of connectionCounts) {
      const rates: Record<string, number[]> = { bare: [], listener: [], express: [] };
      for (let round = 0; round < rounds; round += 1) {
        for (const contender of contenders)
          rates[contender.name]?.push(await measure(contender, connections, durationMs));
      }
      lines.push(formatLine(bodyBytes, connections, rates));
    }
    for (const { name, server, answered } of contenders) {
      if (name === 'listener') lines.push(`${answered} answered, ${await server.kept()} kept`);
    }
  } finally {
    for (const { server } of contenders) await server.end();
  }
  return lines;
}

function formatLine(
  bodyBytes: number,
  connections: number,
  rates: Readonly<Record<string, number[]>>,
): string {
  const { bare = [], listener = [], express = [] } = rates;
  const partsOf = (these: readonly number[]): number[] =>
    these.map((rate, round) => rate / (bare[round] ?? NaN));
  const ofExpress = listener.map((rate, round) => rate / (express[round] ?? NaN));
  const shown = (values: readonly number[]): string => `${median(values).toFixed(2)} (${spread(values)})`;
  const goal = bodyBytes === 1024 ? minRatioToExpress[connections] : undefined;
  const goalBeside = goal === undefined ? '' : `, goal ${goal.toFixed(1)}`;
  return (
    `${bodyBytes / 1024} KB, ${String(connections).padStart(3)} connections: ` +
    `listener ${shown(partsOf(listener))} of bare; express + standardwebhooks ${shown(partsOf(express))}; ` +
    `the listener is ${shown(ofExpress)} times express${goalBeside}; bare ${Math.round(median(bare))}/s`
  );
}
