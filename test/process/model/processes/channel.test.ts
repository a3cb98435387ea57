import assert from 'node:assert/strict';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { type Calls, Channel } from '../../../../src/model/processes/channel.ts';
import { UserError } from '../../../../src/model/text/userError.ts';

type Questions = {
  double: { takes: number; gives: number };
  fail: { takes: string; gives: null };
  wait: { takes: null; gives: null };
};
type None = Calls;

describe('the channel between threads', () => {
  let ports: { port1: MessagePort; port2: MessagePort };
  let asks: Channel<Questions, None>;
  beforeEach(() => {
    ports = new MessageChannel();
    asks = new Channel<Questions, None>(ports.port1, {});
    new Channel<None, Questions>(ports.port2, {
      double: async (takes) => Promise.resolve(takes * 2),
      fail: (takes) => {
        throw new Error(takes);
      },
      wait: () => new Promise(() => undefined),
    });
  });
  afterEach(() => ports.port1.close());

  it('brings each reply to its request', async () => {
    assert.deepEqual(await Promise.all([1, 2, 3].map((n) => asks.request('double', n))), [2, 4, 6]);
  });

  it('brings a failure back, and an error for the user as one', async () => {
    await assert.rejects(asks.request('fail', 'a word'), { message: 'a word' });
    await assert.rejects(asks.request('fail', 'a word'), (error) => !(error instanceof UserError));
  });

  it('rejects what nobody answers', async () => {
    await assert.rejects(asks.request('unknown' as 'double', 1), /Nobody answers "unknown"/);
  });

  it('rejects what waits when it is closed, and what comes after', async () => {
    const waiting = asks.request('wait', null);
    asks.close(new Error('The thread has ended.'));
    await assert.rejects(waiting, /The thread has ended/);
    await assert.rejects(asks.request('double', 1), /The thread has ended/);
  });
});

describe('an error that travels', () => {
  it('keeps its kind and its code', async () => {
    const { port1, port2 } = new MessageChannel();
    const asks = new Channel<{ user: Questions['wait']; system: Questions['wait'] }, None>(port1, {});
    new Channel<None, { user: Questions['wait']; system: Questions['wait'] }>(port2, {
      user: () => {
        throw new UserError('There is no delivery 1.');
      },
      system: () => {
        throw Object.assign(new Error('listen EADDRINUSE'), { code: 'EADDRINUSE' });
      },
    });
    await assert.rejects(asks.request('user', null), (error) => error instanceof UserError);
    await assert.rejects(asks.request('system', null), { code: 'EADDRINUSE' });
    port1.close();
  });
});
