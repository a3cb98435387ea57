import { request } from 'undici';
import type { SandboxAddress } from '../../src/model/sandboxProtocol.ts';
import { Receiver } from './receiver.ts';
import { SandboxProgram } from './sandboxProgram.ts';

/** A call to the sandbox, with its token unless the headers say otherwise. */
export interface Call {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  /** Text as it is, all else as JSON. */
  body?: unknown;
}

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** What the JSON of the answer says. */
  body: unknown;
}

export interface RunOptions {
  method?: string;
  /** What follows the name of the app. */
  path?: string;
  body?: unknown;
  /** The webhookEndpoint. */
  hook?: string;
  secret?: string;
  headers?: Record<string, string>;
}

export const json = { 'content-type': 'application/json' };

/** The sandbox as a program of its own, for the tests of one `describe`, and an endpoint for each test. */
export function useSandbox(...args: string[]): UsedSandbox {
  const used = new UsedSandbox();
  before(async () => {
    used.program = await SandboxProgram.start(...args);
  });
  after(() => used.program?.stop());
  beforeEach(async () => {
    used.receiver = await Receiver.start();
  });
  afterEach(() => used.receiver.close());
  return used;
}

export class UsedSandbox {
  program: SandboxProgram | undefined;
  #receiver: Receiver | undefined;

  get address(): SandboxAddress {
    if (this.program === undefined) throw new Error('The sandbox has not been started.');
    return this.program.address;
  }

  get receiver(): Receiver {
    if (this.#receiver === undefined) throw new Error('The endpoint has not been started.');
    return this.#receiver;
  }

  set receiver(receiver: Receiver) {
    this.#receiver = receiver;
  }

  get keysPath(): string {
    return `/v2/${this.address.projectId}/service-accounts/${this.address.serviceAccountId}/keys`;
  }

  appPath(id = this.address.apps[0]!.id): string {
    return `/v2/projects/${this.address.projectId}/apps/${id}`;
  }

  async call({ method = 'GET', path, headers = {}, body }: Call): Promise<Answer> {
    const answer = await request(`${this.address.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.address.token}`, ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, headers: answer.headers, body: text === '' ? '' : JSON.parse(text) };
  }

  modify(settings: unknown): Promise<Answer> {
    return this.call({ method: 'PATCH', path: this.appPath(), headers: json, body: settings });
  }

  run(
    app: string,
    { method = 'POST', path = 'run', body, hook, secret, headers }: RunOptions = {},
  ): Promise<Answer> {
    const query = hook === undefined ? '' : `?webhookEndpoint=${encodeURIComponent(hook)}`;
    return this.call({
      method,
      path: `/v4/${this.address.projectId}/${app}/${path}${query}`,
      headers: { ...json, ...(secret !== undefined && { 'x-webhook-secret': secret }), ...headers },
      ...(body !== undefined && { body }),
    });
  }
}
