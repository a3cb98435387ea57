import assert from 'node:assert/strict';
import { DeliveryLines } from '../../../../src/editor/listener/output/deliveryLines.ts';
import type { Listener } from '../../../../src/editor/listener/listener.ts';
import type { News } from '../../../../src/model/processes/listenerProtocol.ts';
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
    const delivery = deliveryOf(id, { runId: id });
    const upserts = [{ delivery, isNew: true as const, isForwarding }];
    tell({ revision: 1, upserts, refused: [], brokenOff: [], overflow: 0 } as unknown as News);
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

  it('wait no longer where the clock is set back meanwhile', () => {
    arrives('run-1', true);
    Date.now = () => now() - 3_600_000;
    performance.now = () => sinceStart() + 501;
    lines.flush();
    assert.deepEqual(shown(), ['run-1']);
  });
});
