import type { ServerResponse } from 'node:http';

/** An error response to a call. The interface document shows no error body: `message` is the sandbox's own. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly details: object;

  /** @param details additional properties of the error body */
  constructor(status: number, message: string, headers: Record<string, string> = {}, details: object = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
    this.details = details;
  }
}

/** A 401 whose header names the authentication scheme. */
export function unauthorized(message: string): Refusal {
  return new Refusal(401, message, { 'WWW-Authenticate': 'Bearer' });
}

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': bytes.byteLength,
    ...headers,
  });
  response.end(bytes);
}

export function sendRefusal(response: ServerResponse, refusal: Refusal): void {
  sendJson(response, refusal.status, { message: refusal.message, ...refusal.details }, refusal.headers);
}
