import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { endToEndHeaders } from '../../model/service/endToEndHeaders.ts';
import { UpstreamError, localRequest } from './localApp.ts';
import type { Refusal } from '../refusal.ts';

/**
 * Passes a websocket connection on to the user's own app, then relays bytes both ways. Such a connection is never
 * forwarded to a webhook (service-interface.md, section 4.3).
 * @throws UpstreamError
 */
export function passUpgrade(
  url: URL,
  request: IncomingMessage,
  target: string,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = localRequest(url, request, target, { upgrade: true });
    socket.on('close', () => outgoing.destroy());
    outgoing.on('error', (error) => reject(new UpstreamError(url, error)));
    outgoing.on('upgrade', (answer, appSocket, appHead) => {
      socket.write(headOf(answer), 'latin1');
      socket.write(appHead);
      appSocket.write(head);
      relay(socket, appSocket);
      resolve();
    });
    outgoing.on('response', (answer) => {
      // The app declined. Its answer is returned unchanged, and closing the connection ends the body.
      socket.write(headOf(answer, 'Connection: close'), 'latin1');
      answer.on('error', () => socket.destroy()).pipe(socket);
      resolve();
    });
    outgoing.end();
  });
}

/** Writes a refusal to a connection that has no response object. */
export function refuseUpgrade(socket: Duplex, refusal: Refusal): void {
  const body = JSON.stringify({ message: refusal.message });
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body).toString(),
    Connection: 'close',
    ...refusal.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([statusLine(refusal.status), ...lines, '', body].join('\r\n'));
}

function statusLine(status: number, text = STATUS_CODES[status] ?? ''): string {
  return `HTTP/1.1 ${status} ${text}`;
}

/**
 * The head of the app's answer, one character per byte.
 * @param instead a header line for the connection, which replaces the app's hop-by-hop headers
 */
function headOf(answer: IncomingMessage, instead?: string): string {
  const headers = instead === undefined ? answer.rawHeaders : endToEndHeaders(answer.rawHeaders);
  const lines = headers.flatMap((name, index) =>
    index % 2 === 0 ? [`${name}: ${headers[index + 1] ?? ''}`] : [],
  );
  const all = instead === undefined ? lines : [...lines, instead];
  return [statusLine(answer.statusCode ?? 502, answer.statusMessage), ...all, '', ''].join('\r\n');
}

function relay(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  }
}
