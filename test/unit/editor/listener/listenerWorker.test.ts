import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ListenerWorker } from '../../../../src/editor/listener/listenerWorker.ts';

describe('the thread of the listener', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'runhook-worker-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** A thread that runs `code`, and the reason for which it ended. */
  function start(code: string): { worker: ListenerWorker; died: Promise<Error> } {
    const file = join(folder, 'worker.cjs');
    writeFileSync(file, `const { parentPort } = require('node:worker_threads');\n${code}`);
    const { promise: died, resolve } = Promise.withResolvers<Error>();
    const settings = {
      secrets: [],
      toleranceSeconds: 300,
      acceptUnverified: false,
      isPublic: false,
      maxBodyBytes: 1,
      forwardMode: 'afterAck' as const,
      keep: 1,
    };
    const worker = new ListenerWorker(
      file,
      { folder, settings, messages: {} },
      { arrived: () => null, journal: () => null },
      resolve,
    );
    return { worker, died };
  }

  it('that throws rejects what waits, and says why it ended', async () => {
    const { worker, died } = start(`parentPort.on('message', () => { throw new Error('a fault'); });`);
    await assert.rejects(worker.channel.request('clear', null), /a fault/);
    assert.match((await died).message, /a fault/);
    await assert.rejects(worker.channel.request('clear', null), /a fault/);
  });

  it('that exits rejects what waits, and tells its code', async () => {
    const { worker, died } = start(`parentPort.on('message', () => process.exit(3));`);
    await assert.rejects(worker.channel.request('clear', null), /code 3/);
    assert.match((await died).message, /code 3/);
  });

  it('that was asked to end has not died', async () => {
    const { worker, died } = start(
      `parentPort.on('message', ({ id }) => parentPort.postMessage({ kind: 'reply', id, gives: null }));`,
    );
    await worker.end();
    assert.equal(await Promise.race([died, Promise.resolve('alive')]), 'alive');
  });
});
