import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { nextFreePort } from '../../../scripts/start/demo.ts';

describe('nextFreePort', () => {
  it('passes over a port that is taken', async () => {
    const taken = createServer();
    const port = await new Promise<number>((resolve) => {
      taken.listen(0, '127.0.0.1', () => {
        const address = taken.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
    try {
      const next = await nextFreePort(port);
      assert.ok(next > port && next < port + 100, `${next} after ${port}`);
    } finally {
      taken.close();
    }
  });
});
