import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Writable } from 'node:stream';
import type { Verdict } from '../../model/deliveries/delivery.ts';

/** Answers with the status, and a text body that gives the reason. */
export function answer(response: ServerResponse, status: number, why = ''): void {
  if (response.destroyed) return;
  const type = why === '' ? [] : ['Content-Type', 'text/plain; charset=utf-8'];
  const allow = status === 405 ? ['Allow', 'POST'] : [];
  response.writeHead(status, [...type, ...allow, 'Content-Length', String(Buffer.byteLength(why))]);
  response.end(why);
}

/** Answers a delivery that is kept. @param status what the user has ordered may be no answer at all */
export function respond(
  request: IncomingMessage,
  response: ServerResponse,
  status: number | 'hang' | 'drop',
  verdict: Verdict,
): void {
  if (status === 'drop') request.socket.destroy();
  if (typeof status === 'number') answer(response, status, status < 300 ? '' : verdict);
}

/** Answers on a connection that no request can be read from any longer. */
export function answerLast(socket: Writable, status: number): void {
  const allow = status === 405 ? 'Allow: POST\r\n' : '';
  socket.write(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${allow}Content-Length: 0\r\nConnection: close\r\n\r\n`,
  );
}
