import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { verdicts } from '../../../src/contract/values.ts';
import type { Replay } from '../../../src/editor/listener/feature.ts';
import { languageModelTool } from '../../../src/editor/agents/tool.ts';
import { toolSet } from '../../../src/editor/agents/tools.ts';
import type { ToolTextsParts } from '../../../src/editor/agents/toolTexts.ts';
import { type WindowHostParts, windowHost } from '../../../src/editor/agents/windowHost.ts';
import { type Delivery } from '../../../src/contract/delivery.ts';
import type { ForwardTarget } from '../../../src/deliveries/destination.ts';
import type { Answer } from '../../../src/deliveries/listenerProtocol.ts';
import { impatientMs } from '../../../src/deliveries/replay.ts';
import { deliveryOf } from '../../support/deliveries/deliveryOf.ts';

const to = 'http://127.0.0.1:3000/hook';
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtZSJ9.c2lnbmF0dXJlLW9mLWl0';

describe('the tool that replays a delivery', () => {
  const log = vscode.window.createOutputChannel('Tool Replay', { log: true });
  let forward: ForwardTarget;
  let delivery: Delivery;
  let replayed: unknown[];
  let stopped: number;
  let cancel: vscode.CancellationTokenSource;
  let answer: () => Promise<Answer>;

  beforeEach(() => {
    forward = { kind: 'given', to };
    delivery = deliveryOf('d-1', { runId: 'r-1', appName: 'echo', path: '/hook' });
    [replayed, stopped] = [[], 0];
    cancel = new vscode.CancellationTokenSource();
    const headers = { 'x-echo': jwt };
    answer = () => Promise.resolve({ status: 500, durationMs: 3, headers, body: `no ${jwt} held-secret` });
  });
  after(() => log.dispose());

  const tool = () => {
    const listener = {
      get: () => Promise.resolve(delivery),
      destinations: { forwardOf: () => forward },
      sender: {
        replay: (what: Replay, signal: AbortSignal) => {
          signal.addEventListener('abort', () => (stopped += 1));
          replayed.push({ ...what, to: String(what.to) });
          return answer();
        },
      },
    };
    const guard = { held: () => Promise.resolve(['held-secret']), log };
    const parts = { listener } as unknown as WindowHostParts & ToolTextsParts;
    return languageModelTool('replayDelivery', toolSet(parts, windowHost(parts)), guard);
  };

  async function ask(input: object): Promise<vscode.LanguageModelToolConfirmationMessages> {
    const { confirmationMessages } = (await tool().prepareInvocation?.({ input }, cancel.token)) ?? {};
    assert.ok(confirmationMessages);
    return confirmationMessages;
  }

  async function replay(more: object = {}): Promise<unknown> {
    const options = { input: { id: 'd-1', ...more }, toolInvocationToken: undefined };
    const [part] = (await tool().invoke(options, cancel.token))?.content ?? [];
    assert.ok(part instanceof vscode.LanguageModelTextPart);
    return JSON.parse(part.value);
  }

  it('sends it to the local app, and tells what that answered, masked', async () => {
    assert.deepEqual(await replay(), { to, status: 500, durationMs: 3, answer: 'no •••••••• ••••••••' });
    await replay({ resign: true });
    assert.deepEqual(replayed, [
      { id: 'd-1', to, resign: false, limitMs: impatientMs },
      { id: 'd-1', to, resign: true, limitMs: impatientMs },
    ]);
  });

  it('asks first, and shows where it goes and which delivery it is', async () => {
    const { title, message } = await ask({ id: 'd-1' });
    assert.equal(title, `Replay a delivery to ${to}?`);
    assert.ok(message instanceof vscode.MarkdownString && message.isTrusted !== true);
    assert.match(message.value, /as&nbsp;it&nbsp;came/);
    assert.match(
      message.value,
      /```http\nPOST \/hook\necho\nr-1\nverified · 2026-11-20T12:00:00\.000Z · 2 B\n```/,
    );
    const again = (await ask({ id: 'd-1', resign: true })).message;
    assert.match(typeof again === 'string' ? again : again.value, /signed&nbsp;anew/);
    assert.deepEqual(replayed, []);
  });

  it('asks in words that what has arrived cannot write', async () => {
    delivery = deliveryOf('d-1', { path: '/\n```\n**No.**', appName: '```', runId: `r\n${jwt}` });
    const { message } = await ask({ id: 'd-1' });
    const text = typeof message === 'string' ? message : message.value;
    assert.match(text, /^````+http\nPOST \/·```·\*\*No\.\*\*\n```\nr·•{8}\nverified .*\n````+$/m);
  });

  const elsewhere: [string, ForwardTarget, RegExp][] = [
    ['no app', { kind: 'off' }, /no handler to replay to/],
    ['one on another machine', { kind: 'given', to: 'https://elsewhere.invalid/' }, /not on this machine/],
    ['one that was refused', { kind: 'refused', to: 'https://elsewhere.invalid/' }, /not on this machine/],
    ['no address', { kind: 'invalid', text: 'ftp://x' }, /not an http or https address/],
  ];
  it('goes to no other machine, and to none that the model names', async () => {
    for (const [what, target, reason] of elsewhere) {
      forward = target;
      await assert.rejects(replay(), reason, what);
      await assert.rejects(ask({ id: 'd-1' }), reason, what);
    }
    forward = { kind: 'given', to };
    for (const more of [{ to: 'http://127.0.0.1:1/' }, { body: '{}' }, { headers: {} }])
      await assert.rejects(replay(more), /is not valid/);
    assert.deepEqual(replayed, []);
  });

  it('signs nothing again that a stranger may have sent', async () => {
    for (const verdict of verdicts) {
      delivery = deliveryOf('d-1', { verdict });
      replayed = [];
      const wasRight = verdict === 'verified' || verdict === 'stale';
      if (wasRight) await replay({ resign: true });
      else {
        await assert.rejects(replay({ resign: true }), /may not sign anew a delivery/, verdict);
        await assert.rejects(ask({ id: 'd-1', resign: true }), /may not sign anew a delivery/, verdict);
      }
      assert.equal(replayed.length, wasRight ? 1 : 0, verdict);
    }
  });

  it('is broken off when its call is cancelled', async () => {
    const sent = Promise.withResolvers<undefined>();
    answer = () => {
      sent.resolve(undefined);
      return new Promise(() => undefined);
    };
    const running = replay();
    await sent.promise;
    cancel.cancel();
    await assert.rejects(running, vscode.CancellationError);
    assert.equal(stopped, 1);
  });
});
