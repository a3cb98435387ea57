import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Arrival } from '../../../src/model/listenerProtocol.ts';
import { Outbox } from '../../../src/webhooks/outbox.ts';
import { waitFor } from '../../support/waitFor.ts';

describe('the news for the host', () => {
  const told: string[][] = [];
  let outbox: Outbox;
  beforeEach(() => {
    told.length = 0;
    outbox = new Outbox({
      arrival: (id) => ({ delivery: { id } }) as Arrival,
      delivery: () => undefined,
      unverified: () => 0,
      send: (news) => Promise.resolve(told.push(news.arrivals.map(({ delivery }) => delivery.id))),
    });
  });
  afterEach(() => outbox.close());

  it('goes in one message for all that came meanwhile, in order', async () => {
    outbox.arrived('a');
    outbox.arrived('b');
    await waitFor('the message', () => told.length > 0);
    assert.deepEqual(told, [['a', 'b']]);
  });

  it('comes whole in a flood', async () => {
    const ids = Array.from({ length: 2000 }, (_, index) => `d-${index}`);
    for (const id of ids) outbox.arrived(id);
    await waitFor('all of it', () => told.flat().length === ids.length);
    assert.deepEqual(told.flat(), ids);
    assert.ok(told.every((some) => some.length <= 500));
  });

  it('is not read once the journal is closed', async () => {
    outbox.arrived('a');
    outbox.close();
    outbox.arrived('b');
    await pause(30);
    assert.deepEqual(told, []);
  });
});
