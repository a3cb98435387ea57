import assert from 'node:assert/strict';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { type Rpc, connectRpc, threadPort } from '../../../../src/model/processes/rpc.ts';
import { UserError } from '../../../../src/model/text/userError.ts';

interface Questions {
  double(number: number): number;
  fail(word: string): void;
  failForUser(): void;
  failInSystem(): void;
  giveWhatCannotBeSent(): unknown;
  wait(): void;
}

describe('calls between threads', () => {
  let ports: { port1: MessagePort; port2: MessagePort };
  let asks: Rpc<Questions>;
  beforeEach(() => {
    ports = new MessageChannel();
    asks = connectRpc<Questions, object>(threadPort(ports.port1), {});
    connectRpc<object, Questions>(threadPort(ports.port2), {
      double: async (number) => Promise.resolve(number * 2),
      fail: (word) => {
        throw new Error(word);
      },
      failForUser: () => {
        throw new UserError('There is no delivery 1.', { remedies: [{ kind: 'showLog' }] });
      },
      failInSystem: () => {
        throw Object.assign(new Error('listen EADDRINUSE'), { code: 'EADDRINUSE' });
      },
      giveWhatCannotBeSent: () => () => undefined,
      wait: () => new Promise(() => undefined),
    });
  });
  afterEach(() => ports.port1.close());

  it('each get the answer that is theirs', async () => {
    assert.deepEqual(await Promise.all([1, 2, 3].map((n) => asks.call.double(n))), [2, 4, 6]);
  });

  it('reject with the failure of the other side, and with an error for the user as one', async () => {
    await assert.rejects(asks.call.fail('a word'), { message: 'a word' });
    await assert.rejects(asks.call.fail('a word'), (error) => !(error instanceof UserError));
    await assert.rejects(asks.call.failForUser(), (error) => {
      assert.ok(error instanceof UserError);
      assert.deepEqual(error.remedies, [{ kind: 'showLog' }]);
      return error.message === 'There is no delivery 1.';
    });
    await assert.rejects(asks.call.failInSystem(), { code: 'EADDRINUSE' });
  });

  it('reject where nobody answers, whatever every object has', async () => {
    for (const name of ['unknown', 'constructor', '__proto__']) {
      await assert.rejects(asks.call.$call(name as 'double', 1), new RegExp(`Nobody answers "${name}"`));
    }
  });

  it('reject where the answer cannot be sent', async () => {
    await assert.rejects(asks.call.giveWhatCannotBeSent(), /could not be cloned/);
    assert.equal(await asks.call.double(1), 2);
  });

  it('reject when the connection is closed, and after that', async () => {
    const waiting = asks.call.wait();
    asks.close(new Error('The thread has ended.'));
    await assert.rejects(waiting, /The thread has ended/);
    await assert.rejects(asks.call.double(1), /The thread has ended/);
  });
});
