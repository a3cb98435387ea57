import assert from 'node:assert/strict';
import fc from 'fast-check';
import { request } from 'undici';
import { jsonOrText, plainBody } from '../../src/service/runs/plainBody.ts';
import { parseBody } from '../../src/service/client/answer.ts';
import { RunIdSearch } from '../../src/service/runs/runIdSearch.ts';
import { fewJsonTokens, prettyJson } from '../../src/shared/json/jsonText.ts';
import { readPayload } from '../../src/editor/run/payloads/payload.ts';
import { parsed } from '../../src/shared/json/exactJson.ts';
import { RecentValues } from '../../src/editor/run/payloads/recentValues.ts';
import { webhookEnvelope } from '../../src/service/webhookEnvelope.ts';
import type { SandboxServer } from '../../src/service/sandbox/sandboxServer.ts';
import { curlCommand } from '../../src/service/requests/copiedRequest.ts';
import { deliveryDocument } from '../../src/deliveries/deliveryDocument.ts';
import { readFixture } from '../../src/suite/fixture/readFixture.ts';
import { fixtureText } from '../../src/suite/fixture/savedFixture.ts';
import { replay, sendTest } from '../../src/deliveries/replay.ts';
import { deliveryOf } from '../support/deliveries/deliveryOf.ts';
import { Receiver } from '../support/http/receiver.ts';
import { startSandboxServer } from '../support/service/startSandboxServer.ts';

/** JSON that parsing and writing it anew would change. */
const texts = [
  '{"n":12345678901234567890,"f":1.0,"e":1e400}',
  '[-0,1E5,0.10,9007199254740993,-1.5e-400,1e+2]',
  '{"a":1.0,"a":2.50,"a":{"a":-0}}',
  String.raw`{"2":"\u00e9\/","1":"\ud800","__proto__":1.0}`,
  ' { "spaced" :\t[ 1.0 ,\n1.00 ] } ',
  '12345678901234567890',
];

/** Numbers as people and programs write them. */
const digits = fc.stringMatching(/^\[-?(0|[1-9][0-9]{0,24})(\.[0-9]{1,20})?([eE][-+]?[0-9]{1,4})?\]$/);

const tokensOf = (text: string) => fewJsonTokens(text, Infinity) as string[];
const delivery = (body: string) => deliveryOf('d-1', { body, bytes: body.length });
const sending = { now: () => 0 };

/** What is on screen or goes out where a text goes in: it holds the tokens of the text, one behind the other. */
const places: [where: string, made: (text: string) => string][] = [
  ['the answer of a run as it is shown', (text) => prettyJson(text) ?? text],
  ['what a run command returns', (text) => jsonOrText(text, 'application/json').bodyText ?? ''],
  ['the document of a delivery', (text) => deliveryDocument(delivery(text), [])],
  ['a fixture that is saved and read', (text) => readFixture(fixtureText(delivery(text))).bytes.toString()],
  ['a payload', (text) => readPayload(text).body ?? ''],
  ['the body in a settings block', (text) => readPayload(`{"$runhook":{"body":${text}}}`).body ?? ''],
  ['a payload beside a settings block', (text) => readPayload(`{"$runhook":{},"x":${text}}`).body ?? ''],
  ['the envelope', (result) => webhookEnvelope({ runId: 'r', appName: 'a', status: 200, result }, 0)],
];

function assertHolds(made: string, text: string): void {
  const separator = '\u0000';
  const inside = tokensOf(made).join(separator);
  assert.ok(inside.includes(tokensOf(text).join(separator)), `${text}\nbecame\n${made}`);
}

describe('the digits of JSON', () => {
  for (const [where, made] of places) {
    it(`are never changed in ${where}`, () => {
      for (const text of texts) assertHolds(made(text), text);
      const inexact = digits.filter((text) => JSON.stringify(JSON.parse(text)) !== text);
      fc.assert(fc.property(inexact, (text) => assertHolds(made(text), text)));
    });
  }

  it('are never changed in a copied command', () => {
    for (const body of texts) {
      const url = 'http://127.0.0.1:1/';
      const command = curlCommand({ method: 'POST', url, headers: {}, body: Buffer.from(body) }, []);
      if (!body.includes('\n')) assert.ok(command.includes(body), command);
    }
  });

  it('are those of the run in its id, and those of a key in a list', () => {
    const search = new RunIdSearch(undefined);
    search.end(Buffer.from('{"run_id":12345678901234567890}'));
    assert.equal(search.id, '12345678901234567890');
    assert.deepEqual(parseBody('[{"id":12345678901234567890,"at":1.5}]'), [
      { id: '12345678901234567890', at: 1.5 },
    ]);
  });

  it('are what is proposed for the next payload', () => {
    const recent = new RecentValues([parsed('{"n":12345678901234567890,"f":1.0}')]);
    assert.deepEqual(
      [...recent.entries([])],
      [
        ['n', '12345678901234567890'],
        ['f', '1.0'],
      ],
    );
  });

  it('leave a command its plain value alone where that holds all of them', () => {
    const text = '{"n":17,"f":-0.5,"s":"1.0"}';
    assert.deepEqual(plainBody(Buffer.from(text), 'application/json'), { body: JSON.parse(text) as unknown });
  });

  describe('on their way', () => {
    let app: Receiver;
    let hook: Receiver;
    let sandbox: SandboxServer;

    before(async () => {
      app = await Receiver.start();
      hook = await Receiver.start();
      sandbox = await startSandboxServer({ mine: app.url });
    });
    after(async () => {
      await sandbox.close();
      await app.close();
      await hook.close();
    });

    const run = async (name: string, body: string) => {
      const { proxyUrl, projectId, token } = sandbox.address;
      const query = `webhookEndpoint=${encodeURIComponent(hook.url)}`;
      const before = hook.received.length;
      const answer = await request(`${proxyUrl}/v4/${projectId}/${name}/run?${query}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body,
      });
      const direct = await answer.body.text();
      return { direct, webhook: (await hook.count(before + 1))[before]!.body.toString() };
    };

    it("are those of the user's app in its webhook, as it wrote them", async () => {
      for (const text of [...texts, ...fc.sample(digits, 100)]) {
        app.otherwise = (_, response) =>
          response.writeHead(200, { 'Content-Type': 'application/json' }).end(text);
        const { direct, webhook } = await run('mine', '{}');
        assert.equal(direct, text);
        assert.ok(webhook.includes(`"result":${text},`), webhook);
      }
    });

    it('are those of the call in what echo answers, and in its webhook', async () => {
      for (const text of [...texts, ...fc.sample(digits, 20)]) {
        const { direct, webhook } = await run('echo', text);
        assert.ok(direct.includes(`"body":${text}`), direct);
        assert.equal(webhook, direct);
      }
    });

    it('are those of a delivery that is replayed, and of a test delivery', async () => {
      for (const text of texts) {
        const kept = { method: 'POST', rawHeaders: ['Host', 'h'], body: Buffer.from(text) };
        const before = hook.received.length;
        await replay(kept, hook.url, undefined, sending);
        await replay(kept, hook.url, 'anew', sending);
        await sendTest(hook.url, text, 'anew', 'r-1', sending);
        for (const { body } of hook.received.slice(before)) assert.equal(body.toString(), text);
        assert.equal(hook.received.length, before + 3);
      }
    });
  });
});
