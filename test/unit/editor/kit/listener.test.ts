import assert from 'node:assert/strict';
import { DeliveryLines } from '../../../../src/editor/listener/output/deliveryLines.ts';
import type { Listener } from '../../../../src/editor/listener/listener.ts';
import type { News } from '../../../../src/deliveries/listenerProtocol.ts';
import { DeliverySender } from '../../../../src/editor/listener/deliverySender.ts';
import { deliveryOf } from '../../../support/deliveries/deliveryOf.ts';

describe('the lines of the output', () => {
  const { now } = Date;
  const sinceStart = performance.now.bind(performance);
  let written: string[];
  let tell: (news: News) => void;
  let lines: DeliveryLines;

  beforeEach(() => {
    written = [];
    const listener = {
      destinations: {
        forward: { rest: { kind: 'off' }, apps: new Map() },
        onDidChange: () => ({ dispose: () => undefined }),
      },
      onDidReceiveNews: (told: typeof tell) => {
        tell = told;
        return { dispose: () => undefined };
      },
    } as unknown as Listener;
    lines = new DeliveryLines(listener, (more) => written.push(...more.map(({ text }) => text)));
  });
  afterEach(() => {
    lines.dispose();
    Date.now = now;
    performance.now = sinceStart;
  });

  const arrives = (id: string, isForwarding: boolean) => {
    const delivery = deliveryOf(id, { runId: id, ...(isForwarding && { isForwarding }) });
    tell({ revision: 1, arrived: [delivery], changed: [], refused: [], brokenOff: [], overflow: 0 });
  };
  const shown = () => written.map((line) => /run-\d/.exec(line)?.[0]);

  it('wait for the app, half a second at most', () => {
    arrives('run-1', true);
    arrives('run-2', false);
    lines.flush();
    assert.deepEqual(shown(), []);
    performance.now = () => sinceStart() + 501;
    lines.flush();
    assert.deepEqual(shown(), ['run-1', 'run-2']);
  });

  it('have the reason of the row: what the response of a run tells of a mismatch, also where it comes later', () => {
    const mismatch = deliveryOf('run-1', { verdict: 'mismatch', reason: 'secret or body differs' });
    const news = { revision: 1, arrived: [], changed: [], refused: [], brokenOff: [], overflow: 0 };
    tell({ ...news, arrived: [mismatch] });
    lines.flush();
    assert.deepEqual(written, []);
    tell({ ...news, changed: [{ ...mismatch, reason: 'secret differs' }] });
    lines.flush();
    assert.match(written.join('\n'), /^.* mismatch .* secret differs \(Explain\)$/);
    tell({ ...news, changed: [{ ...mismatch, reason: 'newline after secret' }] });
    lines.flush();
    assert.match(written[1]!, / {4}of \S+ {2}newline after secret \(Explain\)$/);
    assert.equal(written.length, 2);
  });

  it('tell how it ended that a delivery was on its way to the handler before the window was there', () => {
    const at = new Date(now() + 1000).toISOString();
    const forward = { to: 'http://localhost:3000/', status: 200, durationMs: 45_000 };
    const delivery = deliveryOf('run-1', { forward, attempts: [{ ...forward, at, kind: 'forward' }] });
    tell({ revision: 1, arrived: [], changed: [delivery], refused: [], brokenOff: [], overflow: 0 });
    lines.flush();
    assert.match(written.join('\n'), / verified .* 200 .*→ localhost:3000 200 in 45\.0 s$/);
    tell({ revision: 2, arrived: [], changed: [delivery], refused: [], brokenOff: [], overflow: 0 });
    lines.flush();
    assert.equal(written.length, 1);
  });

  it('line their columns up for the longest name of an app that has come', () => {
    const news = { revision: 1, changed: [], refused: [], brokenOff: [], overflow: 0 };
    const of = (id: string, appName: string) => deliveryOf(id, { runId: id, appName });
    tell({ ...news, arrived: [of('run-1', 'image-classifier'), of('run-2', 'echo')] });
    lines.flush();
    const [long, short] = written.map((line) => line.indexOf('run-'));
    assert.ok(long !== -1 && long === short, written.join('\n'));
  });

  it('wait no longer where the clock is set back meanwhile', () => {
    arrives('run-1', true);
    Date.now = () => now() - 3_600_000;
    performance.now = () => sinceStart() + 501;
    lines.flush();
    assert.deepEqual(shown(), ['run-1']);
  });
});

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
    let sending: string | undefined;
    const program = {
      get: () => {
        asked.push('get');
        return Promise.resolve(deliveryOf('d-1'));
      },
      replay: (what: { sending: string }) => {
        ({ sending } = what);
        asked.push('replay');
        return replayed.promise;
      },
      deliverHere: (what: { sending: string }) => {
        ({ sending } = what);
        asked.push('deliverHere');
        return replayed.promise;
      },
      stopSending: (which: { sending: string }) => {
        assert.deepEqual(which, { sending });
        asked.push('stopSending');
        replayed.reject(new Error('Cancelled.'));
        return Promise.resolve();
      },
    };
    const host = {
      configure: () => configure(),
      ask: (ask: (asked: typeof program) => unknown) => ask(program),
    };
    const secrets = { store: () => Promise.resolve({ ensure: () => Promise.resolve({ secret: 's' }) }) };
    const ownAddress = () => Promise.resolve('http://127.0.0.1:3000/');
    return new DeliverySender({ host, secrets, ownAddress } as unknown as Parts);
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
    assert.deepEqual(asked, ['get', 'replay', 'stopSending']);
  });

  it('is a delivery that is made here as well', async () => {
    const made = sender().deliverHere({ run: 'r', projectId: 'p', appName: 'echo', body: '' }, abort.signal);
    while (!asked.includes('deliverHere')) await Promise.resolve();
    abort.abort();
    await assert.rejects(made, /Cancelled/);
    assert.deepEqual(asked, ['deliverHere', 'stopSending']);
  });

  it('after it has ended stops nothing: another may be on its way', async () => {
    replayed.resolve({ status: 200 });
    await sender().replay(what, abort.signal);
    abort.abort();
    assert.deepEqual(asked, ['get', 'replay']);
  });
});
