import fc from 'fast-check';
import { mutated } from './mutated.ts';
import type { Target } from './target.ts';

/** An input that takes longer than this is a hang. */
const longestMs = 2000;

export interface Finding {
  target: string;
  input: Buffer;
  error: unknown;
}

export interface FuzzLimits {
  seed: number;
  inputs: number;
  durationMs?: number;
}

/**
 * Gives a target mutated inputs until one is found that it does not stand, or a limit is reached. Without a limit of
 * time a smaller input of the same kind is looked for then.
 */
export async function fuzz(
  target: Target,
  { seed, inputs, durationMs }: FuzzLimits,
): Promise<{ count: number; finding?: Finding }> {
  let failure: Finding | undefined;
  const { numRuns } = await fc.check(
    fc.asyncProperty(mutated(target.seeds, target.words), async (input) => {
      const error = await failureOf(target, input);
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

/** Why the target does not stand the input; undefined where it does. */
export async function failureOf(target: Target, input: Buffer): Promise<unknown> {
  const started = performance.now();
  try {
    await target.read(input);
  } catch (error) {
    return error ?? new Error('It threw nothing.');
  }
  const took = performance.now() - started;
  return took > longestMs ? new Error(`It took ${Math.round(took)} ms.`) : undefined;
}
