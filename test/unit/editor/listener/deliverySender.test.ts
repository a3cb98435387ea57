import assert from 'node:assert/strict';
import { DeliverySender } from '../../../../src/editor/listener/deliverySender.ts';
import { deliveryOf } from '../../../support/deliveries/deliveryOf.ts';

type Parts = ConstructorParameters<typeof DeliverySender>[0];

describe('a replay that is cancelled', () => {
  const what = { id: 'd-1', to: new URL('http://127.0.0.1:3000/') };
  let asked: string[];
  let abort: AbortController;
  let configure: () => Promise<void>;
  let replayed: PromiseWithResolvers<unknown>;

  beforeEach(() => {
    asked = [];
    abort = new AbortController();
    configure = () => Promise.resolve();
    replayed = Promise.withResolvers();
  });

  const sender = () => {
    const program = {
      get: () => {
        asked.push('get');
        return Promise.resolve(deliveryOf('d-1'));
      },
      replay: () => {
        asked.push('replay');
        return replayed.promise;
      },
      stopReplays: () => {
        asked.push('stopReplays');
        replayed.reject(new Error('Cancelled.'));
        return Promise.resolve();
      },
    };
    const host = {
      configure: () => configure(),
      ask: (ask: (asked: typeof program) => unknown) => ask(program),
    };
    return new DeliverySender({ host } as unknown as Parts);
  };

  it('before the listener program has been asked is not sent', async () => {
    configure = () => {
      abort.abort();
      return Promise.resolve();
    };
    replayed.resolve({ status: 200 });
    await assert.rejects(sender().replay(what, abort.signal), { name: 'AbortError' });
    assert.deepEqual(asked, ['get']);
  });

  it('while it is on its way is stopped there', async () => {
    const sent = sender().replay(what, abort.signal);
    while (!asked.includes('replay')) await Promise.resolve();
    abort.abort();
    await assert.rejects(sent, /Cancelled/);
    assert.deepEqual(asked, ['get', 'replay', 'stopReplays']);
  });

  it('after it has ended stops nothing: another may be on its way', async () => {
    replayed.resolve({ status: 200 });
    await sender().replay(what, abort.signal);
    abort.abort();
    assert.deepEqual(asked, ['get', 'replay']);
  });
});
