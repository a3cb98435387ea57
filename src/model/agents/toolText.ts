import { maskNamed, maskNamedText } from '../masking/namedSecrets.ts';
import type { SecretMask } from '../masking/secretMask.ts';

/** A longer string, in characters, is of no use to a model, and would crowd out the rest of its context. */
const longest = 4000;
const longestAnswer = 100_000;

/** A longer string may have been truncated by its source, and end with the beginning of a secret. */
const mayBeCut = 100;

/**
 * The answer of a tool as JSON text, with every value of the mask masked, and the values of fields that name a secret
 * wherever they stand. Long strings are cut, and a long answer is cut at its end; both say so.
 */
export function toolText(value: unknown, mask: SecretMask): string {
  const most = longest + mask.margin;
  // Longer than the final cut, so that a secret across that cut is masked as a whole.
  const short = mapTexts(value ?? null, (text) => text.slice(0, most));
  // guard S109: No tool returns the value of a field that names a secret.
  const safe = mapTexts(mask.json(maskNamed(short)), (text) =>
    cut(text.length > mayBeCut ? mask.start(text) : text, longest),
  );
  return cut(JSON.stringify(safe, undefined, 2), longestAnswer);
}

/** The message of an error of a tool, masked as its answers are. */
export function toolErrorText(message: string, mask: SecretMask): string {
  return mask.start(maskNamedText(message.slice(0, longest)));
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  const text = JSON.stringify(value, (_, one: unknown) => (typeof one === 'string' ? map(one) : one));
  return JSON.parse(text) as unknown;
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}… (cut here, after ${most} characters)` : text;
}
