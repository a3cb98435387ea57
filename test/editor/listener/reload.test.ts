import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Delivery } from '../../../src/contract/delivery.ts';
import type { Listener } from '../../../src/editor/listener/listener.ts';
import { eventually } from '../../support/editor/inEditor.ts';
import { MemoryMemento } from '../../support/editor/memoryMemento.ts';
import { ownListener } from '../../support/editor/ownListener.ts';
import { findFreePort } from '../../soak/freePort.ts';

describe('the listener of a window that reloads', () => {
  const windows: Listener[] = [];
  let storage: string;
  let memento: MemoryMemento;

  /** A window of the workspace, and what it has been told. @param remembered what this window remembers */
  function open(remembered = memento): { listener: Listener; told: Delivery[] } {
    const listener = ownListener(storage, remembered);
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
    // A program that ends may still write there.
    await rm(storage, { recursive: true, force: true, maxRetries: 10 });
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

  describe('beside another window of the folder', () => {
    const listensOn = (listener: Listener, port: number) =>
      eventually(() =>
        listener.state.kind === 'listening' && listener.state.port === port ? true : undefined,
      );
    const stops = (listener: Listener) =>
      eventually(() => (listener.state.kind === 'stopped' && !listener.isAttached ? true : undefined));

    it('listens where the other has started it anew', async () => {
      const { listener: before } = open();
      const { port } = await before.start({ port: 0 });
      const { listener: other } = open(new MemoryMemento());
      await other.resume();
      await other.stop();
      await stops(before);
      const moved = await other.start({ port: await findFreePort() });
      assert.notEqual(moved.port, port);
      await before.join();
      before.dispose();
      const { listener: after } = open();
      await after.resume();
      await listensOn(after, moved.port);
      await listensOn(other, moved.port);
      assert.equal((await fetch(moved.url)).status, 405, 'it answers there');
    });

    it('listens where the other has moved it', async () => {
      const { listener: before } = open();
      await before.start({ port: 0 });
      const { listener: other } = open(new MemoryMemento());
      await other.resume();
      const { port } = await other.start({ port: await findFreePort() });
      await listensOn(before, port);
      await other.stop();
      await stops(before);
      await before.start();
      await listensOn(before, port);
    });

    it('stays stopped where the other has stopped it', async () => {
      const { listener: before } = open();
      await before.start({ port: 0 });
      const { listener: other } = open(new MemoryMemento());
      await other.resume();
      await other.stop();
      await stops(before);
      before.dispose();
      const { listener: after } = open();
      await after.resume();
      assert.equal(after.state.kind, 'stopped');
      assert.equal(after.isAttached, false);
    });
  });
});
