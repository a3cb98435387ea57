import { stripVTControlCharacters } from 'node:util';
import { isJsonObject } from '../../shared/json/jsonObject.ts';

/** A place that a trace names. */
export interface Frame {
  /** As the trace has it: a path, or the address of a file. */
  file: string;
  /** From 1. */
  line: number;
  /** From 1; absent where the runtime does not tell it. */
  column?: number;
}

/** One error with its stack, in a text that a program has written. */
export interface Trace {
  /** The first line of the error: `TypeError: result is undefined`. */
  message: string;
  /** Where it was thrown comes first, then the callers, then the same of its causes. */
  frames: readonly Frame[];
  /** Where it begins in the text. */
  offset: number;
}

/** How much of a text is read: it comes from programs that nobody vouches for. */
const most = { characters: 256 * 1024, lineLength: 2000, traces: 50, frames: 100 };
/** How many lines the message of an error has at most, and its values and causes after its stack. */
const [messageLines, valueLines] = [20, 300];

interface Line {
  text: string;
  offset: number;
}

/** What was read, and the number of the line after it. */
interface Read {
  traces: Trace[];
  end: number;
}

/** The errors in what a program of Node or Python has written, in the order in which they stand there. */
export function tracesIn(text: string): Trace[] {
  const lines = linesOf(text);
  const traces: Trace[] = [];
  let end = 0;
  for (let at = 0; at < lines.length && traces.length < most.traces; at = Math.max(at + 1, end)) {
    const read = nodeTrace(lines, at, end) ?? pythonTrace(lines, at) ?? loggedTraces(lines, at);
    if (read === undefined) continue;
    traces.push(...read.traces);
    ({ end } = read);
  }
  return traces;
}

/** `web-1  | ` of Docker Compose, `[0] ` of concurrently. */
const programName = /^(?:\[[^\]\s]{1,40}\] |[\w.:-]{1,40} +\| ?)/;

/** The lines at the end of a text, as they look in a terminal, without the name of one of several programs. */
function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let offset = Math.max(0, text.length - most.characters);
  for (const line of text.slice(offset).split('\n')) {
    // A long line is no frame, but one of JSON may hold a whole stack.
    const isRead = line.length <= most.lineLength || line.startsWith('{');
    const plain = isRead ? stripVTControlCharacters(line).replace(/\r+$/, '') : '';
    lines.push({ text: plain.replace(programName, ''), offset });
    offset += line.length + 1;
  }
  return lines;
}

/** `    at handle (/app/handler.js:42:11)`, `    at async file:///app/handler.mjs:42:11 {` */
const nodeFrame = /^\s*at (?:.*? \((.+?):(\d+):(\d+)\)|(?:async )?(.+?):(\d+):(\d+)),?(?: \{)?$/;
const frameWithoutPlace = /^\s*at .*\((?:<anonymous>|native|index \d+)\),?(?: \{)?$/;
/** What Node leaves out, and where a debugger goes on with what had begun the work: `    --- TickObject ---`. */
const betweenFrames = /^\s*(?:\.\.\. \d+ lines matching|--- .+ ---$)/;
/** Where an error was thrown that ends a program; its line of code and a caret follow. */
const thrownAt = /^((?:file:\/\/|\/|[A-Za-z]:[\\/]).*):(\d+)$/;
const caret = /^\s*\^+\s*$/;

/** @param from the first line that belongs to no other error */
function nodeTrace(lines: readonly Line[], at: number, from: number): Read | undefined {
  if (isFrame(lines[at]?.text)) return nodeStack(lines, at, from, []);
  const [, file, line] = thrownAt.exec(lines[at]?.text ?? '') ?? [];
  const mark = lines.slice(at + 1, at + 4).findIndex(({ text }) => caret.test(text));
  if (file === undefined || mark < 0) return undefined;
  const thrown = { file, line: Number(line) };
  const after = at + 2 + mark;
  const rest = lines.slice(after, after + messageLines).map(({ text }) => text);
  const stack = rest.findIndex(isFrame);
  const last = rest.findIndex((text) => text.startsWith('Node.js v'));
  if (stack >= 0 && (last < 0 || stack < last)) return nodeStack(lines, after + stack, after, [thrown]);
  // Anything can be thrown. What is no error has no stack.
  const message = rest.find((text) => text.trim() !== '' && text !== 'Uncaught:') ?? '';
  return { traces: [{ message, frames: [thrown], offset: lines[at]?.offset ?? 0 }], end: after };
}

function isFrame(text = ''): boolean {
  return text.length <= most.lineLength && (nodeFrame.test(text) || frameWithoutPlace.test(text));
}

function nodeStack(lines: readonly Line[], first: number, from: number, thrown: readonly Frame[]): Read {
  const frames: Frame[] = [];
  let end = first;
  const add = (text: string): void => {
    const [, named, namedLine, namedColumn, file = named, line = namedLine, column = namedColumn] =
      nodeFrame.exec(text) ?? [];
    if (file !== undefined) frames.push({ file, line: Number(line), column: Number(column) });
  };
  for (let text = lines[end]?.text; text !== undefined; text = lines[(end += 1)]?.text) {
    if (!isFrame(text) && !betweenFrames.test(text)) break;
    add(text);
    if (!text.endsWith(' {')) continue;
    // The values of the error follow up to this brace, its causes with their stacks among them.
    const brace = `${' '.repeat(Math.max(0, text.search(/\S/) - 4))}}`;
    const values = lines.slice(end + 1, end + 1 + valueLines).map((line) => line.text);
    const length = values.findIndex((value) => value.startsWith(brace));
    for (const value of values.slice(0, Math.max(0, length))) add(value);
    end += length < 0 ? 1 : length + 2;
    break;
  }
  const head = messageAt(lines, first, Math.max(from, first - messageLines));
  // The file that is being loaded fails by itself; the stack has only who loads it.
  const isLoading = /\(node:internal\/modules\//.test(lines[first]?.text ?? '');
  const all = isLoading ? [...thrown, ...frames] : [...frames, ...thrown];
  const { offset = 0 } = lines[head.at] ?? {};
  return { traces: [{ message: head.message, frames: all.slice(0, most.frames), offset }], end };
}

/** `TypeError: result is undefined`, whatever stands before it. */
const namedError = /(?:^|[^\w$.])((?:[\w$]+\.)*[\w$]*(?:Error|Exception|Rejection)(?: \[\w+\])?(?:: .*|:?$))/;

/** The message of the error whose stack begins at the line `first`; `from` is the first line that it may be in. */
function messageAt(lines: readonly Line[], first: number, from: number): { at: number; message: string } {
  const above = lines[first - 1]?.text.trim() ?? '';
  const isNamed = /^[A-Z][\w$]*(?:: |$)/.test(above) && !namedError.test(above);
  for (let at = first - 1; at >= from && !isNamed; at -= 1) {
    const [, message] = namedError.exec(lines[at]?.text ?? '') ?? [];
    if (message !== undefined) return { at, message };
  }
  return first > from ? { at: first - 1, message: above } : { at: first, message: '' };
}

const pythonHead = /^([\s|+]*)(Exception Group )?Traceback \(most recent call last\):$/;
const pythonFrame = /^[\s|]*File "(.+?)", line (\d+)(?:, in |$)/;
const chained = /^\s*(?:The above exception was the direct cause of|During handling of the above exception)/;

function pythonTrace(lines: readonly Line[], at: number): Read | undefined {
  const start = lines[at];
  const [, margin, group] = pythonHead.exec(start?.text ?? '') ?? [];
  if (start === undefined || margin === undefined) return undefined;
  let end = at + 1;
  // Code and frames are indented, the message is not.
  const isWithin = ({ text }: Line): boolean => /^\s/.test(text.slice(margin.length));
  for (let line = lines[end]; line !== undefined && isWithin(line);) line = lines[(end += 1)];
  const frames = pythonFrames(lines.slice(at + 1, end));
  const message = lines[end]?.text.slice(margin.length) ?? '';
  end += 1;
  if (group !== undefined) {
    // The errors of a group stand below it, each in a frame of its own.
    const until = lines.slice(end, end + valueLines).findIndex(({ text }) => !/^\s*[|+]/.test(text));
    const parts = lines.slice(end, until < 0 ? end + valueLines : end + until);
    frames.push(...pythonFrames(parts));
    end += parts.length;
  }
  const next = lines.slice(end, end + 5).findIndex(({ text }) => chained.test(text));
  const from = next < 0 ? -1 : lines.slice(end, end + 8).findIndex(({ text }) => pythonHead.test(text));
  const later = from < 0 ? undefined : pythonTrace(lines, end + from);
  const [last] = later?.traces ?? [];
  if (later === undefined || last === undefined) {
    return { traces: [{ message, frames, offset: start.offset }], end };
  }
  // The last of a chain was raised to the end; those before it are its causes.
  const all = [...last.frames, ...frames].slice(0, most.frames);
  return { traces: [{ message: last.message, frames: all, offset: start.offset }], end: later.end };
}

/** The frames of lines of Python, the innermost first. */
function pythonFrames(lines: readonly Line[]): Frame[] {
  const frames = lines.flatMap(({ text }) => {
    const [, file, line] = pythonFrame.exec(text) ?? [];
    return file === undefined ? [] : [{ file, line: Number(line) }];
  });
  return frames.reverse().slice(0, most.frames);
}

/** The errors in a line of JSON, as loggers write it. */
function loggedTraces(lines: readonly Line[], at: number): Read | undefined {
  const { text, offset } = lines[at] ?? { text: '', offset: 0 };
  if (!text.startsWith('{') || !mayHaveTrace(text)) return undefined;
  const traces = tracesOfJson(text)?.map((trace) => ({ ...trace, offset }));
  return traces && { traces, end: at + 1 };
}

/** Whether to look closer. In JSON, the ends of lines are written `\n`. */
function mayHaveTrace(text: string): boolean {
  return /(?:\n|\\n|>)\s*at |Traceback \(most recent call last\)/.test(text);
}

/** The errors in the texts of a JSON value; undefined if it is none. */
export function tracesOfJson(text: string): Trace[] | undefined {
  try {
    return textsIn(JSON.parse(text), 6).filter(mayHaveTrace).flatMap(tracesIn).slice(0, most.traces);
  } catch {
    return undefined;
  }
}

/** All texts in a value. Lists of texts are the lines of one. */
function textsIn(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [value];
  if (depth === 0) return [];
  if (Array.isArray(value)) {
    const isText = value.length > 0 && value.every((one) => typeof one === 'string');
    return isText ? [value.join('\n')] : value.flatMap((one: unknown) => textsIn(one, depth - 1));
  }
  return isJsonObject(value) ? Object.values(value).flatMap((one) => textsIn(one, depth - 1)) : [];
}
