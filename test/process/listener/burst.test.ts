import assert from 'node:assert/strict';
import { sign } from '../../../src/service/signature/signature.ts';
import { sendBurst } from '../../support/listener/sendBurst.ts';
import { processSecret } from '../../support/listener/listenerProcess.ts';
import { ProgramWindows } from '../../support/listener/programWindows.ts';
import { waitFor } from '../../support/time/waitFor.ts';

const count = 10_000;

describe('a burst of deliveries', () => {
  const windows = new ProgramWindows();
  after(() => windows.end());

  it(`is told to the window whole, each of ${count} once, though far fewer are kept`, async () => {
    const window = await windows.open({ settings: { keep: 1000 } });
    const { port } = await window.peer.call.listen({ port: 0 });
    const timestamp = Math.floor(Date.now() / 1000).toString();
    const requests = Array.from({ length: count }, (_, index) => {
      const id = `r-${index}`;
      const signature = sign(processSecret, id, timestamp, Buffer.from('{}'));
      const lines = [
        'POST / HTTP/1.1',
        'Host: x',
        'Content-Length: 2',
        `X-Request-Id: ${id}`,
        `X-Service-Webhook-Timestamp: ${timestamp}`,
        `X-Service-Webhook-Signature: v1,${signature}`,
      ];
      return `${lines.join('\r\n')}\r\n\r\n{}`;
    });
    await sendBurst(port, requests, 32);
    await waitFor('the last', () => windows.requestIds(window).length >= count);
    assert.equal(new Set(windows.requestIds(window)).size, count);
    assert.equal(windows.requestIds(window).length, count);
    await waitFor('the store to be no more than it may', async () => {
      const { deliveries } = await window.peer.call.page({
        filter: { verdict: 'verified' },
        limit: 5000,
      });
      return deliveries.length === 1000;
    });
  });
});
