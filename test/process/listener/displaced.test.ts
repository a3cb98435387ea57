import assert from 'node:assert/strict';
import { ProgramWindows } from '../../support/listener/programWindows.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { waitFor } from '../../support/time/waitFor.ts';

describe('what strangers send to the listener program', () => {
  const windows = new ProgramWindows();
  let app: Receiver;
  before(async () => {
    app = await Receiver.start();
  });
  after(async () => {
    await windows.end();
    await app.close();
  });

  it('displaces nothing that verified, and lets no repeat of it be forwarded again', async () => {
    const window = await windows.open({
      settings: { keep: 1000, forwardTo: app.url, maxBodyBytes: 10 << 20 },
    });
    const { port } = await window.peer.call.listen({ port: 0 });
    const sender = windows.sender(port);
    const verified = Array.from({ length: 50 }, (_, index) => `r-${index}`);
    for (const id of verified) assert.equal(await sender.deliver(id, '{}'), 200);
    await app.count(50);
    const post = async (body: string | Uint8Array<ArrayBuffer>): Promise<number> =>
      (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })).status;
    for (let sent = 0; sent < 1500; sent += 50) {
      const statuses = await Promise.all(Array.from({ length: 50 }, () => post('{}')));
      assert.deepEqual(new Set(statuses), new Set([401]));
    }
    const large = new Uint8Array(10 << 20);
    for (let sent = 0; sent < 30; sent += 1) assert.equal(await post(large), 401);
    assert.equal(await sender.deliver('r-7', '{}'), 200);
    const { deliveries } = await window.peer.call.page({ filter: { verdict: 'verified' }, limit: 100 });
    const firsts = deliveries.filter(({ repeatOf }) => repeatOf === undefined);
    assert.deepEqual(firsts.map(({ requestId }) => requestId).reverse(), verified);
    const again = deliveries.find(({ repeatOf }) => repeatOf !== undefined);
    assert.equal(again?.repeatOf, firsts.find(({ requestId }) => requestId === 'r-7')?.id);
    await waitFor('the word of the repeat', () =>
      window.told.some(({ id, wasTaken }) => id === again?.id && wasTaken),
    );
    assert.equal(app.received.length, 50);
  });
});
