import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readAll } from '../../src/service/client/boundedBody.ts';
import { ManagementClient } from '../../src/service/client/managementClient.ts';
import { RunClient } from '../../src/service/client/runClient.ts';
import { createUndiciTransport } from '../../src/service/client/undiciTransport.ts';
import { runUrl } from '../../src/service/runs/runUrl.ts';
import { UserError } from '../../src/shared/text/userError.ts';
import { FaultyService, serviceFaults } from '../support/service/faultyService.ts';
import type { Random } from '../support/random/random.ts';

const callers = 3;
const timeoutMs = 500;
/** A run is cancelled after this time. */
const runTimeoutMs = 1000;
/** A call that takes longer counts as hanging. */
const maxCallMs = 15_000;
const token = 'the token of the soak';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** A call whose URL contains a given name. */
type Call = (name: string) => Promise<unknown>;

/** Calls a service with changing faults, as the extension does. */
export class ServiceCalls {
  readonly #random: Random;
  readonly #fail: (failure: string) => void;
  readonly #service = new FaultyService();
  /** The target of redirects, which no request may reach. */
  readonly #other = new FaultyService();
  readonly #transport = createUndiciTransport({
    proxySupport: 'off',
    strictSsl: true,
    systemCertificates: false,
  });
  #running = false;
  #callers: Promise<void>[] = [];
  /** The memory of this process after each check, in bytes. */
  readonly memories: number[] = [];
  /** The number of calls so far. */
  made = 0;

  private constructor(random: Random, fail: (failure: string) => void) {
    this.#random = random;
    this.#fail = (failure) => fail(`calls: ${failure}`);
  }

  static async start(random: Random, fail: (failure: string) => void): Promise<ServiceCalls> {
    const calls = new ServiceCalls(random, fail);
    await calls.#service.start();
    await calls.#other.start();
    calls.#service.redirectTarget = calls.#other.url;
    return calls;
  }

  startCalling(): void {
    this.#running = true;
    this.#callers = Array.from({ length: callers }, () => this.#keepCalling());
  }

  /** Sets a fault; by default a random one, or none. @returns its name */
  changeFault(fault = this.#random.of(['well' as const, ...serviceFaults])): string {
    this.#service.fault = fault === 'well' ? undefined : fault;
    return fault;
  }

  /** Checks that without faults a call succeeds, that no redirect was followed, and that connections are closed. */
  async check(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#callers);
    this.#service.fault = undefined;
    const keys = await this.#management()
      .listKeys('p', 'last')
      .catch((error: unknown) => String(error));
    if (JSON.stringify(keys) !== '[]') this.#fail(`A service that is well is not listed: ${String(keys)}`);
    if (this.#other.connections > 0) this.#fail('Something went to where the service redirects.');
    if (this.#service.openConnections > 2 * callers)
      this.#fail(`${this.#service.openConnections} connections are still held.`);
    this.#service.requests.length = 0;
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    this.memories.push(heapUsed + external);
  }

  async close(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#callers);
    await this.#transport.close();
    await this.#service.close();
    await this.#other.close();
  }

  async #keepCalling(): Promise<void> {
    const calls: Record<string, { call: Call; tries: number }> = {
      list: { call: (name) => this.#management().listKeys('p', name), tries: 3 },
      change: { call: (name) => this.#management().modifyApp('p', name, { gpuCount: 1 }), tries: 1 },
      run: { call: (name) => this.#run(name), tries: 1 },
    };
    while (this.#running) {
      const [kind, { call, tries }] = this.#random.of(Object.entries(calls));
      const name = `${kind}-${(this.made += 1)}`;
      const startedAt = performance.now();
      await call(name).catch((error: unknown) => {
        const isExpected = error instanceof UserError || (error as Error).name === 'TimeoutError';
        if (!isExpected || String(error).includes(token)) this.#fail(`${name} was told ${String(error)}`);
      });
      const took = performance.now() - startedAt;
      if (took > maxCallMs) this.#fail(`${name} took ${Math.round(took)} ms.`);
      const times = this.#service.requests.filter(({ url }) => url.split('/').includes(name)).length;
      if (times > tries) this.#fail(`${name} was sent ${times} times.`);
      await pause(this.#random.whole(0, 200));
    }
  }

  #management(): ManagementClient {
    const { url } = this.#service;
    return new ManagementClient({
      transport: this.#transport.send,
      service: { baseUrl: url, proxyUrl: url },
      token,
      userAgent: 'Runhook/soak',
      timeoutMs,
      retry: { wait: (ms) => pause(ms / 10) },
    });
  }

  async #run(appName: string): Promise<void> {
    const client = new RunClient({
      transport: this.#transport.send,
      token,
      userAgent: 'Runhook/soak',
      maxAnswerBytes: 2 ** 20,
    });
    const url = runUrl(this.#service.url, { projectId: 'p', appName, path: 'run' });
    const call = { url, method: 'POST', body: '{}' };
    const { body } = await client.run(call, AbortSignal.timeout(runTimeoutMs));
    await readAll(body);
  }
}
