// Compares the latency of runs while webhooks hang with that of a sandbox where none does.
import { Pool } from 'undici';
import { Receiver } from '../support/http/receiver.ts';
import { SandboxProgram } from '../support/service/sandboxProgram.ts';
import { percentile } from './statistics.ts';

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

  async end(): Promise<void> {
    await this.#pool.close();
    await this.#program.stop();
  }
}

/**
 * Measures both.
 * @param hanging how many webhooks hang
 * @param warmUp how many runs of each warm up
 * @param rounds how many runs of each are measured
 */
export async function hangingWebhooks(
  hanging: number,
  warmUp: number,
  rounds: number,
): Promise<{ lines: string[]; withinBudget: boolean }> {
  const prompt = await Receiver.start();
  const endpoint = await Receiver.start();
  endpoint.otherwise = 'hang';
  const idle = new MeasuredSandbox(await SandboxProgram.start());
  const busy = new MeasuredSandbox(await SandboxProgram.start());
  try {
    // Both send the same number of webhooks, so that both programs are equally warm.
    for (let count = 0; count < hanging; count += 1) {
      await idle.run(prompt.url);
      await busy.run(endpoint.url);
    }
    await prompt.count(hanging);
    await endpoint.count(hanging);
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
    if (endpoint.received.length !== hanging) throw new Error('Some webhooks had timed out meanwhile.');
    const of = (part: number): { line: string; ratio: number } => {
      const [none, many] = [percentile(idle.latenciesMs, part), percentile(busy.latenciesMs, part)];
      const ratio = many / none;
      const line = `  p${part * 100}: ${none.toFixed(3)} ms without, ${many.toFixed(3)} ms with, ratio ${ratio.toFixed(2)}`;
      return { line, ratio };
    };
    const middle = of(0.5);
    return {
      lines: [
        `${hanging} webhooks hanging, ${rounds} runs each, in turn; goal: a ratio of the medians of at most ${maxRatio}`,
        middle.line,
        of(0.95).line,
      ],
      withinBudget: middle.ratio <= maxRatio,
    };
  } finally {
    await idle.end();
    await busy.end();
    await endpoint.close();
    await prompt.close();
  }
}
