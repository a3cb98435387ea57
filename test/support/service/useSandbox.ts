import { request } from 'undici';
import type { SandboxAddress } from '../../../src/service/sandbox/sandboxProtocol.ts';
import { Receiver } from '../http/receiver.ts';
import { SandboxProgram } from './sandboxProgram.ts';
import { waitFor } from '../time/waitFor.ts';

/** A request to the sandbox, with its token unless `headers` has another. */
export interface Call {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  /** A text is sent as it is, anything else as JSON. */
  body?: unknown;
}

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The parsed JSON. */
  body: unknown;
}

interface RunOptions {
  method?: string;
  /** The path after the name of the app. */
  path?: string;
  body?: unknown;
  /** The webhookEndpoint. */
  hook?: string;
  secret?: string;
  headers?: Record<string, string>;
}

export const json = { 'content-type': 'application/json' };

/**
 * Starts the sandbox as a program for the tests of this `describe`, with a local app (`mine`), and a webhook receiver for
 * each test. The tests use HTTP only.
 * @param env additional environment variables for the program
 */
export function useSandbox(env: () => Record<string, string> = () => ({})): SandboxUnderTest {
  const used = new SandboxUnderTest();
  before(async () => {
    used.app = await Receiver.start();
    used.program = await SandboxProgram.start(['--app', `mine=${used.app.url}`], env());
  });
  after(async () => {
    await used.program.stop();
    await used.app.close();
  });
  beforeEach(async () => {
    used.receiver = await Receiver.start();
  });
  afterEach(() => used.receiver.close());
  return used;
}

class SandboxUnderTest {
  program!: SandboxProgram;
  /** The user's local app. */
  app!: Receiver;
  /** The endpoint for webhooks. */
  receiver!: Receiver;

  get address(): SandboxAddress {
    return this.program.address;
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

  /** Waits for a line in its log. */
  logged(pattern: RegExp): Promise<string> {
    return waitFor(`a line like ${String(pattern)} in the log`, () =>
      this.program.log.find((line) => pattern.test(line)),
    );
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
