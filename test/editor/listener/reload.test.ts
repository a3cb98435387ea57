import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Delivery } from '../../../src/contract/delivery.ts';
import type { Listener } from '../../../src/editor/listener/listener.ts';
import { eventually } from '../../support/editor/inEditor.ts';
import { MemoryMemento } from '../../support/editor/memoryMemento.ts';
import { ownListener } from '../../support/editor/ownListener.ts';

describe('the listener of a window that reloads', () => {
  const windows: Listener[] = [];
  let storage: string;
  let memento: MemoryMemento;

  /** A window of the workspace, and what it has been told. */
  function open(): { listener: Listener; told: Delivery[] } {
    const listener = ownListener(storage, memento);
    windows.push(listener);
    const told: Delivery[] = [];
    listener.onDidReceiveDelivery((delivery) => told.push(delivery));
    return { listener, told };
  }

  beforeEach(async () => {
    storage = await mkdtemp(join(tmpdir(), 'runhook-storage-'));
    memento = new MemoryMemento();
  });
  afterEach(async () => {
    await windows.at(-1)?.stop();
    for (const one of windows.splice(0)) one.dispose();
    await rm(storage, { recursive: true, force: true });
  });

  it('is told of what came meanwhile, also where nothing had come before', async () => {
    const before = open();
    const { url } = await before.listener.start({ port: 0 });
    before.listener.dispose();
    await fetch(url, { method: 'POST', body: '{"a":1}' });
    const after = open();
    await after.listener.start();
    await eventually(() => (after.told.length === 1 ? true : undefined));
  });
});
