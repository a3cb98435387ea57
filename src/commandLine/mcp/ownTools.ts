import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import type { McpInput, McpToolName } from './toolTable.ts';
import { loopbackUrl, toldDelivery } from '../../agents/toolValues.ts';
import { answerOf, replay, sendTest } from '../../deliveries/replay.ts';
import { initialSettings } from '../../listener/intake/initialSettings.ts';
import { type OwnListener, startOwnListener } from '../../listener/program/ownListener.ts';
import { thorough } from '../../service/diagnosis/causeSearch.ts';
import type { ManagementClient } from '../../service/client/managementClient.ts';
import { RunClient } from '../../service/client/runClient.ts';
import { explain } from '../../service/explanation/explanation.ts';
import { keyData, keyStatus } from '../../service/keys/key.ts';
import { readKeys } from '../../service/keys/keys.ts';
import { addressOfApp } from '../../service/runs/appAddress.ts';
import { runUrl, withWebhook } from '../../service/runs/runUrl.ts';
import { runIdIn } from '../../service/runs/runId.ts';
import { headersOf } from '../../service/signature/signature.ts';
import { SandboxServer } from '../../service/sandbox/sandboxServer.ts';
import { checkedSettings, validate } from '../../service/settings/appSettings.ts';
import { isLoopback } from '../../shared/http/loopback.ts';
import { systemClock } from '../../shared/async/clock.ts';
import { maskJson, maskSecrets } from '../../shared/masking/likelySecrets.ts';
import { UserError } from '../../shared/text/userError.ts';
import { findFixtures, testsOf } from '../../suite/fixture/foundFixtures.ts';
import { runSuite } from '../../suite/run/runSuite.ts';
import {
  managementClient,
  readServiceAddress,
  readToken,
  transport,
  userAgent,
} from '../options/serviceOptions.ts';

/** The most bytes of a response that a model gets. */
const mostResponse = 1024 * 1024;
/** How many deliveries are listed, and how long one is waited for, where a model says nothing else. */
const [usualLimit, usualSeconds] = [20, 60];
/** How long the cause of a mismatch is searched for, in milliseconds. */
const searchMs = 2000;
const warningDays = 14;

interface OwnToolsOptions {
  /** Where the fixtures are that may be sent. */
  folder: string;
  environment: NodeJS.ProcessEnv;
}

/** Everything that the server does in its own process: its own sandbox and listener, files, and what the environment allows. */
export class OwnTools {
  readonly #options: OwnToolsOptions;
  readonly #secret: string;
  #sandbox: SandboxServer | undefined;
  #listener: (OwnListener & { forwardTo: string | undefined }) | undefined;
  #folder: string | undefined;
  /** Called after each news of the listener. */
  readonly #watchers = new Set<() => void>();

  constructor(options: OwnToolsOptions) {
    this.#options = options;
    this.#secret = options.environment['WEBHOOK_SECRET'] || randomBytes(32).toString('base64url');
  }

  /** Every token and secret that this process holds: no answer contains one. */
  held(): string[] {
    const { serviceAccounts = [] } = this.#sandbox?.address ?? {};
    const token = this.#options.environment['RUNHOOK_TOKEN'];
    return [
      this.#secret,
      ...serviceAccounts.map((account) => account.token),
      ...(token === undefined ? [] : [token]),
    ];
  }

  get projects(): object[] {
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

  /** @throws UserError for the model; the signal's reason if it is aborted */
  run<Name extends McpToolName>(name: Name, input: McpInput<Name>, signal: AbortSignal): Promise<unknown> {
    const tools: { [One in McpToolName]: (input: McpInput<One>, signal: AbortSignal) => unknown } = {
      listProjects: () => this.projects,
      startSandbox: ({ apps = {} }) => this.#startSandbox(apps),
      startListener: (asked) => this.#startListener(asked),
      runApp: (call, stop) => this.#runApp(call, stop),
      waitForDelivery: (asked, stop) => this.#wait(asked, stop),
      listDeliveries: ({ limit = usualLimit }) => this.#newest(limit),
      getDelivery: ({ id }) => toldDelivery(this.#listening().store.whole(id)),
      explainDelivery: ({ id }) => this.#explain(id),
      replayDelivery: (asked, stop) => this.#replay(asked, stop),
      deliverHere: () => {
        // The sandbox of this process reaches its listener by itself.
        throw new UserError('Open the project in the editor: its window keeps the responses of runs.');
      },
      sendTestDelivery: (asked, stop) => this.#sendTest(asked, stop),
      testFixtures: (asked, stop) => this.#testFixtures(asked, stop),
      listKeys: (asked, stop) => this.#listKeys(asked, stop),
      validateSettings: ({ settings }) => {
        const result = validate(settings);
        if (result.ok) return result;
        return { ok: false, problems: result.problems.map(({ field, text }) => ({ field, problem: text })) };
      },
      applySettings: (asked, stop) => this.#applySettings(asked, stop),
    };
    return Promise.resolve(tools[name](input, signal));
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
      onNews: () => {
        for (const watcher of [...this.#watchers]) watcher();
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

  async #newest(limit: number): Promise<object[]> {
    const { store } = this.#listening();
    return (await store.newest(limit)).map(toldDelivery);
  }

  async #wait(
    { runId, timeoutSeconds = usualSeconds }: McpInput<'waitForDelivery'>,
    signal: AbortSignal,
  ): Promise<object> {
    const { store } = this.#listening();
    const end = AbortSignal.any([signal, AbortSignal.timeout(timeoutSeconds * 1000)]);
    for (;;) {
      const found = store.ofRun(runId, 0).findLast((one) => one.repeatOf === undefined);
      // Its handler may be at work still: what that answers is what the model waits for.
      const isDone = found?.forward !== undefined || this.#listener?.forwardTo === undefined;
      if (found !== undefined && (isDone || found.verdict !== 'verified'))
        return toldDelivery(store.whole(found.id));
      const isNews = await new Promise<boolean>((resolve) => {
        const news = (): void => finish(true);
        const ended = (): void => finish(false);
        const finish = (value: boolean): void => {
          this.#watchers.delete(news);
          end.removeEventListener('abort', ended);
          resolve(value);
        };
        if (end.aborted) {
          resolve(false);
          return;
        }
        this.#watchers.add(news);
        end.addEventListener('abort', ended);
      });
      if (isNews) continue;
      signal.throwIfAborted();
      if (found !== undefined) return toldDelivery(store.whole(found.id));
      return { notDelivered: `No delivery of ${runId} arrived within ${timeoutSeconds} s.` };
    }
  }

  #explain(id: string): string {
    const kept = this.#listening().store.kept(id);
    const until = performance.now() + searchMs;
    return explain({
      headers: headersOf(kept.rawHeaders),
      body: kept.body,
      secrets: [{ secret: this.#secret, owner: { kind: 'default' } }],
      clock: kept.receivedAt / 1000,
      toleranceSeconds: initialSettings.toleranceSeconds,
      effort: thorough(() => performance.now() < until),
    }).text;
  }

  async #replay({ id, resign = false }: McpInput<'replayDelivery'>, signal: AbortSignal): Promise<object> {
    const { store, forwardTo } = this.#listening();
    const kept = store.kept(id);
    if (forwardTo === undefined) {
      throw new UserError('There is no handler to replay to: start_listener takes it as forwardTo.');
    }
    // guard S114: Only a delivery that verified on arrival is signed again.
    if (resign && kept.verdict !== 'verified' && kept.verdict !== 'stale') {
      throw new UserError(`A delivery whose signature did not match (${kept.verdict}) is not signed anew.`);
    }
    const sending = { now: Date.now, signal };
    const { status, durationMs, body } = answerOf(
      await replay(kept, forwardTo, resign ? this.#secret : undefined, sending),
    );
    return { to: forwardTo, status, durationMs, answer: maskSecrets(body) };
  }

  async #sendTest({ to, body = {} }: McpInput<'sendTestDelivery'>, signal: AbortSignal): Promise<object> {
    const address = to === undefined ? `http://127.0.0.1:${this.#listening().port}/` : loopbackUrl(to).href;
    const text = JSON.stringify(body);
    return sendTest(address, text, this.#secret, randomUUID(), { now: Date.now, signal });
  }

  async #testFixtures({ paths, to, only }: McpInput<'testFixtures'>, signal: AbortSignal): Promise<object> {
    const address = loopbackUrl(to);
    const files = paths.flatMap((path) => findFixtures(this.#within(path)).files);
    const tests = files
      .flatMap((file) => testsOf(file))
      .filter(
        ({ fixture, read }) =>
          only === undefined ||
          only.includes(fixture) ||
          ('variant' in read && only.includes(read.variant.name)),
      );
    if (tests.length === 0) throw new UserError('There is no such *.delivery.json, or none of those names.');
    const app = { to: address, secret: this.#secret, clock: systemClock, signal };
    const results: object[] = [];
    let failed = 0;
    for await (const { file, variant, line, outcome, failures, exchanges } of runSuite(
      tests,
      randomUUID(),
      app,
    )) {
      if (outcome !== 'passed') failed += 1;
      const status = exchanges.findLast(({ request }) => !request.startsWith('GET '))?.answer?.status;
      results.push({
        ...{ file, variant, outcome, status },
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

  async #listKeys(
    { projectId, serviceAccountId }: McpInput<'listKeys'>,
    signal: AbortSignal,
  ): Promise<object> {
    const client = this.#management(projectId);
    const list = readKeys(await client.listKeys(projectId, serviceAccountId, signal));
    if (list.kind === 'unrecognised') return { unrecognised: list.raw };
    const now = Date.now();
    return list.keys.map((key) => keyData(key, keyStatus(key.expiresAt, now, warningDays)));
  }

  async #applySettings(
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
    const baseUrl = own?.baseUrl ?? readServiceAddress({}, 'base-url', environment);
    return managementClient(baseUrl, own?.token ?? readToken({}, environment));
  }

  async #runApp(call: McpInput<'runApp'>, signal: AbortSignal): Promise<object> {
    const { projectId, appName, path = 'run', method = 'POST', body, webhook = false } = call;
    const { environment } = this.#options;
    const own = this.hasProject(projectId) ? this.#sandbox?.address : undefined;
    const proxyUrl = own?.proxyUrl ?? readServiceAddress({}, 'proxy-url', environment);
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
    const answer = await client.run(
      {
        ...{ url, method },
        ...(method.toUpperCase() !== 'GET' && { body: JSON.stringify(body ?? {}) }),
        ...(webhook && { secret: this.#secret }),
      },
      signal,
    );
    const pieces: Uint8Array[] = [];
    for await (const piece of answer.body) pieces.push(piece);
    const text = Buffer.concat(pieces).toString();
    const runId = runIdIn(text) ?? answer.headers['x-run-id'];
    // guard S109: What looks like a token or secret is masked in deliveries and answers of apps.
    return { status: answer.status, runId, headers: maskJson(answer.headers), body: maskJson(jsonOr(text)) };
  }
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
