import type { SecretMask } from '../masking/secretMask.ts';

/** A longer text is of no use to a model, and would crowd out the rest of its context. */
const longest = 4000;
const longestAnswer = 100_000;

/** What is longer may have been cut off where it comes from, and end with the beginning of a secret. */
const mayBeCut = 100;

/**
 * What a tool answers, as JSON text without any value of the mask. Long strings are cut, and a long answer at its
 * end; both say so.
 */
export function toolText(value: unknown, mask: SecretMask): string {
  const most = longest + mask.margin;
  // What is cut here is masked with what follows it.
  const short = mapTexts(value ?? null, (text) => text.slice(0, most));
  const safe = mapTexts(mask.json(short), (text) =>
    cut(text.length > mayBeCut ? mask.start(text) : text, longest),
  );
  return cut(JSON.stringify(safe, undefined, 2), longestAnswer);
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  const text = JSON.stringify(value, (_, one: unknown) => (typeof one === 'string' ? map(one) : one));
  return JSON.parse(text) as unknown;
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}… (cut here, after ${most} characters)` : text;
}
