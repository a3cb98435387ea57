import { request } from 'undici';
import type { SandboxAddress } from '../../src/model/service/sandboxProtocol.ts';
import { Receiver } from './receiver.ts';
import { SandboxProgram } from './sandboxProgram.ts';
import { waitFor } from './waitFor.ts';

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

/**
 * The sandbox as a program of its own with an app of the user's own (`mine`), for the tests of one `describe`,
 * and an endpoint for each test.
 * All goes over HTTP: nothing of its inside is used.
 * @param env further variables of the program's environment
 */
export function useSandbox(env: () => Record<string, string> = () => ({})): UsedSandbox {
  const used = new UsedSandbox();
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

export class UsedSandbox {
  program!: SandboxProgram;
  /** The user's own app. */
  app!: Receiver;
  /** Where a test lets webhooks go. */
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

  /** Waits for a line of its log. */
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
