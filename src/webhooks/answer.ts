import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long a sender whose body is too large may go on sending, so that it gets to read its answer. */
const drainMs = 2000;

/** Answers with the status, and with a word that says why. */
export function answer(response: ServerResponse, status: number, why = ''): void {
  if (response.destroyed) return;
  const type = why === '' ? [] : ['Content-Type', 'text/plain; charset=utf-8'];
  const allow = status === 405 ? ['Allow', 'POST'] : [];
  response.writeHead(status, [...type, ...allow, 'Content-Length', String(Buffer.byteLength(why))]);
  response.end(why);
}

/** Answers without having read the body, and does not read an endless one. */
export function answerUnread(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  why: string,
): void {
  answer(response, status, why);
  if (request.complete) return;
  const { socket } = request;
  const cut = setTimeout(() => socket.destroy(), drainMs);
  request.once('close', () => clearTimeout(cut));
  request.resume();
}
