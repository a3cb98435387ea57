import assert from 'node:assert/strict';
import * as http from 'node:http';
import * as vscode from 'vscode';
import type { WholeDelivery } from '../../../src/contract/delivery.ts';
import { sign } from '../../../src/service/signature/signature.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { command } from '../../support/editor/inEditor.ts';
import { waitFor } from '../../support/time/waitFor.ts';

const secret = 'the secret of the explanations';
const largest = 10 * 1024 * 1024;
/** Generous, for a machine that does other things too: what is promised is 200 ms and 5 s. */
const longestStuckMs = 1000;
const longestMs = 10_000;

/** Sends a webhook as a stranger does, who does not know the secret. */
async function forge(url: string, body: string, signature = '0'.repeat(64)): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    'x-request-id': 'forged',
    'x-service-webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    'x-service-webhook-signature': `v1,${signature}`,
  };
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const request = http.request(url, { method: 'POST', headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    });
    request.on('error', reject);
    request.end(body);
  });
  assert.equal(status, 401);
}

/** How long the extension host was busy with something else at most, and how long the work took. */
async function measured<T>(work: () => PromiseLike<T>): Promise<{ value: T; stuck: number; took: number }> {
  let stuck = 0;
  let last = performance.now();
  const started = last;
  const tick = (): void => {
    const now = performance.now();
    stuck = Math.max(stuck, now - last);
    last = now;
  };
  const ticker = setInterval(tick, 10);
  try {
    const value = await work();
    tick();
    return { value, stuck, took: performance.now() - started };
  } finally {
    clearInterval(ticker);
  }
}

async function tool(input: object, token?: vscode.CancellationToken): Promise<string> {
  const options = { input, toolInvocationToken: undefined };
  const { content } = await vscode.lm.invokeTool('runhook_explainDelivery', options, token);
  const [part] = content;
  assert.ok(part instanceof vscode.LanguageModelTextPart);
  return part.value;
}

/** The editor tells of its tabs a little later. */
async function frontTab(label: RegExp): Promise<void> {
  const { tabGroups } = vscode.window;
  await waitFor('the tab in front', () => label.test(tabGroups.activeTabGroup.activeTab?.label ?? ''));
}

describe('explanations', () => {
  let url: string;

  before(async () => {
    await command('setWebhookSecret', { secret });
    ({ url } = await command<{ url: string }>('startListener', { port: 0 }));
    await command('clearDeliveries', {});
  });

  after(async () => {
    await command('clearDeliveries', {});
    await command('stopListener');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  async function newest(): Promise<WholeDelivery> {
    const [delivery] = await command<WholeDelivery[]>('listDeliveries', { limit: 1 });
    assert.ok(delivery);
    return delivery;
  }

  /** More of them: test/process/editor/deliveries/explanation/explainInThread.test.ts. */
  const bodies: [what: string, body: () => string][] = [
    ['187 KB of usual JSON', () => JSON.stringify(Array.from({ length: 9000 }, (_, i) => ({ i, s: 'é/<' })))],
    ['10 MiB of brackets', () => '['.repeat(largest / 2) + ']'.repeat(largest / 2)],
  ];
  for (const [what, body] of bodies) {
    it(`are made soon, while the extension host goes on: ${what}`, async () => {
      await forge(url, body());
      const { id } = await newest();
      const report = (how: string, { stuck, took }: { stuck: number; took: number }): void => {
        console.log(`      ${how}: ${Math.round(took)} ms, the host stuck for ${Math.round(stuck)} ms`);
        assert.ok(stuck < longestStuckMs, `${how}: the host was stuck for ${stuck} ms`);
        assert.ok(took < longestMs, `${how}: it took ${took} ms`);
      };
      const first = await measured(() => command<string>('explainDelivery', { id }));
      report('Explain Delivery', first);
      assert.match(first.value, /The signature does not match\.\nNone of /);
      await frontTab(/^Explain /);
      const again = await measured(() => tool({ id }));
      report('once more, by a tool', again);
      assert.ok(again.took < first.took, 'what was explained is not explained anew');
      const { headers, body: pasted } = await newest();
      report(
        'Verify a Signature',
        await measured(() => command('verifySignature', { headers, body: pasted, secret })),
      );
    });
  }

  it('tell what the handler made of a delivery that did not verify, and was sent to it all the same', async () => {
    const handler = await Receiver.start();
    handler.otherwise = 500;
    try {
      await forge(url, '{"run_id":"anyway"}');
      const { id } = await newest();
      assert.doesNotMatch(await tool({ id }), /from your handler/);
      await command('replayDelivery', { id, to: handler.url });
      const failed = /500 from your handler\.[^]*The signature does not match\./;
      await waitFor('the failure', async () => failed.test(await tool({ id })));
      handler.otherwise = (_, response) => response.writeHead(307, { Location: '/hook' }).end();
      await command('replayDelivery', { id, to: handler.url });
      await waitFor('where it leads', async () =>
        (await tool({ id })).includes(`Forward to ${handler.url}/hook, the address`),
      );
      handler.otherwise = 200;
      await command('replayDelivery', { id, to: handler.url });
      const taken = /200 from your handler · replayed · [^]*The signature does not match\./;
      await waitFor('the 200', async () => taken.test(await tool({ id })));
    } finally {
      await handler.close();
    }
  });

  it('stop where a model has given up', async () => {
    await forge(url, ' '.repeat(largest - 1));
    const { id } = await newest();
    const cancelling = new vscode.CancellationTokenSource();
    setTimeout(() => cancelling.cancel(), 300);
    const { took } = await measured(async () => assert.rejects(tool({ id }, cancelling.token)));
    assert.ok(took < 2500, `it took ${took} ms`);
  });

  it('tell nobody a signature that would make a forgery verify', async () => {
    await forge(url, '{"run_id":"forged"}', 'f'.repeat(64));
    const { id, headers, body } = await newest();
    const timestamp = headers['x-service-webhook-timestamp'] ?? '';
    const expected = sign(secret, 'forged', timestamp, Buffer.from(body));
    for (const text of [await tool({ id }), await command<string>('explainDelivery', { id })]) {
      assert.match(text, /expected {2}hidden/);
      assert.ok(!text.includes(expected));
    }
  });

  it('of a pasted request leave it out too', async () => {
    const headers = {
      'x-request-id': 'pasted',
      'x-service-webhook-timestamp': '1790000000',
      'x-service-webhook-signature': `v1,${'a'.repeat(64)}`,
    };
    const text = await command<string>('verifySignature', { headers, body: '{}', secret });
    assert.match(text, /expected {2}hidden/);
    assert.ok(!text.includes(sign(secret, 'pasted', '1790000000', Buffer.from('{}'))));
    await frontTab(/^Verify a Signature$/);
  });

  it('have one tab, for the delivery that was explained last', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const labels = () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
    await forge(url, '{"run_id":"one"}');
    const { id: one } = await newest();
    await forge(url, '{"run_id":"two"}');
    const { id: two } = await newest();
    for (const id of [one, two]) await command('explainDelivery', { id });
    await waitFor('the tab', () => /^Explain two [\d:]{8}$/.test(labels().join()));
    // The editor splits for a link of the walkthrough: the tab goes to the group that is there for it.
    await vscode.commands.executeCommand('workbench.action.newGroupRight');
    await waitFor('the group', () => vscode.window.tabGroups.activeTabGroup.tabs.length === 0);
    await command('explainDelivery', { id: one });
    const groups = () => vscode.window.tabGroups.all.map(({ tabs }) => tabs.map(({ label }) => label).join());
    await waitFor('the tab in it', () => /^Explain one [\d:]{8}$/.test(groups().at(-1) ?? ''));
    // No button of it would do anything then.
    await command('clearDeliveries', {});
    await waitFor('its end with its delivery', () => labels().length === 0);
  });
});
