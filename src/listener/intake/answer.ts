import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Writable } from 'node:stream';

/** Answers with the status, and a text body that gives the reason. */
export function answer(response: ServerResponse, status: number, why = ''): void {
  if (response.destroyed) return;
  const type = why === '' ? [] : ['Content-Type', 'text/plain; charset=utf-8'];
  const allow = status === 405 ? ['Allow', 'POST'] : [];
  response.writeHead(status, [...type, ...allow, 'Content-Length', String(Buffer.byteLength(why))]);
  response.end(why);
}

/** Answers input that is not a valid request. @param code the error code of Node's parser */
export function answerBroken(socket: Writable, code: string | undefined): void {
  const status = brokenStatuses[code ?? ''] ?? 400;
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\n\r\n`);
}

const brokenStatuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};
