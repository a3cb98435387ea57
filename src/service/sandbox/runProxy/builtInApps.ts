import { setTimeout as wait } from 'node:timers/promises';

/** A call as an app sees it. */
interface BuiltInCall {
  method: string;
  /** The part of the path after the app's name, such as `/run`. */
  path: string;
  query: URLSearchParams;
  /** The body as JSON text: as received if it is JSON, else its text as a JSON string; `null` if there is no body. */
  body: string;
  /** Aborted when nobody waits for the response any more. */
  signal: AbortSignal;
}

/** The answer of an app: a result that the proxy puts into an envelope, or a stream that it passes on. */
export type BuiltInAnswer =
  /** `result` is JSON text. */
  | { kind: 'result'; status: number; result: string }
  | { kind: 'stream'; contentType: string; body: AsyncIterable<Uint8Array> };

export type BuiltInApp = (call: BuiltInCall) => BuiltInAnswer | Promise<BuiltInAnswer>;

const longestMs = 10 * 60 * 1000;

/** Answers with the call that it received, with the body unchanged. */
const echo: BuiltInApp = ({ method, path, query, body }) => {
  const call = JSON.stringify({ method, path, query: Object.fromEntries(query) });
  return { kind: 'result', status: 200, result: `${call.slice(0, -1)},"body":${body}}` };
};

/** Answers after `seconds` (1). */
const sleep: BuiltInApp = async (call) => {
  const ms = numberOf(call, 'seconds', 1, 0, longestMs / 1000) * 1000;
  await wait(ms, undefined, { signal: call.signal });
  return { kind: 'result', status: 200, result: JSON.stringify({ sleptMs: ms }) };
};

/** Answers with `status` (500). */
const fail: BuiltInApp = (call) => {
  const status = Math.trunc(numberOf(call, 'status', 500, 400, 599));
  const error = `The app failed with ${status}, as it was asked to.`;
  return { kind: 'result', status, result: JSON.stringify({ error }) };
};

/** Sends `count` (5) events, one every `seconds` (0.2). */
const stream: BuiltInApp = (call) => {
  const count = numberOf(call, 'count', 5, 1, 100_000);
  const ms = numberOf(call, 'seconds', 0.2, 0, 60) * 1000;
  return { kind: 'stream', contentType: 'text/event-stream', body: events(count, ms, call.signal) };
};

async function* events(count: number, ms: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (let number = 1; number <= count; number += 1) {
    if (number > 1) await wait(ms, undefined, { signal });
    yield Buffer.from(`data: ${JSON.stringify({ number, of: count })}\n\n`);
  }
}

/** A number from the body or the query; the default `otherwise` if it is missing or outside the limits. */
function numberOf(call: BuiltInCall, name: string, otherwise: number, least: number, most: number): number {
  const body: unknown = JSON.parse(call.body);
  const given: unknown =
    typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
  const value = Number(given ?? call.query.get(name) ?? otherwise);
  return value >= least && value <= most ? value : otherwise;
}

/** The apps that every sandbox has, by name. */
export const builtInApps: Readonly<Record<string, BuiltInApp>> = { hello: echo, echo, sleep, fail, stream };
