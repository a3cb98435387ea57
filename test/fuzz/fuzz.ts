import fc from 'fast-check';
import { mutatedInputs } from './mutatedInputs.ts';
import type { Target } from './target.ts';

/** An input that takes longer counts as a hang. */
const hangAfterMs = 2000;

interface Finding {
  target: string;
  input: Buffer;
  error: unknown;
}

interface FuzzLimits {
  seed: number;
  inputs: number;
  durationMs?: number;
}

/**
 * Runs a target with mutated inputs until one fails or a limit is reached. Without a time limit, the failing input is
 * then shrunk.
 */
export async function fuzz(
  target: Target,
  { seed, inputs, durationMs }: FuzzLimits,
): Promise<{ count: number; finding?: Finding }> {
  let failure: Finding | undefined;
  const { numRuns } = await fc.check(
    fc.asyncProperty(mutatedInputs(target.seeds, target.tokens), async (input) => {
      const error = await runInput(target, input);
      if (error !== undefined) failure = { target: target.name, input, error };
      return error === undefined;
    }),
    {
      seed,
      numRuns: inputs,
      ...(durationMs !== undefined && {
        plugins: [fc.interruptAfterTimeLimit(durationMs)],
        endOnFailure: true,
      }),
    },
  );
  return failure === undefined ? { count: numRuns } : { count: numRuns, finding: failure };
}

/** Runs one input. @returns the error, or undefined if the target handles the input */
export async function runInput(target: Target, input: Buffer): Promise<unknown> {
  const started = performance.now();
  try {
    await target.check(input);
  } catch (error) {
    return error ?? new Error('It threw nothing.');
  }
  const took = performance.now() - started;
  return took > hangAfterMs ? new Error(`It took ${Math.round(took)} ms.`) : undefined;
}
