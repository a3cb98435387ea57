import { AssertionError } from 'node:assert';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { wholeDelivery } from '../../deliveries/keptDelivery.ts';
import { initialSettings } from '../../listener/intake/initialSettings.ts';
import { startOwnListener } from '../../listener/program/ownListener.ts';
import { RunClient } from '../../service/client/runClient.ts';
import { createFetchTransport } from '../../service/client/fetchTransport.ts';
import { addressOfApp } from '../../service/runs/appAddress.ts';
import { runUrl, withWebhook } from '../../service/runs/runUrl.ts';
import { isSandboxFault } from '../../service/sandbox/sandboxFault.ts';
import { SandboxServer } from '../../service/sandbox/sandboxServer.ts';
import { sign as signature } from '../../service/signature/signature.ts';
import { usualSecretVariable } from '../../service/signature/webhookSecret.ts';
import { typedAddress } from '../../service/typedAddress.ts';
import { durationText } from '../../shared/text/durationText.ts';
import { isJsonObject } from '../../shared/json/jsonObject.ts';
import { systemClock } from '../../shared/async/clock.ts';
import { testsOf } from '../../suite/fixture/foundFixtures.ts';
import { lastStatus, runSuite } from '../../suite/run/runSuite.ts';
import { variantText } from '../../suite/run/variant.ts';

/** A webhook request that arrived. */
export interface TestDelivery {
  id: string;
  /** ISO 8601, UTC, with milliseconds. */
  receivedAt: string;
  requestId?: string;
  verdict: 'verified' | 'unsigned' | 'mismatch' | 'stale' | 'malformed' | 'no-secret';
  /** Why it is not `verified`. */
  reason?: string;
  runId?: string;
  appName?: string;
  method: string;
  path: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** Text where the body is UTF-8, else base64. */
  body: string;
  bodyEncoding?: 'base64';
  bytes: number;
  /** The status that the listener answered. */
  answered: number;
}

export interface ListenerOptions {
  /** What verifies the deliveries; one is made without it. */
  secret?: string;
  /** Any free port without it. */
  port?: number;
  /** Your handler, which verified deliveries are forwarded to. */
  forwardTo?: string;
  /** How old a timestamp may be, in seconds: 300 without it; 0 does not check it. */
  toleranceSeconds?: number;
}

/** A listener on 127.0.0.1, which keeps what it receives until it is stopped. */
export interface TestListener extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly secret: string;
  /** What has arrived, the oldest first. */
  deliveries(): TestDelivery[];
  /** Calls back for each delivery from now on. @returns a function that ends that */
  onDelivery(told: (delivery: TestDelivery) => void): () => void;
  stop(): Promise<void>;
}

export async function startListener(options: ListenerOptions = {}): Promise<TestListener> {
  const { port = 0, forwardTo, toleranceSeconds = initialSettings.toleranceSeconds } = options;
  const { secret = randomBytes(32).toString('base64url') } = options;
  const folder = mkdtempSync(join(tmpdir(), 'runhook-testing-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const arrived: TestDelivery[] = [];
  const watchers = new Set<(delivery: TestDelivery) => void>();
  try {
    const own = await startOwnListener({
      folder,
      port,
      settings: {
        ...initialSettings,
        ...{ isPublic: false, toleranceSeconds, secrets: [{ secret, owner: { kind: 'default' } }] },
        ...(forwardTo !== undefined && { forwardTo: typedAddress(forwardTo).href }),
      },
      onNews: (news, { store }) => {
        for (const one of news.arrived) {
          const whole = wholeDelivery(one, store.kept(one.id).body);
          arrived.push(whole);
          for (const told of [...watchers]) told(whole);
        }
      },
    });
    const stop = async (): Promise<void> => {
      await own.end();
      remove();
    };
    return {
      url: `http://127.0.0.1:${own.port}`,
      port: own.port,
      secret,
      deliveries: () => [...arrived],
      onDelivery: (told) => {
        watchers.add(told);
        return () => watchers.delete(told);
      },
      stop,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** What a delivery has to have: each field given here, and of a body or of headers those given here. */
export interface ExpectedDelivery {
  /** `verified` without it. */
  verdict?: TestDelivery['verdict'];
  runId?: string;
  appName?: string;
  method?: string;
  path?: string;
  /** Names in any case. */
  headers?: Record<string, string>;
  /** A text is the whole body. Of an object those fields are compared, at every depth; a list is compared whole. */
  body?: unknown;
}

/** The first delivery, from the start of the listener on, that is as expected. @throws AssertionError after `timeoutMs` */
export async function waitForDelivery(
  listener: TestListener,
  expected: ExpectedDelivery = {},
  { timeoutMs = 10_000 }: { timeoutMs?: number } = {},
): Promise<TestDelivery> {
  const fits = (delivery: TestDelivery): boolean => missOf(delivery, expected) === undefined;
  const there = listener.deliveries().find(fits);
  if (there !== undefined) return there;
  return new Promise((resolve, reject) => {
    const end = listener.onDelivery((delivery) => {
      if (!fits(delivery)) return;
      clearTimeout(timer);
      end();
      resolve(delivery);
    });
    const timer = setTimeout(() => {
      end();
      const others = listener
        .deliveries()
        .map((one) => `\n- ${one.verdict}: ${missOf(one, expected)?.message ?? ''}`);
      const came = others.length === 0 ? ' None came.' : ` These came:${others.join('')}`;
      reject(failure(`No such delivery within ${durationText(timeoutMs)}.${came}`, expected, undefined));
    }, timeoutMs);
  });
}

/** @throws AssertionError that names the first field that is not as expected */
export function expectDelivery(delivery: TestDelivery, expected: ExpectedDelivery = {}): void {
  const miss = missOf(delivery, expected);
  if (miss !== undefined) throw miss;
}

function missOf(delivery: TestDelivery, expected: ExpectedDelivery): AssertionError | undefined {
  const { headers = {}, body } = expected;
  const whole = { ...expected, verdict: expected.verdict ?? 'verified' };
  for (const name of ['verdict', 'runId', 'appName', 'method', 'path'] as const) {
    const [value, actual] = [whole[name], delivery[name]];
    if (value === undefined || actual === value) continue;
    const reason = name === 'verdict' && delivery.reason !== undefined ? ` ${delivery.reason}` : '';
    return failure(`${name}: expected ${value}, got ${String(actual)}.${reason}`, value, actual);
  }
  for (const [name, value] of Object.entries(headers)) {
    const actual = delivery.headers[name.toLowerCase()];
    if (actual !== value) return failure(`${name}: expected ${value}, got ${String(actual)}.`, value, actual);
  }
  if (body === undefined) return undefined;
  const actual = typeof body === 'string' ? delivery.body : jsonOf(delivery);
  const miss = bodyMiss(actual, body, 'body');
  return miss === undefined ? undefined : failure(miss, body, actual);
}

function failure(message: string, expected: unknown, actual: unknown): AssertionError {
  return new AssertionError({ message, expected, actual, operator: 'expectDelivery' });
}

function jsonOf({ body }: TestDelivery): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** @param path of the value, for the message: `body.result.n` */
function bodyMiss(actual: unknown, expected: unknown, path: string): string | undefined {
  if (!isJsonObject(expected) || !isJsonObject(actual)) {
    if (isDeepStrictEqual(actual, expected)) return undefined;
    return `${path}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}.`;
  }
  for (const [name, value] of Object.entries(expected)) {
    const miss = bodyMiss(actual[name], value, `${path}.${name}`);
    if (miss !== undefined) return miss;
  }
  return undefined;
}

export interface SignOptions {
  /** A new one without it. */
  requestId?: string;
  /** Unix seconds; now without it. */
  timestamp?: number;
  /** What stands in the names of the headers: `X-<vendor>-Webhook-Signature`. `Service` without it. */
  vendor?: string;
}

/** The headers of a delivery with that body, signed as the service signs. */
export function sign(
  body: string | Uint8Array,
  secret: string,
  {
    requestId = randomUUID(),
    timestamp = Math.floor(Date.now() / 1000),
    vendor = 'Service',
  }: SignOptions = {},
): Record<string, string> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return {
    'Content-Type': 'application/json',
    'X-Request-Id': requestId,
    [`X-${vendor}-Webhook-Timestamp`]: String(timestamp),
    [`X-${vendor}-Webhook-Signature`]: `v1,${signature(secret, requestId, String(timestamp), bytes)}`,
  };
}

export interface SendOptions {
  /** Your handler; without a path, the fixture goes to its own. */
  to: string;
  /** What signs it; WEBHOOK_SECRET of the environment without it. */
  secret?: string;
  /** The variants to send, such as `repeat`; those of the file without it. */
  only?: readonly string[];
}

/** What your handler made of one variant of a fixture. */
export interface SentVariant {
  variant: string;
  durationMs: number;
  /** The last status that your handler answered. */
  status?: number;
}

/**
 * Sends a fixture (`*.delivery.json`) to your handler, signed now, in all its variants.
 * @throws AssertionError that says what your handler did not do as the file expects, and why it may be so
 */
export async function sendFixture(file: string, options: SendOptions): Promise<SentVariant[]> {
  const { to, only, secret = process.env[usualSecretVariable] } = options;
  const app = {
    ...{ to: typedAddress(to), clock: systemClock, signal: new AbortController().signal },
    ...(secret !== undefined && { secret }),
  };
  const tests = testsOf(file).filter(
    ({ read }) => only === undefined || !('variant' in read) || only.includes(read.variant.name),
  );
  if (tests.length === 0) throw new TypeError(`${basename(file)} has no variant ${String(only)}.`);
  const sent: SentVariant[] = [];
  const failures: string[] = [];
  for await (const result of runSuite(tests, randomUUID(), app)) {
    const { variant, durationMs } = result;
    const status = lastStatus(result);
    sent.push({ variant, durationMs, ...(status !== undefined && { status }) });
    for (const { message, cause, place } of result.failures) {
      failures.push(
        `${file}:${place.line + 1} ${variantText(variant)}: ${[message, cause ?? ''].join(' ').trim()}`,
      );
    }
  }
  if (failures.length > 0) throw failure(failures.join('\n'), 'passed', 'failed');
  return sent;
}

export interface SandboxOptions {
  /** Any free port without it. */
  port?: number;
  /** Apps of yours to put behind the run proxy: `{ mine: 'http://127.0.0.1:4000' }`. */
  apps?: Record<string, string>;
}

export interface RunOptions {
  body?: unknown;
  /** What the result is delivered to: a listener, whose secret signs it, or an address. */
  webhook?: TestListener | string;
  /** What signs the delivery to an address. */
  secret?: string;
}

/** The whole service on this machine. */
export interface TestSandbox extends AsyncDisposable {
  readonly baseUrl: string;
  readonly proxyUrl: string;
  readonly projectId: string;
  readonly serviceAccountId: string;
  readonly token: string;
  readonly apps: readonly { id: string; name: string }[];
  /** Runs an app: `echo`, `sleep`, `fail`, or one of yours. */
  run(
    app: string,
    options?: RunOptions,
  ): Promise<{ status: number; headers: Record<string, string>; body: string }>;
  /** Makes it misbehave from now on, such as by `bad-signature`; without a name no more. */
  setFaults(...names: string[]): void;
  stop(): Promise<void>;
}

export async function startSandbox({ port = 0, apps = {} }: SandboxOptions = {}): Promise<TestSandbox> {
  const server = await SandboxServer.start({
    ...{ port, apps, clock: systemClock, random: Math.random, log: () => undefined },
  });
  const { baseUrl, proxyUrl, projectId, serviceAccountId, token } = server.address;
  const transport = createFetchTransport((...call) => fetch(...call));
  const stop = (): Promise<void> => server.close();
  return {
    ...{ baseUrl, proxyUrl, projectId, serviceAccountId, token },
    apps: server.address.apps.map(({ id, name }) => ({ id, name })),
    async run(appName, { body = {}, webhook, secret } = {}) {
      const client = new RunClient({ transport, token, userAgent: 'runhook/testing' });
      const plain = runUrl(proxyUrl, { projectId, appName, path: 'run' });
      const to =
        typeof webhook === 'object'
          ? { url: addressOfApp(webhook.url, appName), secret: webhook.secret }
          : webhook !== undefined && { url: webhook, secret };
      const answer = await client.run({
        url: to === false ? plain : withWebhook(plain, to.url),
        method: 'POST',
        body: JSON.stringify(body),
        ...(to !== false && to.secret !== undefined && { secret: to.secret }),
      });
      const pieces: Uint8Array[] = [];
      for await (const piece of answer.body) pieces.push(piece);
      return { status: answer.status, headers: answer.headers, body: Buffer.concat(pieces).toString() };
    },
    setFaults(...names) {
      const unknown = names.find((name) => !isSandboxFault(name));
      if (unknown !== undefined) throw new TypeError(`There is no fault ${unknown}.`);
      server.state.faults = new Set(names.filter(isSandboxFault));
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
