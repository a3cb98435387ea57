import { Random } from '../support/random.ts';
import { mutate } from './mutate.ts';
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
  durationMs: number;
}

/** Gives a target mutated inputs until one is found that it does not stand, or a limit is reached. */
export async function fuzz(
  target: Target,
  { seed, inputs, durationMs }: FuzzLimits,
): Promise<{ count: number; finding?: Finding }> {
  const random = new Random(seed);
  const until = performance.now() + durationMs;
  let count = 0;
  while (count < inputs && performance.now() < until) {
    const input = mutate(target.seeds, target.words, random);
    const error = await failureOf(target, input);
    count += 1;
    if (error !== undefined) return { count, finding: { target: target.name, input, error } };
  }
  return { count };
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
