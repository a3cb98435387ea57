import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { statusBarMessagesDuring } from '../../support/editor/statusBarMessages.ts';
import { command } from '../../support/editor/inEditor.ts';

interface Listening {
  port: number;
  url: string;
}

describe('the port of the listener', () => {
  const start = () => command<Listening>('startListener');
  afterEach(() => command('stopListener'));

  it('stays the same over a stop and a start', async () => {
    const { port } = await command<Listening>('startListener', { port: 0 });
    await command('stopListener');
    assert.equal((await start()).port, port);
  });

  it('is told to whoever starts a listener that listens already', async () => {
    const { url } = await start();
    assert.deepEqual(await statusBarMessagesDuring(start), [`The listener is running on ${url}.`]);
    await command('stopListener');
    assert.deepEqual(await statusBarMessagesDuring(start), []);
  });

  it('stays where another cannot be had', async () => {
    const { port, url } = await command<Listening>('startListener', { port: 0 });
    const inTheWay = createServer().listen(0, '127.0.0.1');
    await once(inTheWay, 'listening');
    const { port: taken } = inTheWay.address() as AddressInfo;
    await assert.rejects(command('startListener', { port: taken }), /is in use by another program or window/);
    inTheWay.close();
    const { status } = await fetch(`http://127.0.0.1:${port}`);
    assert.equal(status, 405, 'it answers there');
    assert.deepEqual(await statusBarMessagesDuring(start), [`The listener is running on ${url}.`]);
  });
});
