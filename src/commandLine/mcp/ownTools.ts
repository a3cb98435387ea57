import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Delivery, WholeDelivery } from '../../contract/delivery.ts';
import type { McpInput, mcpInputs } from './toolTable.ts';
import { type ToolHost, type ToolWork, toolWork } from '../../agents/tools.ts';
import { loopbackUrl } from '../../agents/toolValues.ts';
import type { DeliveryWaitParts } from '../../deliveries/deliveryWait.ts';
import type { Answer, Sent } from '../../deliveries/listenerProtocol.ts';
import { answerOf, impatientMs, replay, sendTest } from '../../deliveries/replay.ts';
import { listeningState } from '../../deliveries/listenerState.ts';
import { initialSettings } from '../../listener/intake/initialSettings.ts';
import { type OwnListener, startOwnListener } from '../../listener/program/ownListener.ts';
import { thorough } from '../../service/diagnosis/causeSearch.ts';
import type { ManagementClient } from '../../service/client/managementClient.ts';
import { RunClient } from '../../service/client/runClient.ts';
import { explain } from '../../service/explanation/explanation.ts';
import type { KeyData } from '../../service/keys/key.ts';
import { listedKeys, readKeys } from '../../service/keys/keys.ts';
import type { AccountRef, Project } from '../../service/projects/project.ts';
import { cleanToken } from '../../service/keys/token.ts';
import { addressOfApp } from '../../service/runs/appAddress.ts';
import { type PlainBody, plainBody } from '../../service/runs/plainBody.ts';
import { RunIdSearch } from '../../service/runs/runIdSearch.ts';
import { runUrl, withWebhook } from '../../service/runs/runUrl.ts';
import { headersOf } from '../../service/signature/signature.ts';
import { SandboxServer } from '../../service/sandbox/sandboxServer.ts';
import { checkedSettings } from '../../service/settings/appSettings.ts';
import { isLoopback } from '../../shared/http/loopback.ts';
import { systemClock } from '../../shared/async/clock.ts';
import { Turns } from '../../shared/async/turns.ts';
import { maskSecrets } from '../../shared/masking/likelySecrets.ts';
import { UserError } from '../../shared/text/userError.ts';
import { findFixtures, testsOf } from '../../suite/fixture/foundFixtures.ts';
import { isNamed, lastStatus, runSuite } from '../../suite/run/runSuite.ts';
import {
  managementClient,
  readServiceAddress,
  readToken,
  transport,
  userAgent,
} from '../options/serviceOptions.ts';

/** The most bytes of a response that a model gets. */
const mostResponse = 1024 * 1024;
/** How long the cause of a mismatch is searched for, in milliseconds. */
const searchMs = 2000;
const warningDays = 14;

interface OwnToolsOptions {
  /** Where the fixtures are that may be sent. */
  folder: string;
  environment: NodeJS.ProcessEnv;
}

/** The server's own process as the place where tools act: its own sandbox and listener, files, and what the environment allows. */
export class OwnTools implements ToolHost {
  readonly #options: OwnToolsOptions;
  readonly #secret: string;
  #sandbox: SandboxServer | undefined;
  #listener: (OwnListener & { forwardTo: string | undefined }) | undefined;
  #folder: string | undefined;
  /** Each takes the place of the one before. */
  readonly #turns = new Turns();
  /** Called with each delivery that has arrived or changed. */
  readonly #watchers = new Set<(delivery: Delivery) => void>();
  /** What each tool does. */
  readonly work: ToolWork<typeof mcpInputs> = {
    ...toolWork(this),
    startSandbox: ({ apps = {} }) => this.#turns.next(() => this.#startSandbox(apps)),
    startListener: (asked) => this.#turns.next(() => this.#startListener(asked)),
    testFixtures: (asked, signal) => this.#testFixtures(asked, signal),
  };

  constructor(options: OwnToolsOptions) {
    this.#options = options;
    this.#secret = options.environment['WEBHOOK_SECRET'] || randomBytes(32).toString('base64url');
  }

  /** Every token and secret that this process holds: no answer contains one. */
  held(): string[] {
    const { serviceAccounts = [] } = this.#sandbox?.address ?? {};
    let token = this.#options.environment['RUNHOOK_TOKEN'] ?? '';
    try {
      // As calls carry it: without "Bearer", which may have been copied along.
      token = cleanToken(token);
    } catch {
      // No call carries it.
    }
    return [this.#secret, token, ...serviceAccounts.map((account) => account.token)];
  }

  projects(): Project[] {
    if (this.#sandbox === undefined) return [];
    const { projectId, serviceAccounts, apps } = this.#sandbox.address;
    return [
      {
        ...{ id: projectId, name: 'Sandbox of this server', apps },
        serviceAccounts: serviceAccounts.map(({ id, name, environment }) => ({ id, name, environment })),
      },
    ];
  }

  /** Whether deliveries arrive here. */
  get listens(): boolean {
    return this.#listener !== undefined;
  }

  /** Whether the project is that of the sandbox that runs here. */
  hasProject(projectId: string): boolean {
    return this.#sandbox?.address.projectId === projectId;
  }

  hasDelivery(id: string): boolean {
    return this.#listener?.store.find(id) !== undefined;
  }

  async end(): Promise<void> {
    await Promise.allSettled([this.#sandbox?.close(), this.#listener?.end()]);
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  async #startSandbox(apps: Readonly<Record<string, string>>): Promise<object> {
    const local = Object.fromEntries(
      Object.entries(apps).map(([name, address]) => [name, loopbackUrl(address).href]),
    );
    await this.#sandbox?.close();
    this.#sandbox = await SandboxServer.start({
      ...{ port: 0, apps: local, clock: systemClock, random: Math.random, log: () => undefined },
    });
    const { baseUrl, proxyUrl, projectId, serviceAccountId, apps: served } = this.#sandbox.address;
    return { baseUrl, proxyUrl, projectId, serviceAccountId, apps: served };
  }

  async #startListener({ forwardTo, port = 0 }: McpInput<'startListener'>): Promise<object> {
    // guard S153: What an agent has sent goes to this machine alone.
    const to = forwardTo === undefined ? undefined : loopbackUrl(forwardTo).href;
    await this.#listener?.end();
    this.#listener = undefined;
    this.#folder ??= mkdtempSync(join(tmpdir(), 'runhook-mcp-'));
    const own = await startOwnListener({
      ...{ folder: this.#folder, port },
      settings: {
        ...initialSettings,
        isPublic: false,
        secrets: [{ secret: this.#secret, owner: { kind: 'default' } }],
        ...(to !== undefined && { forwardTo: to }),
      },
      onNews: ({ arrived, changed }) => {
        for (const one of [...arrived, ...changed]) for (const told of [...this.#watchers]) told(one);
      },
    });
    this.#listener = { ...own, forwardTo: to };
    return { url: `http://127.0.0.1:${own.port}`, forwardTo: to, ...this.#secretPlace(this.#folder) };
  }

  /** Where the agent's shell finds the secret, without a model ever reading it. */
  #secretPlace(folder: string): object {
    if (this.#options.environment['WEBHOOK_SECRET']) return { secretVariable: 'WEBHOOK_SECRET' };
    const secretFile = join(folder, 'webhook-secret');
    writeFileSync(secretFile, this.#secret, { mode: 0o600 });
    return { secretFile };
  }

  #listening(): OwnListener & { forwardTo: string | undefined } {
    if (this.#listener !== undefined) return this.#listener;
    throw new UserError(
      'No listener runs here: call start_listener first, or open the project in the editor.',
    );
  }

  newest(limit: number): Promise<WholeDelivery[]> {
    return this.#listening().store.newest(limit);
  }

  waiting(): DeliveryWaitParts {
    const { store, asToldNow, port } = this.#listening();
    const never = () => ({ dispose: () => undefined });
    return {
      listener: {
        state: listeningState(port),
        onDidChangeState: never,
        onDidReceiveDelivery: never,
        onDidChangeDelivery: (told) => {
          this.#watchers.add(told);
          return { dispose: () => this.#watchers.delete(told) };
        },
        page: (filter, limit) => {
          const page = store.page(filter, limit);
          return Promise.resolve({ ...page, deliveries: page.deliveries.map(asToldNow) });
        },
        whole: (id) => Promise.resolve(store.whole(id)),
      },
      // This process keeps none.
      runs: { all: () => [], onDidChange: never },
      clock: systemClock,
    };
  }

  whole(id: string): WholeDelivery {
    return this.#listening().store.whole(id);
  }

  explanation(id: string): Promise<string> {
    const kept = this.#listening().store.kept(id);
    const until = performance.now() + searchMs;
    const { text } = explain({
      headers: headersOf(kept.rawHeaders),
      body: kept.body,
      secrets: [{ secret: this.#secret, owner: { kind: 'default' } }],
      clock: kept.receivedAt / 1000,
      toleranceSeconds: initialSettings.toleranceSeconds,
      effort: thorough(() => performance.now() < until),
    });
    return Promise.resolve(text);
  }

  delivery(id: string): Delivery {
    return this.#listening().store.get(id);
  }

  handlerOf(): string {
    const { forwardTo } = this.#listening();
    if (forwardTo !== undefined) return forwardTo;
    throw new UserError('There is no handler to replay to: start_listener takes it as forwardTo.');
  }

  async replay(
    { id, to, resign }: { id: string; to: URL; resign: boolean },
    signal: AbortSignal,
  ): Promise<Answer> {
    const kept = this.#listening().store.kept(id);
    const secret = resign ? this.#secret : undefined;
    return answerOf(await replay(kept, to.href, secret, { now: Date.now, signal, limitMs: impatientMs }));
  }

  sendTest({ to, body = {} }: { to?: string; body?: unknown }, signal: AbortSignal): Promise<Sent> {
    const address = to ?? `http://127.0.0.1:${this.#listening().port}/`;
    return sendTest(address, JSON.stringify(body), this.#secret, randomUUID(), { now: Date.now, signal });
  }

  deliverHere(): never {
    // The sandbox of this process reaches its listener by itself.
    throw new UserError('Open the project in the editor: its window keeps the responses of runs.');
  }

  async #testFixtures({ paths, to, only }: McpInput<'testFixtures'>, signal: AbortSignal): Promise<object> {
    const address = loopbackUrl(to);
    const files = paths.flatMap((path) => findFixtures(this.#within(path)).files);
    const tests = files
      .flatMap((file) => testsOf(file))
      .filter((test) => only === undefined || isNamed(test, only));
    if (tests.length === 0) throw new UserError('There is no such *.delivery.json, or none of those names.');
    const app = { to: address, secret: this.#secret, clock: systemClock, signal };
    const results: object[] = [];
    let failed = 0;
    for await (const result of runSuite(tests, randomUUID(), app)) {
      const { file, variant, line, outcome, failures } = result;
      if (outcome !== 'passed') failed += 1;
      results.push({
        ...{ file, variant, outcome, status: lastStatus(result) },
        ...(outcome !== 'passed' && {
          line,
          failures: failures.map(({ message, cause }) => ({ message: maskSecrets(message), cause })),
        }),
      });
    }
    return { passed: results.length - failed, failed, results };
  }

  /** @throws UserError for a path outside the folder, also where a link leads out of it */
  #within(path: string): string {
    const { folder } = this.#options;
    let [root, real] = [folder, ''];
    try {
      [root, real] = [realpathSync(folder), realpathSync(resolve(folder, path))];
    } catch {
      throw new UserError(`There is no ${path} in ${folder}.`);
    }
    // guard S154: No path and no link leads out of the folder.
    if (real === root || real.startsWith(root + sep)) return real;
    throw new UserError(`${path} is not in ${folder}.`);
  }

  async listKeys({ projectId, serviceAccountId }: AccountRef, signal: AbortSignal): Promise<KeyData[]> {
    const list = await this.#management(projectId).listKeys(projectId, serviceAccountId, signal);
    return listedKeys(readKeys(list), Date.now(), warningDays);
  }

  async applySettings(
    { projectId, appId, settings }: McpInput<'applySettings'>,
    signal: AbortSignal,
  ): Promise<object> {
    const applied = checkedSettings(settings);
    await this.#management(projectId).modifyApp(projectId, appId, applied, signal);
    return { applied };
  }

  #management(projectId: string): ManagementClient {
    const { environment } = this.#options;
    const own = this.hasProject(projectId) ? this.#sandbox?.address : undefined;
    const baseUrl = own?.baseUrl ?? readServiceAddress(undefined, 'base-url', environment);
    return managementClient(baseUrl, own?.token ?? readToken({}, environment));
  }

  async runApp(
    call: McpInput<'runApp'>,
    signal: AbortSignal,
  ): Promise<{ status: number; runId?: string; headers: Record<string, string> } & PlainBody> {
    const { projectId, appName, path = 'run', method = 'POST', body, webhook = false } = call;
    const { environment } = this.#options;
    const own = this.hasProject(projectId) ? this.#sandbox?.address : undefined;
    const proxyUrl = own?.proxyUrl ?? readServiceAddress(undefined, 'proxy-url', environment);
    const plain = runUrl(proxyUrl, { projectId, appName, path });
    let url = plain;
    if (webhook) {
      const { port } = this.#listening();
      if (!isLoopback(plain.hostname)) {
        throw new UserError(
          `${plain.host} cannot reach this machine. Open the project in the editor, which has tunnels.`,
        );
      }
      url = withWebhook(plain, addressOfApp(`http://127.0.0.1:${port}/`, appName));
    }
    const client = new RunClient({
      ...{ transport: transport(), userAgent, maxAnswerBytes: mostResponse },
      token: own?.token ?? readToken({}, environment),
    });
    const {
      status,
      headers,
      body: pieces,
    } = await client.run(
      {
        ...{ url, method },
        ...(method.toUpperCase() !== 'GET' && { body: JSON.stringify(body ?? {}) }),
        ...(webhook && { secret: this.#secret }),
      },
      signal,
    );
    const bytes = await buffer(pieces);
    const search = new RunIdSearch(headers['x-run-id']);
    search.push(bytes);
    search.end(bytes);
    const { id: runId } = search;
    return {
      ...{ status, headers, ...plainBody(bytes, headers['content-type']) },
      ...(runId !== undefined && { runId }),
    };
  }
}
