// `npm run bench:sandbox` compares the latency of runs while 1,000 webhooks hang with that of a sandbox where none does.
// It prints both and their ratio, and fails if the ratio exceeds 1.5.
import { Pool } from 'undici';
import { Receiver } from '../support/http/receiver.ts';
import { SandboxProgram } from '../support/service/sandboxProgram.ts';

const hangingCount = 1000;
const warmUp = 100;
const rounds = 500;
const maxRatio = 1.5;

class MeasuredSandbox {
  readonly latenciesMs: number[] = [];
  readonly #program: SandboxProgram;
  readonly #pool: Pool;

  constructor(program: SandboxProgram) {
    this.#program = program;
    this.#pool = new Pool(program.address.proxyUrl, { connections: 1 });
  }

  async run(endpoint?: string): Promise<void> {
    const { projectId, token } = this.#program.address;
    const query = endpoint === undefined ? '' : `?webhookEndpoint=${encodeURIComponent(endpoint)}`;
    const startedAt = performance.now();
    const answer = await this.#pool.request({
      method: 'POST',
      path: `/v4/${projectId}/echo/run${query}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"prompt":"hi"}',
    });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`A run was answered ${answer.statusCode}.`);
    this.latenciesMs.push(performance.now() - startedAt);
  }

  percentile(percent: number): number {
    const sorted = this.latenciesMs.toSorted((one, other) => one - other);
    return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? NaN;
  }

  async end(): Promise<void> {
    await this.#pool.close();
    await this.#program.stop();
  }
}

const prompt = await Receiver.start();
const endpoint = await Receiver.start();
endpoint.otherwise = 'hang';
const idle = new MeasuredSandbox(await SandboxProgram.start());
const busy = new MeasuredSandbox(await SandboxProgram.start());
try {
  // Both send the same number of webhooks, so that both programs are equally warm.
  for (let count = 0; count < hangingCount; count += 1) {
    await idle.run(prompt.url);
    await busy.run(endpoint.url);
  }
  await prompt.count(hangingCount);
  await endpoint.count(hangingCount);
  for (let count = 0; count < warmUp; count += 1) {
    await idle.run();
    await busy.run();
  }
  idle.latenciesMs.length = 0;
  busy.latenciesMs.length = 0;
  for (let round = 0; round < rounds; round += 1) {
    await idle.run();
    await busy.run();
  }
  if (endpoint.received.length !== hangingCount) throw new Error('Some webhooks had timed out meanwhile.');
  const rows = [50, 95].map((percent) => {
    const [none, many] = [idle.percentile(percent), busy.percentile(percent)];
    return { percentile: percent, noneMs: none, hangingMs: many, ratio: many / none };
  });
  console.log(`${hangingCount} webhooks hanging, ${rounds} runs each, in turn:`);
  for (const { percentile, noneMs, hangingMs, ratio } of rows) {
    console.log(
      `  p${percentile}: ${noneMs.toFixed(3)} ms without, ${hangingMs.toFixed(3)} ms with, ratio ${ratio.toFixed(2)}`,
    );
  }
  if ((rows[0]?.ratio ?? NaN) > maxRatio) {
    console.error(`The ratio of the medians is above ${maxRatio}.`);
    process.exitCode = 1;
  }
} finally {
  await idle.end();
  await busy.end();
  await endpoint.close();
  await prompt.close();
}
