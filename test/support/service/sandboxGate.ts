import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as send,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { endToEndHeaders } from '../../../src/shared/http/endToEndHeaders.ts';
import type { SandboxAddress } from '../../../src/service/sandbox/sandboxProtocol.ts';
import type { SandboxServer } from '../../../src/service/sandbox/sandboxServer.ts';
import { startSandboxServer } from './startSandboxServer.ts';

/** A request to the sandbox. */
export interface GateRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** An answer of the sandbox. */
export interface GateAnswer {
  status: number;
  /** Alternating names and values. */
  headers: string[];
  body: string;
}

/** Returns the answer to send; undefined closes the connection without a response. */
type Change = (
  answer: GateAnswer,
  request: GateRequest,
) => GateAnswer | undefined | Promise<GateAnswer | undefined>;

const unchanged: Change = (answer) => answer;

/**
 * A proxy in front of a sandbox. It records the requests, and lets a test change the answers, for example to other shapes
 * that the interface document allows.
 */
export class SandboxGate {
  readonly requests: GateRequest[] = [];
  /** Additional tokens to accept. */
  readonly tokens = new Set<string>();
  /** Changes each answer. */
  change = unchanged;
  #running: { sandbox: SandboxServer; url: string } | undefined;
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  async start(): Promise<SandboxAddress> {
    const sandbox = await startSandboxServer();
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#running = { sandbox, url: `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}` };
    return this.address;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
    await this.sandbox.close();
  }

  get sandbox(): SandboxServer {
    if (this.#running === undefined) throw new Error('The sandbox has not been started.');
    return this.#running.sandbox;
  }

  /** The address of the sandbox, with the URLs of this proxy. */
  get address(): SandboxAddress {
    const url = this.#running?.url ?? '';
    return { ...this.sandbox.address, baseUrl: url, proxyUrl: url };
  }

  /** Forgets the recorded requests and the change, and resets the sandbox. */
  reset(): void {
    this.requests.length = 0;
    this.change = unchanged;
    this.sandbox.state.reset();
  }

  /**
   * Replaces every successful answer from now on.
   * @param body a text is sent as it is, anything else as JSON
   */
  answers(status: number, body: unknown, headers: Record<string, string> = {}): void {
    this.change = (answer) =>
      answer.status >= 300
        ? answer
        : {
            status,
            headers: Object.entries({ 'content-type': 'application/json', ...headers }).flat(),
            body: typeof body === 'string' ? body : JSON.stringify(body),
          };
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = incoming;
    const seen = { method, url, headers, body: await text(incoming) };
    this.requests.push(seen);
    const answer = await this.change(await this.#ask(seen), seen);
    if (answer === undefined) response.destroy();
    else response.writeHead(answer.status, answer.headers).end(answer.body);
  }

  async #ask({ method, url, headers, body }: GateRequest): Promise<GateAnswer> {
    const { baseUrl, token } = this.sandbox.address;
    const known = this.tokens.has(headers.authorization?.replace(/^Bearer /, '') ?? '');
    const onward = send(`${baseUrl}${url}`, {
      method,
      headers: { ...headers, ...(known && { authorization: `Bearer ${token}` }) },
    }).end(body);
    const [answer] = (await once(onward, 'response')) as [IncomingMessage];
    return {
      status: answer.statusCode ?? 0,
      headers: endToEndHeaders(answer.rawHeaders, ['content-length']),
      body: await text(answer),
    };
  }
}
