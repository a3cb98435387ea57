import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { tellOutcome } from '../../../src/editor/deliveries/tellSent.ts';
import { statusBarMessagesDuring } from '../../support/editor/statusBarMessages.ts';
import { eventually, expectMessage, setSetting, shownMessages } from '../../support/editor/inEditor.ts';
import { DeliveriesTree } from '../../../src/editor/deliveries/view/deliveriesView.ts';
import { answerPromptsCommand } from '../../../src/editor/kit/scriptedPrompts.ts';
import type { Delivery } from '../../../src/contract/delivery.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { waitFor } from '../../support/time/waitFor.ts';

const run = <T>(command: string, argument?: object): Thenable<T> =>
  vscode.commands.executeCommand<T>(`runhook.${command}`, argument);

const answer = (...answers: unknown[]) => vscode.commands.executeCommand(answerPromptsCommand, answers);

describe('a handler that fails and is mended', function () {
  // Each test goes on where the one before has ended.
  this.bail(true);
  let app: Receiver;
  let id: string;

  before(async () => {
    app = await Receiver.start();
    await setSetting('listener.forwardTo', app.url);
    await run('startListener', { port: 0 });
    await run('clearDeliveries', {});
    app.behaviours = [(_, response) => response.writeHead(500).end("KeyError: 'prompt'")];
    await run('sendTestDelivery', { body: { run_id: 'r-1' } });
  });

  after(async () => {
    await setSetting('listener.forwardTo', undefined);
    await run('clearDeliveries', {});
    await run('stopListener');
    await app.close();
  });

  async function withAttempts(count: number): Promise<Delivery> {
    return waitFor(`${count} attempts`, async () => {
      const [delivery] = await run<Delivery[]>('listDeliveries', { limit: 1 });
      return delivery?.attempts?.length === count ? delivery : undefined;
    });
  }

  /** The row of the delivery, and those under it, as the view draws them. */
  async function rows(): Promise<vscode.TreeItem[]> {
    const deliveries = await run<Delivery[]>('listDeliveries');
    const tree = new DeliveriesTree(() => ({ deliveries, hasMore: false }));
    const [row] = tree.getChildren();
    return [row, ...tree.getChildren(row)].flatMap((node) => (node ? tree.getTreeItem(node) : []));
  }

  const iconOf = ({ iconPath }: vscode.TreeItem) => (iconPath as vscode.ThemeIcon | undefined)?.id;

  it('is seen at the row', async () => {
    ({ id } = await withAttempts(1));
    const [row, ...below] = await rows();
    assert.equal(iconOf(row!), 'warning');
    assert.equal(row!.description, `500 "KeyError: 'prompt'" · now`);
    assert.match(
      row!.tooltip as string,
      /returned 500 in \d+ ms\. In production the service would not try again\./,
    );
    assert.deepEqual(below, []);
  });

  it('gives its answer to whoever replays, and is seen to have taken it', async () => {
    app.behaviours = [(_, response) => response.writeHead(200, { 'X-Job': '7' }).end('{"taken":true}')];
    const replayed = await run<{ status: number; headers: Record<string, string>; body: string }>(
      'replayDelivery',
      { id },
    );
    assert.equal(replayed.status, 200);
    assert.equal(replayed.headers['x-job'], '7');
    assert.equal(replayed.body, '{"taken":true}');
    const { forward, attempts = [] } = await withAttempts(2);
    assert.deepEqual(
      attempts.map(({ kind, status }) => [kind, status]),
      [
        ['forward', 500],
        ['replay', 200],
      ],
    );
    assert.deepEqual(forward, attempts[1]);
    const [row, last, first] = await rows();
    assert.equal(iconOf(row!), 'pass');
    assert.match(String(row!.description), /^200 · \d+ ms · now · replayed$/);
    assert.match(row!.tooltip as string, /returned 200 in \d+ ms\.$/m);
    assert.deepEqual(
      [last, first].map((one) => iconOf(one!)),
      ['debug-restart', 'circle-filled'],
    );
    assert.match(last!.accessibilityInformation!.label, /^200 in \d+ ms, replayed, .*\d:\d\d/);
    assert.match(first!.accessibilityInformation!.label, /^500 in \d+ ms, .*\d:\d\d/);
    assert.match(first!.tooltip as string, /KeyError/);
    assert.equal(new Set([row!.id, last!.id, first!.id]).size, 3);
  });

  it('is sent nothing more of what it refused', async () => {
    const before = app.received.length;
    await answer('All that failed in your handler');
    await expectMessage(run('replayDeliveries'), /no delivery to replay/);
    assert.equal(app.received.length, before);
  });

  it('is known by the next program too', async () => {
    const { attempts } = await withAttempts(2);
    await run('stopListener');
    await run('startListener', { port: 0 });
    assert.deepEqual((await withAttempts(2)).attempts, attempts);
  });

  it('is seen to fail again, also where it does not exist', async () => {
    app.behaviours = ['drop'];
    await assert.rejects(run('replayDelivery', { id, resign: true }) as Promise<unknown>, /disconnected/);
    const { attempts = [] } = await withAttempts(3);
    assert.equal(attempts[2]?.kind, 'signedAnew');
    const [row, last] = await rows();
    assert.equal(iconOf(row!), 'warning');
    assert.match(String(row!.description), /^handler disconnected · now · signed anew$/);
    assert.match(String(last!.description), /^signed anew · \d\d:\d\d:\d\d$/);
    app.behaviours = ['drop'];
    await answer({ kept: true });
    const { verbs } = await expectMessage(run('replayDelivery'), /disconnected/);
    assert.deepEqual(verbs, ['Try Again', 'Debug This Delivery', 'Forward to…']);
    app.behaviours = [(_, response) => response.writeHead(500).end('KeyError: x')];
    await answer({ kept: true });
    await run('replayDelivery');
    const { message, verbs: next } = await eventually(async () => (await shownMessages()).at(-1));
    assert.match(message, /^Your handler returned 500 in \d+ ms\. It responded: KeyError: x\.$/);
    assert.deepEqual(next, ['Explain']);
    app.behaviours = ['drop', 500];
    await answer('All that failed in your handler');
    await run('replayDeliveries');
    const several = await eventually(async () => (await shownMessages()).at(-1));
    const none = 'Your handler accepted 0 of 1 replayed deliveries.';
    assert.match(several.message, /^Your handler accepted 0 of 1 .* Your handler at \S+ disconnected\.$/);
    assert.deepEqual(several.verbs, ['Try Again']);
    await answer('All that failed in your handler');
    await run('replayDeliveries');
    const answered = await eventually(async () => (await shownMessages()).at(-1));
    assert.deepEqual([answered.message, answered.verbs], [none, ['Explain']]);
    await answer('All that failed in your handler');
    const replayed = await run<{ id: string; status: number }[]>('replayDeliveries');
    assert.deepEqual(
      replayed.map((one) => [one.id, one.status]),
      [[id, 200]],
    );
  });

  it('leads to an address for the handler where there is none that a replay could go to', async () => {
    await setSetting('listener.forwardTo', undefined);
    const kept = await run<Delivery[]>('listDeliveries');
    for (const [command, picked] of [
      ['replayDelivery', { kept: true }],
      ['replayDeliveries', 'From one delivery to the newest…'],
    ] as const) {
      await answer(picked, { kept: true });
      const { verbs } = await expectMessage(run(command), /^There is no handler to replay to\.$/);
      assert.deepEqual(verbs, ['Forward to…', 'Debug a Handler…']);
    }
    assert.equal((await run<Delivery[]>('listDeliveries')).length, kept.length, 'nothing arrived again');
    await setSetting('listener.forwardTo', app.url);
  });

  it('is what a test delivery tells of, and not the response of the listener', async () => {
    app.behaviours = [(_, response) => response.writeHead(500).end('no test here')];
    const told = await statusBarMessagesDuring(async () => {
      assert.equal((await run<{ status: number }>('sendTestDelivery', {})).status, 200);
      const [sent] = await run<Delivery[]>('listDeliveries', { limit: 1 });
      assert.equal(sent!.appName, 'test');
      const received = new vscode.EventEmitter<Delivery>();
      const changed = new vscode.EventEmitter<Delivery>();
      const events = { onDidReceiveDelivery: received.event, onDidChangeDelivery: changed.event };
      const page = () =>
        Promise.resolve({ deliveries: [{ ...sent!, isForwarding: true as const }], hasMore: false });
      const telling = tellOutcome({ ...events, page }, sent!.runId!);
      changed.fire(await withAttempts(1));
      await telling;
      for (const one of [received, changed]) one.dispose();
    });
    assert.ok(told.includes('$(warning) Test delivery: 500 "no test here"'), told.join('\n'));
  });
});
