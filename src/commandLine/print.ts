import { setTimeout as pause } from 'node:timers/promises';
import { endSignals } from '../listener/program/processGroup.ts';
import { styleText } from 'node:util';
import { LineWriter, notShownText } from '../shared/text/lineWriter.ts';
import { oneLine } from '../shared/text/plainText.ts';

/** How long an interrupted program waits for its last lines to be read, in milliseconds. */
const lastLinesMs = 1000;

/** Whether the output is lines of JSON. */
let isJson = false;

const output = new LineWriter(process.stdout, (lines) =>
  isJson ? JSON.stringify({ notShown: { lines } }) : notShownText(lines),
);
const errors = new LineWriter(process.stderr, notShownText);

/** Prints without waiting for whoever reads it, so that the program does its work and can be ended. */
export function printWithoutWaiting(): void {
  for (const writer of [output, errors]) writer.goOn();
}

/** The same for a program that runs without end: beyond a limit, lines that nobody reads are left out. */
export function printWhatIsRead(): void {
  printWithoutWaiting();
  for (const writer of [output, errors]) writer.leaveOut();
}

/**
 * Prints a line for a person. Untrusted text in it can neither break the line nor control the terminal.
 * @param color in a terminal alone, and not where `NO_COLOR` is set
 */
export function printLine(line: string, color?: 'green' | 'red'): void {
  const text = oneLine(line);
  output.line(
    color === undefined ? text : styleText(color, text, { stream: process.stdout, validateStream: true }),
  );
}

/** Prints a value as a line of JSON for a program, with control characters that a terminal obeys escaped. */
export function printJson(value: unknown): void {
  isJson = true;
  // guard S125: No control character of a delivery reaches the terminal.
  const text = JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  output.line(text);
}

/** Prints a text of several lines that is fit for a terminal. */
export function printText(text: string): void {
  output.line(text.replace(/\n$/, ''));
}

export function printSetAside(path: string): void {
  printError(`The file of deliveries was corrupt; it is kept as ${path}.`);
}

/** Prints a sentence to stderr, apart from the regular output. */
export function printError(sentence: string): void {
  printNote(`runhook: ${oneLine(sentence)}`);
}

/** Prints a line to stderr as it is. */
export function printNote(line: string): void {
  errors.line(line);
}

/** Waits while too much of the output waits to be read. @returns false if nobody reads it any more */
export async function readSoFar(): Promise<boolean> {
  if (output.isFull) await output.written();
  return !process.stdout.destroyed;
}

/** Waits until all is printed; once the program was interrupted, only for a moment. */
export async function allPrinted(): Promise<void> {
  const late = interrupted.then(() => pause(lastLinesMs));
  await Promise.race([Promise.all([output.written(), errors.written()]), late]);
}

/** Aborted once the program is asked to end: see {@link untilInterrupted}. */
export function interruption(): AbortSignal {
  const stop = new AbortController();
  void untilInterrupted().then(() => stop.abort());
  return stop.signal;
}

let interrupt = (): void => undefined;

/** Resolves once the program was asked to end, if it ever waits for that by {@link untilInterrupted}. */
// Not by Promise.withResolvers: a Node that is too old gets as far as to say so.
export const interrupted = new Promise<void>((resolve) => {
  interrupt = resolve;
});

/**
 * Waits until the user or the system asks the program to end, or the reader of the output closes it. A second Ctrl-C
 * ends the process as usual.
 */
export function untilInterrupted(): Promise<unknown> {
  for (const signal of endSignals) process.once(signal, interrupt);
  process.stdout.once('error', interrupt);
  return interrupted;
}
