import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { McpTools } from '../../../src/commandLine/mcp/mcpServer.ts';
import { mcpName, mcpTools, type McpToolName } from '../../../src/commandLine/mcp/toolTable.ts';
import { sign } from '../../../src/service/signature/signature.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { secretEncodings } from '../../support/untrusted/secretEncodings.ts';
import '../../support/random/seed.ts';

/** What may stand in a header of HTTP, as a token does. */
const tokens = fc.string({
  minLength: 12,
  maxLength: 60,
  unit: fc.constantFrom(...'aZ09._~+/=-%&"\'<'.split('')),
});
const secrets = fc
  .string({
    minLength: 12,
    maxLength: 60,
    unit: fc.constantFrom(...'bY18 ._~+/=-%&"\\<\u00fc\u2713'.split('')),
  })
  .filter((text) => text.trim().length >= 12);
/** How a user may have written the token. */
const pasted = fc.constantFrom(
  (token: string) => token,
  (token: string) => `Bearer ${token}`,
  (token: string) => `Authorization: Bearer ${token}\n`,
);

interface Case {
  secret: string;
  token: string;
  paste: (token: string) => string;
  /** Of each encoding, in this order, one is in each place. */
  encodings: string[];
  /** What the service and the handler answer. */
  statuses: number[];
}

const cases: fc.Arbitrary<Case> = fc.record({
  ...{ secret: secrets, token: tokens.filter((text) => /^[aZ09]/.test(text) && /[aZ09]$/.test(text)) },
  paste: pasted,
  encodings: fc.shuffledSubarray(Object.keys(secretEncodings), { minLength: 16 }),
  statuses: fc.array(fc.constantFrom(200, 400, 401, 422, 500), { minLength: 4, maxLength: 4 }),
});

/** A held value in one encoding. */
interface Writing {
  text: string;
  /** The same as a string of JSON. What is escaped already is not escaped again: the mask reads escapes once. */
  inJson: string;
}

function writingOf(encoding: string, value: string): Writing {
  const text = secretEncodings[encoding]!(value);
  return { text, inJson: encoding.includes('JSON') ? `"${text}"` : JSON.stringify(text) };
}

/** All strings in a value, and in the JSON in them, names too. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...stringsIn(jsonOf(value))];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...stringsIn(inner)]);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function listOf(writings: readonly Writing[]): string {
  return `[${writings.map(({ inJson }) => inJson).join(', ')}]`;
}

/** Sends a delivery with texts in its path, its headers and its body, signed with the secret. */
function deliver(url: string, secret: string, writings: readonly Writing[]): Promise<void> {
  const body = `{"run_id": "r-1", "echo": ${listOf(writings)}}`;
  const timestamp = String(Math.floor(Date.now() / 1000));
  const headers = {
    'x-request-id': 'q-1',
    'x-service-webhook-timestamp': timestamp,
    'x-service-webhook-signature': `v1,${sign(secret, 'q-1', timestamp, Buffer.from(body))}`,
    // A header carries Latin-1.
    'x-echo': Buffer.from(writings.map(({ text }) => text).join(' ')).toString('latin1'),
  };
  const path = `/${writings.map(({ text }) => encodeURIComponent(text)).join('/')}`;
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', path, headers }, (response) => {
      response.resume().on('end', () => resolve());
    })
      .on('error', reject)
      .end(body);
  });
}

describe('what an agent is told over MCP', () => {
  it('holds no token and no secret that is held, whatever the service, the app, a delivery or the agent writes', async () => {
    await fc.assert(fc.asyncProperty(cases, tellsNothing), { numRuns: 8, endOnFailure: true });
  });
});

async function tellsNothing({ secret, token, paste, encodings, statuses }: Case): Promise<void> {
  const held = [secret, token];
  const writings = encodings.flatMap((name) => held.map((value) => writingOf(name, value)));
  const texts = writings.map(({ text }) => text);
  const text = (at: number): string => texts[at % texts.length]!;
  const folder = mkdtempSync(join(tmpdir(), 'runhook-'));
  const service = await Receiver.start();
  let answered = 0;
  service.otherwise = (_, response) => {
    const status = statuses[(answered += 1) % statuses.length]!;
    response.writeHead(status, {
      'x-echo': Buffer.from(text(answered)).toString('latin1'),
    });
    const [one, other] = [0, 1].map((more) => writings[(answered + more) % writings.length]!.inJson);
    response.end(`{"message": ${one}, "keys": [{"name": ${other}}], "writings": ${listOf(writings)}}`);
  };
  writeFileSync(
    join(folder, 'one.delivery.json'),
    `{"request": {"body": {"echo": ${listOf(writings)}}}, "expect": {"status": 204}}`,
  );
  const tools = new McpTools({
    allowWrite: true,
    folder,
    environment: {
      ...{ XDG_DATA_HOME: folder, LOCALAPPDATA: folder, WEBHOOK_SECRET: secret, RUNHOOK_TOKEN: paste(token) },
      ...{ RUNHOOK_BASE_URL: service.url, RUNHOOK_PROXY_URL: service.url },
    },
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const said: unknown[] = [];
  const send = far.send.bind(far);
  far.send = (message, options) => {
    said.push(message);
    return send(message, options);
  };
  const client = new Client({ name: 'test', version: '1' });
  const called = new Set<McpToolName>();
  const call = async (name: McpToolName, input: object): Promise<string> => {
    called.add(name);
    const { content } = await client.callTool({ name: mcpName(name), arguments: { ...input } });
    return content.map((one) => (one.type === 'text' ? one.text : '')).join('\n');
  };
  try {
    await tools.server().connect(far);
    await client.connect(near);
    const listener = await call('startListener', { forwardTo: service.url });
    const { url } = JSON.parse(listener) as { url: string };
    await deliver(url, secret, writings.slice(0, 4));
    const app = { projectId: 'p', appName: 'a' };
    await call('waitForDelivery', { runId: 'r-1', timeoutSeconds: 5 });
    await call('waitForDelivery', { runId: text(0), timeoutSeconds: 1 });
    const [, ...listed] = (await call('listDeliveries', { limit: 20 })).split('\n');
    const [{ id }] = JSON.parse(listed.join('\n')) as [{ id: string }];
    for (const one of [id, text(1)]) {
      await call('getDelivery', { id: one });
      await call('explainDelivery', { id: one });
      await call('replayDelivery', { id: one, resign: true });
      await call('deliverHere', { runId: one });
    }
    for (const one of ['x', text(2), text(3), text(4), text(5)]) {
      await call('runApp', { ...app, body: texts, webhook: true });
      await call('runApp', { ...app, path: one });
      await call('runApp', { ...app, appName: one, method: one });
      await call('runApp', { projectId: one, appName: 'a' });
      await call('listKeys', { projectId: 'p', serviceAccountId: one });
      await call('applySettings', { projectId: 'p', appId: one, settings: { gpuCount: 1 } });
      await call('applySettings', { projectId: 'p', appId: 'a', settings: { [one]: one, memory: one } });
      await call('validateSettings', { settings: { [one]: one, memory: one } });
      await call('sendTestDelivery', { to: service.url, body: texts });
      await call('sendTestDelivery', { to: one, body: one });
      await call('testFixtures', { paths: ['.'], to: service.url, only: ['one'] });
      await call('testFixtures', { paths: [one], to: one });
      await call('startSandbox', { apps: { [one]: one } });
      await call('startListener', { forwardTo: one });
      await call('listProjects', { [one]: one });
    }
    assert.deepEqual([...called].sort(), Object.keys(mcpTools).sort(), 'every tool is called');
    const { resources } = await client.listResources();
    assert.ok(resources.length > 2);
    const made = [text(6), encodeURIComponent(text(7)), `deliveries/${text(8)}`];
    for (const uri of [
      ...resources.map((one) => one.uri),
      ...made.map((one) => `runhook://${one}`),
      text(9),
    ]) {
      await client.readResource({ uri }).catch(() => undefined);
    }
    await client.callTool({ name: text(10), arguments: {} }).catch(() => undefined);
    for (const message of said) {
      const told = stringsIn(message);
      const writing = texts.find((one) => told.some((text) => text.includes(one)));
      assert.ok(writing === undefined, `${writing} is in: ${JSON.stringify(message).slice(0, 2000)}`);
    }
  } finally {
    await client.close();
    await tools.end();
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
