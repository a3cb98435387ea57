import assert from 'node:assert/strict';
import { briefly } from '../../support/briefly.ts';
import { command } from '../../support/inEditor.ts';

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
    assert.deepEqual(await briefly(start), [`The listener is already running on ${url}.`]);
    await command('stopListener');
    assert.deepEqual(await briefly(start), []);
  });
});
