import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { lookBadge } from '../../../src/editor/deliveries/view/lookBadge.ts';
import { ListenerEvents } from '../../../src/editor/listener/listenerEvents.ts';
import { DeliveryLooks } from '../../../src/editor/listener/status/deliveryLooks.ts';
import type { Log } from '../../../src/editor/log.ts';
import type { Delivery } from '../../../src/model/deliveries/delivery.ts';
import { deliveryOf } from '../../support/deliveries/deliveryOf.ts';
import { MemoryMemento } from '../../support/editor/memoryMemento.ts';
import { waitFor } from '../../support/time/waitFor.ts';

describe('the badge of the Deliveries view', () => {
  const memento = new MemoryMemento();
  let events: ListenerEvents;
  let looks: DeliveryLooks;
  let badge: vscode.Disposable;
  let visible: vscode.EventEmitter<vscode.TreeViewVisibilityChangeEvent>;
  let view: { visible: boolean; badge?: vscode.ViewBadge | undefined } & Pick<
    vscode.TreeView<unknown>,
    'onDidChangeVisibility'
  >;
  /** What the window asked the program, and what that gives. */
  let asked: unknown[];
  let kept: { ids: string[]; revision: number };
  let isRunning: boolean;

  /** A window of the workspace begins. */
  function begin(): void {
    events = new ListenerEvents();
    visible = new vscode.EventEmitter();
    view = { visible: false, onDidChangeVisibility: visible.event };
    const ask = (name: string, takes: unknown): Promise<unknown> => {
      asked.push([name, takes]);
      return Promise.resolve(kept);
    };
    const host = {
      get isRunning() {
        return isRunning;
      },
      ask,
    } as never;
    looks = new DeliveryLooks({ host, events, memento, log: {} as Log });
    badge = lookBadge(view, { looks });
  }

  function end(): void {
    badge.dispose();
    looks.dispose();
    events.dispose();
    visible.dispose();
  }

  beforeEach(() => {
    asked = [];
    kept = { ids: [], revision: 4 };
    isRunning = true;
    begin();
  });
  afterEach(end);

  const tell = (revision: number, ...deliveries: Delivery[]): void => {
    const upserts = deliveries.map((delivery) => ({ delivery, isNew: true, isJudged: true }));
    events.tell({ upserts, revision, refused: [], brokenOff: [], untold: 0 });
  };
  const show = (isVisible: boolean): void => {
    view.visible = isVisible;
    visible.fire({ visible: isVisible });
  };
  const mismatch = (id: string) => deliveryOf(id, { verdict: 'mismatch' });

  it('counts what came and did not verify, until the view is shown; a reload changes nothing', async () => {
    events.attached.fire();
    await waitFor('the question', () => asked.length === 1);
    tell(5, deliveryOf('a'), mismatch('b'), mismatch('c'));
    assert.deepEqual(view.badge, { value: 2, tooltip: '2 deliveries need a look' });
    assert.equal(looks.told, 5);
    looks.open('b');
    assert.deepEqual(view.badge, { value: 1, tooltip: '1 delivery needs a look' });

    end();
    kept = { ids: ['c', 'b'], revision: 5 };
    begin();
    assert.equal(view.badge, undefined);
    events.attached.fire();
    await waitFor('the count after the reload', () => view.badge?.value === 1);
    assert.deepEqual(asked.at(-1), ['needLook', { after: 4 }]);

    show(true);
    assert.equal(view.badge, undefined);
    tell(6, mismatch('d'));
    show(false);
    assert.equal(view.badge, undefined);
    events.forgot.fire();
    await waitFor('the question', () => asked.length === 3);
    assert.deepEqual(asked.at(-1), ['needLook', { after: 6 }]);
  });

  it('starts no program to count', () => {
    isRunning = false;
    events.forgot.fire();
    assert.deepEqual(asked, []);
  });
});
