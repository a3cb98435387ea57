import assert from 'node:assert/strict';
import { sign } from '../../../src/service/signature/signature.ts';
import { hasNats, NatsServer } from '../../support/relay/natsServer.ts';
import { killUnderLoad } from '../../support/relay/relayKills.ts';
import { relaySecret, removeFolder, startRelayedListener } from '../../support/relay/relayedListener.ts';
import { startRelay, TestChannel } from '../../support/relay/relayRig.ts';
import { waitFor } from '../../support/time/waitFor.ts';

const noNats = hasNats ? '' : ' (not run: this machine has no nats-server)';
const itWithNats = (title: string, test: () => Promise<void>) => (hasNats ? it(title, test) : it(title));

describe(`what is posted to a relay${noNats}`, () => {
  itWithNats(
    'waits until a reader comes: 10,000 are listed once, verified, in the order of their arrival',
    async () => {
      const nats = await NatsServer.start();
      const { relay, url } = await startRelay([nats.url]);
      const channel = await TestChannel.open(url);
      const count = 10_000;
      let next = 0;
      const post = async (): Promise<void> => {
        for (let at = next++; at < count; at = next++) {
          const id = `r-${at}`;
          const timestamp = String(Math.floor(Date.now() / 1000));
          const headers = {
            'x-request-id': id,
            'x-service-webhook-timestamp': timestamp,
            'x-service-webhook-signature': `v1,${sign(relaySecret, id, timestamp, Buffer.from('{}'))}`,
          };
          assert.equal(await channel.post('{}', 'runhook/hello', headers), 200);
        }
      };
      await Promise.all(Array.from({ length: 16 }, post));
      // One more than the channel holds: the service gets no answer.
      assert.equal(await channel.post('{}'), undefined);
      const reader = await startRelayedListener({ url, key: channel.key });
      await waitFor('all of them', () => reader.arrived.length >= count);
      const kept = reader.own.store.page({}, count + 1).deliveries.toReversed();
      assert.equal(new Set(kept.map(({ requestId }) => requestId)).size, count);
      assert.equal(kept.length, count);
      assert.ok(kept.every(({ verdict, appName }) => verdict === 'verified' && appName === 'hello'));
      // By the time at which the relay took each.
      const takenAt = kept.map(({ receivedAt, waitedMs = 0 }) => Date.parse(receivedAt) - waitedMs);
      assert.deepEqual(
        takenAt,
        takenAt.toSorted((one, other) => one - other),
      );
      await waitFor('room for more', async () => (await channel.post('{}')) === 200);
      await reader.end();
      removeFolder(reader.folder);
      await relay.end();
      await nats.remove();
    },
  );

  itWithNats('is listed once, although leader, relay and reader are killed under load', async () => {
    const { kills, acknowledged, lost, twice } = await killUnderLoad(
      ['leader', 'relay', 'reader'],
      () => undefined,
    );
    assert.equal(kills, 3);
    assert.ok(acknowledged >= 160, `${acknowledged} were acknowledged`);
    assert.deepEqual([lost, twice], [[], []]);
  });
});
