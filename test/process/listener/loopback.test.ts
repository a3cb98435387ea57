import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { ListenerRig } from '../../support/listener/listenerRig.ts';

/** Whether something answers there. */
function isReached(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2000 });
    const end = (reached: boolean) => {
      socket.destroy();
      resolve(reached);
    };
    socket.on('connect', () => end(true));
    socket.on('error', () => end(false));
    socket.on('timeout', () => end(false));
  });
}

describe('where the listener is reached', () => {
  const rig = new ListenerRig();
  before(() => rig.start());
  after(() => rig.end());

  it('listens on the loopback address alone', async () => {
    assert.equal(await isReached('127.0.0.1', rig.port), true);
    // A second loopback address stands for a machine without a network.
    const others = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    const outside = others.filter(({ internal, family }) => !internal && family === 'IPv4');
    for (const address of ['127.0.0.2', ...outside.map((one) => one.address)]) {
      assert.equal(await isReached(address, rig.port), false, address);
    }
  });
});
