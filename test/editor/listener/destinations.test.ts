import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Destinations } from '../../../src/editor/listener/destinations.ts';
import type { Delivery } from '../../../src/contract/delivery.ts';
import { AnsweredPrompts } from '../../support/editor/answeredPrompts.ts';
import { answerPrompts, command, deliveries, eventually, setSetting } from '../../support/editor/inEditor.ts';
import { MemoryMemento } from '../../support/editor/memoryMemento.ts';
import { Receiver } from '../../support/http/receiver.ts';

const { Global, Workspace } = vscode.ConfigurationTarget;

describe('where deliveries may go', () => {
  let app: Receiver;
  /** Reaches the app, and yet is no address of this machine by its name. */
  const address = (path: string) => `http://0.0.0.0:${new URL(app.url).port}/${path}`;
  const forwardTo = (to: string | undefined, target: vscode.ConfigurationTarget) =>
    setSetting('listener.forwardTo', to, target);

  before(async () => {
    app = await Receiver.start();
    await command('startListener', { port: 0 });
    await command('clearDeliveries');
  });

  afterEach(async () => {
    await forwardTo(undefined, Workspace);
    await forwardTo(undefined, Global);
    app.received.length = 0;
  });

  after(async () => {
    await command('clearDeliveries');
    await command('stopListener');
    await app.close();
  });

  /** Has a delivery arrive; resolves once it is kept. */
  async function arrive(): Promise<Delivery> {
    await command('sendTestDelivery');
    return (await deliveries())[0]!;
  }

  const isForwarded = async ({ id }: Delivery) => {
    const [kept] = (await deliveries()).filter((one) => one.id === id);
    return kept?.forward?.status;
  };

  it('keeps what a workspace has forwarded to another machine, until the user allows it', async () => {
    await forwardTo(address('first'), Workspace);
    const kept = await arrive();
    await answerPrompts(false);
    await assert.rejects(
      command('replayDelivery', { id: kept.id }),
      /Nothing was sent to http:\/\/0\.0\.0\.0/,
    );
    assert.equal(app.received.length, 0);
    assert.equal(await isForwarded(kept), undefined);

    await answerPrompts(true);
    await command('replayDelivery', { id: kept.id });
    assert.equal(app.received.length, 1);
    const next = await arrive();
    await eventually(() => isForwarded(next));
    assert.equal(app.received.length, 2);
  });

  it('asks anew for another address', async () => {
    await forwardTo(address('second'), Workspace);
    const kept = await arrive();
    await answerPrompts(false);
    await assert.rejects(command('replayDelivery', { id: kept.id }), /Nothing was sent/);
    assert.equal(app.received.length, 0);
  });

  it('asks for nothing where the user sets the address', async () => {
    await forwardTo(address('ofUser'), Global);
    const arrived = await arrive();
    await eventually(() => isForwarded(arrived));
    await forwardTo(address('ofUser'), Workspace);
    await command('replayDelivery', { id: arrived.id });
    assert.equal(app.received.length, 2);
  });

  it('asks for the address that a caller gives, once for all deliveries', async () => {
    const ids = [await arrive(), await arrive()].map(({ id }) => id);
    const to = address('caller');
    for (const [name, argument] of [
      ['replayDelivery', { id: ids[0], to }],
      ['replayDeliveries', { ids, to }],
      ['sendTestDelivery', { to }],
    ] as const) {
      await answerPrompts(false);
      await assert.rejects(command(name, argument), /Nothing was sent/, name);
    }
    assert.equal(app.received.length, 0);
    assert.deepEqual(await answerPrompts(true), []);
    await command('replayDeliveries', { ids, to });
    await command('sendTestDelivery', { to });
    assert.equal(app.received.length, 3);
  });

  it('takes an address that the user types', async () => {
    await arrive();
    await answerPrompts({ kept: true }, 'To Another Address…', address('typed'));
    await command('replayDeliveryAs');
    assert.equal(app.received.length, 1);
  });

  it('holds to a no, and says how to change it', async () => {
    const destinations = new Destinations(new MemoryMemento(), new AnsweredPrompts());
    try {
      await forwardTo('https://app.example/hook', Workspace);
      assert.deepEqual(destinations.forward.rest, { kind: 'unanswered', to: 'https://app.example/hook' });
      await destinations.answer('https://app.example/hook', false);
      assert.equal(destinations.forward.rest.kind, 'refused');
      await assert.rejects(
        destinations.allow('https://app.example/hook'),
        /You did not allow .* in your user settings/,
      );
    } finally {
      destinations.dispose();
    }
  });
});
