import { oneLine } from '../model/text/oneLine.ts';

/** Prints a line for a person. Untrusted text in it can neither break the line nor control the terminal. */
export function printLine(line: string): void {
  process.stdout.write(`${oneLine(line)}\n`);
}

/** Prints a value as a line of JSON for a program, with control characters that a terminal obeys escaped. */
export function printJson(value: unknown): void {
  // guard: no control character of a delivery reaches the terminal
  const text = JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  process.stdout.write(`${text}\n`);
}

export function printSetAside(path: string): void {
  printError(`The file of the deliveries was broken, and is kept as ${path}.`);
}

/** Prints a sentence to stderr, apart from the regular output. */
export function printError(sentence: string): void {
  process.stderr.write(`runhook: ${oneLine(sentence)}\n`);
}
