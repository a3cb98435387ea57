import { connect } from 'node:net';
import type { ListenerRig } from './listenerRig.ts';

/** A request as its bytes. @param extra headers, before those that say how long the body is */
export function requestBytes(
  headers: Readonly<Record<string, string>>,
  body: Uint8Array | string,
  { method = 'POST', isChunked = false } = {},
): Buffer {
  const bytes = Buffer.from(body);
  const framing = isChunked ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': String(bytes.length) };
  const lines = Object.entries({ Host: 'x', ...headers, ...framing }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const head = Buffer.from(`${method} / HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
  if (!isChunked) return Buffer.concat([head, bytes]);
  const size = Buffer.from(`${bytes.length.toString(16)}\r\n`);
  return Buffer.concat([
    head,
    ...(bytes.length > 0 ? [size, bytes, Buffer.from('\r\n')] : []),
    Buffer.from('0\r\n\r\n'),
  ]);
}

export interface Sending {
  /** Whether the sender reads nothing before it has written all. */
  readsLast?: boolean;
  /** Whether it closes its side once it has written all; else once the answer to the first request is here. */
  endsAtOnce?: boolean;
}

/** Writes the parts on a connection, one in a turn, and reads until the listener closes it. */
export async function converse(
  port: number,
  parts: readonly Uint8Array[],
  { readsLast = false, endsAtOnce = false }: Sending = {},
): Promise<{ statuses: number[]; error?: string }> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let [text, error] = ['', undefined as string | undefined];
  let isWritten = false;
  const statuses = (): number[] =>
    [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  const endIfDone = (): void => {
    if (isWritten && (endsAtOnce || statuses().some((status) => status !== 100))) socket.end();
  };
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
    endIfDone();
  });
  socket.on('end', () => socket.end()).on('error', ({ message }) => (error = message));
  if (readsLast) socket.pause();
  for (const part of parts) {
    if (socket.destroyed) break;
    if (!socket.write(part))
      await new Promise<void>((done) => socket.once('drain', done).once('close', done));
    await new Promise(setImmediate);
  }
  isWritten = true;
  endIfDone();
  socket.resume();
  await closed;
  return { statuses: statuses(), ...(error !== undefined && { error }) };
}

/** Cuts bytes at some of their places. @param at parts of their length, from 0 to 1 */
export function cutAt(bytes: Buffer, at: readonly number[]): Buffer[] {
  const places = at.map((part) => Math.floor(part * bytes.length)).sort((one, other) => one - other);
  return [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));
}

/**
 * What is wrong where the wire says another thing than the list; undefined if nothing is. The request ids are `r-` and
 * a number that grows.
 */
export function differs(rig: ListenerRig, statuses: readonly number[]): string | undefined {
  const kept = rig.arrived.splice(0).map((id) => rig.store.get(id));
  const places = kept.map(({ requestId }) => Number(requestId?.slice('r-'.length)));
  // What was refused by its head is answered in its turn, and not kept.
  const answered = statuses.filter((status) => [200, 204, 401].includes(status));
  const listed = kept.map((delivery, index) => ({ place: places[index] ?? 0, status: delivery.answered }));
  if (places.some(Number.isNaN)) {
    // Junk has taken the head of one, whose place is not known.
    answered.sort();
    listed.sort((one, other) => one.status - other.status);
  } else {
    // A large body is kept later than a small one behind it. The answers have the order of the requests.
    listed.sort((one, other) => one.place - other.place);
  }
  const listedStatuses = listed.map(({ status }) => status).join();
  if (listedStatuses === answered.join()) return undefined;
  return `kept as answered ${listedStatuses}, on the wire ${statuses.join()}`;
}
