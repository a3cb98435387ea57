import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import {
  controlFileName,
  programFolder,
  readControlFile,
} from '../../../../src/listener/attach/controlFile.ts';
import { isRunning, ProgramWindows } from '../../../support/listener/programWindows.ts';
import { blockThread } from '../../../support/processes/blockThread.ts';
import { waitFor } from '../../../support/time/waitFor.ts';

describe('the listener program', () => {
  let windows: ProgramWindows;
  beforeEach(() => {
    windows = new ProgramWindows();
  });
  afterEach(() => windows.end());

  const controlPath = (): string => join(windows.folder, programFolder, controlFileName);
  const control = () => readControlFile(readFileSync(controlPath(), 'utf8'))!;

  it('is one for all windows of a folder, also where several start it at once', async () => {
    const three = await Promise.all([windows.open(), windows.open(), windows.open()]);
    const pids = new Set(three.map(({ welcome }) => welcome.pid));
    assert.equal(pids.size, 1);
    assert.notEqual([...pids][0], process.pid);
  });

  it('tells each window of every delivery, once, as it comes and as it changes', async () => {
    const [one, other] = [await windows.open(), await windows.open()];
    const { port } = await one.peer.call.listen({ port: 0 });
    await waitFor('the word that it listens', () => other.states.some((state) => state.port === port));
    assert.deepEqual(await other.peer.call.listen({ port }), { port }, 'it has that port already');
    const sender = windows.sender(port);
    for (const id of ['a', 'b', 'c']) assert.equal(await sender.deliver(id, `{"run_id":"${id}"}`), 200);
    for (const window of [one, other]) {
      await waitFor('the deliveries', () => windows.requestIds(window).length === 3);
      assert.deepEqual(windows.requestIds(window), ['a', 'b', 'c']);
    }
    await one.peer.call.noteRun({ id: 'own', runId: 'b', appName: 'echo', startedAt: 0 });
    const change = await waitFor('the change', () => other.told.find(({ appName }) => appName === 'echo'));
    assert.equal(change.requestId, 'b');
    assert.ok(!other.arrived.includes(change), 'it is told as a change');
    await one.peer.call.clear();
    await waitFor('the word that all is cleared', () => other.cleared === 1);
  });

  it('has told each window that nothing is kept any more when it ends for a reset, which leaves nothing behind', async () => {
    const [one, other] = [await windows.open(), await windows.open()];
    const { port } = await one.peer.call.listen({ port: 0 });
    assert.equal(await windows.sender(port).deliver('a', '{}'), 200);
    await one.peer.call.erase();
    await Promise.all([one.peer.closed, other.peer.closed]);
    for (const { cleared, endings } of [one, other]) assert.deepEqual([cleared, endings], [1, ['stopped']]);
    const later = await windows.open();
    assert.deepEqual(await later.peer.call.list({}), []);
  });

  it('tells a window that was away while all were deleted of it when it is back, and only then', async () => {
    const away = await windows.open();
    const { port } = await away.peer.call.listen({ port: 0 });
    assert.equal(await windows.sender(port).deliver('a', '{}'), 200);
    await waitFor('the delivery', () => away.arrived.length === 1);
    const { revision } = away;
    await away.peer.call.stop();
    await away.peer.closed;
    const before = await windows.open({ after: revision });
    await before.peer.call.erase();
    await before.peer.closed;
    const back = await windows.open({ after: revision });
    await waitFor('the word that all is cleared', () => back.cleared === 1);
    assert.equal(before.cleared, 1, 'nothing was deleted before');
    const { port: next } = await back.peer.call.listen({ port: 0 });
    assert.equal(await windows.sender(next).deliver('b', '{}'), 200);
    await waitFor('the delivery', () => back.arrived.length === 1);
    const again = await windows.open({ after: back.revision });
    await again.peer.call.list({});
    assert.equal(again.cleared, 0);
  });

  it('tells each window of what broke off, and of a flood of it only the first', async () => {
    const [one, other] = [await windows.open(), await windows.open()];
    const { port } = await one.peer.call.listen({ port: 0 });
    const half = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"run_id":"run-7",';
    for (let count = 0; count < 30; count += 1) {
      const socket = connect(port, '127.0.0.1')
        .on('error', () => undefined)
        .resume();
      socket.end(half);
      await once(socket, 'close');
    }
    assert.equal(await windows.sender(port).deliver('after them', '{}'), 200);
    for (const window of [one, other]) {
      await waitFor('the delivery after them', () => window.arrived.length === 1);
      assert.equal(window.brokenOff.length, 20);
      const { at, ...rest } = window.brokenOff[0]!;
      assert.ok(Date.parse(at) <= Date.now());
      assert.deepEqual(rest, { bytes: 18, announced: 100, runId: 'run-7' });
      assert.equal(window.overflow, 0, 'the others are counted for a minute first');
    }
    // A window that opens later finds the last of them among what arrived.
    const later = await windows.open();
    const found = async () => (await later.peer.call.find({ filter: {}, limit: 1 })).unkept;
    const [last] = (await found()).slice(19);
    assert.deepEqual({ ...last, at: '' }, { at: '', bytes: 18, announced: 100, runId: 'run-7' });
    await one.peer.call.clear();
    assert.deepEqual(await found(), []);
  });

  it('outlives its windows, and tells the next one what arrived meanwhile', async () => {
    const before = await windows.open({ settings: { keepAliveSeconds: 60 } });
    const { port } = await before.peer.call.listen({ port: 0 });
    const sender = windows.sender(port);
    await sender.deliver('seen', '{}');
    await waitFor('the first', () => windows.requestIds(before).length === 1);
    before.peer.close();
    const log = join(windows.folder, programFolder, 'listener.log');
    await waitFor('the word that it has left', () => /last window has left/.test(readFileSync(log, 'utf8')));
    for (const id of ['x', 'y', 'z']) assert.equal(await sender.deliver(id, '{}'), 200, 'the secret stays');
    const after = await windows.open({ after: before.revision, settings: { secrets: [] } });
    assert.deepEqual(
      [after.welcome.pid, after.welcome.port, after.welcome.missed, after.welcome.total],
      [before.welcome.pid, port, 3, 4],
    );
    await waitFor('the others', () => windows.requestIds(after).length === 3);
    assert.deepEqual(windows.requestIds(after), ['x', 'y', 'z']);
    assert.equal(await sender.deliver('w', '{}'), 200, 'a window without secrets takes none away');
  });

  it('leaves nothing of cleared deliveries in a file, once it is quiet and nobody else reads them', async () => {
    const window = await windows.open();
    const { port } = await window.peer.call.listen({ port: 0 });
    const body = '{"run_id":"the very body"}';
    assert.equal(await windows.sender(port).deliver('a', body), 200);
    const path = join(windows.folder, 'deliveries', 'deliveries.sqlite');
    const isIn = (file: string) => readFileSync(file).includes('the very body');
    const reader = () => {
      const database = new DatabaseSync(path);
      database.exec('PRAGMA wal_checkpoint(PASSIVE); BEGIN; SELECT count(*) FROM deliveries');
      return database;
    };
    const before = reader();
    assert.ok(isIn(path));
    await window.peer.call.clear();
    const after = reader();
    before.close();
    await waitFor('the first quiet moment', () => !isIn(path));
    assert.ok(isIn(`${path}-wal`));
    after.close();
    await waitFor('the next one', () => !isIn(`${path}-wal`));
  });

  it('ends with its last window where it is not to go on', async () => {
    const [one, other] = [await windows.open(), await windows.open()];
    one.peer.close();
    await other.peer.call.list({});
    other.peer.close();
    await waitFor('its end', () => !isRunning(one.welcome.pid));
    assert.equal(existsSync(controlPath()), false);
  });

  it('is stopped for all windows by any of them, which are told so', async () => {
    const [one, other] = [await windows.open(), await windows.open()];
    await one.peer.call.stop();
    await other.peer.closed;
    assert.deepEqual(other.endings, ['stopped']);
    await waitFor('its end', () => !isRunning(one.welcome.pid));
  });

  it('is stopped for a window that is busy with something else, too', async () => {
    const [one, other] = [await windows.open(), await windows.open()];
    const stopped = one.peer.call.stop();
    // Two turns write it. What this window asks then is written once it stands still no more.
    for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    setImmediate(() => blockThread(300));
    const asked = other.peer.call.list({}).catch(() => undefined);
    await other.peer.closed;
    assert.deepEqual(other.endings, ['stopped']);
    await Promise.all([stopped, asked]);
  });

  it('makes room for another version, which takes its port over and loses nothing', async () => {
    const old = await windows.open({ settings: { keepAliveSeconds: 60 } });
    const { port } = await old.peer.call.listen({ port: 0 });
    const sender = windows.sender(port);
    const answers: number[] = [];
    let deafMs = 0;
    const more = new AbortController();
    const sending = (async () => {
      for (let count = 0; !more.signal.aborted; count += 1) {
        const from = performance.now();
        // As the service: what gets no answer is sent again.
        while ((await sender.deliver(`r-${count}`, '{}').catch(() => 0)) !== 200) await pause(5);
        deafMs = Math.max(deafMs, performance.now() - from);
        answers.push(count);
        await pause(10);
      }
    })();
    await waitFor('some answers', () => answers.length > 3);
    const next = await windows.open({ version: '99.0.0', replaces: true });
    assert.notEqual(next.welcome.pid, old.welcome.pid);
    assert.equal(next.handedOver, port);
    await next.peer.call.listen({ port });
    const sofar = answers.length;
    await waitFor('more answers', () => answers.length > sofar + 3);
    more.abort();
    await sending;
    await waitFor('the end of the old one', () => !isRunning(old.welcome.pid));
    assert.deepEqual(old.endings, ['replaced']);
    const kept = await next.peer.call.list({});
    assert.deepEqual(
      kept.filter(({ repeatOf }) => repeatOf === undefined).map(({ requestId }) => requestId),
      answers.map((count) => `r-${count}`).reverse(),
    );
    // 300 ms on a machine that does nothing else.
    assert.ok(deafMs < 3000, `deaf for ${deafMs} ms`);
  });

  it('writes the way to it anew where its folder was removed, and keeps what comes then', async () => {
    const window = await windows.open();
    const { port } = await window.peer.call.listen({ port: 0 });
    rmSync(windows.folder, { recursive: true });
    assert.equal(await windows.sender(port).deliver('a', '{}'), 200);
    await waitFor('the file', () => existsSync(controlPath()));
    const other = await windows.open();
    assert.equal(other.welcome.pid, window.welcome.pid);
    assert.equal((await other.peer.call.list({})).length, 1);
  });

  it('is another one in a copy of its folder, which names the first one', async () => {
    const copies = new ProgramWindows();
    try {
      const { welcome } = await windows.open();
      cpSync(windows.folder, copies.folder, { recursive: true });
      const copy = await copies.open();
      assert.notEqual(copy.welcome.pid, welcome.pid);
      assert.equal((await windows.open()).welcome.pid, welcome.pid);
      assert.equal((await copies.open()).welcome.pid, copy.welcome.pid);
    } finally {
      await copies.end();
    }
  });

  it('goes on where it listens when it cannot listen elsewhere', async () => {
    const [one, other] = [await windows.open(), await windows.open()];
    const { port } = await one.peer.call.listen({ port: 0 });
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port: takenPort } = taken.address() as AddressInfo;
    await assert.rejects(other.peer.call.listen({ port: takenPort }), { code: 'EADDRINUSE' });
    assert.equal(await windows.sender(port).deliver('still', '{}'), 200);
    taken.close();
    await once(taken, 'close');
    assert.deepEqual(await other.peer.call.listen({ port: takenPort }), { port: takenPort });
    assert.equal(await windows.sender(takenPort).deliver('there', '{}'), 200);
    await assert.rejects(windows.sender(port).deliver('no more', '{}'), 'it has left that port');
  });

  it('is found by the next window also where the file of its socket has gone', async () => {
    const one = await windows.open();
    rmSync(control().socket);
    const other = await windows.open();
    assert.equal(other.welcome.pid, one.welcome.pid);
  });

  describe('is reached', () => {
    it('by the user alone: neither the folder nor the file is open to others', async () => {
      await windows.open();
      assert.equal(statSync(controlPath()).mode & 0o077, 0);
      assert.equal(statSync(join(windows.folder, programFolder)).mode & 0o077, 0);
      assert.equal(statSync(join(control().socket, '..')).mode & 0o077, 0);
      assert.ok(control().socket.length < 104);
    });

    it('by those who show the key, before anything else', async () => {
      const { welcome } = await windows.open();
      const { socket, key } = control();
      const ask = (method: string, takes: object): Promise<string> =>
        new Promise((resolve, reject) => {
          const message = { t: 'q', i: '1', m: method, a: [takes] };
          const stranger = connect(socket, () => stranger.write(`${JSON.stringify(message)}\n`));
          let said = '';
          stranger
            .on('data', (data) => {
              said += data.toString();
              if (said.includes('}')) resolve(said);
            })
            .on('close', () => resolve(said))
            .on('error', reject);
        });
      assert.match(await ask('list', {}), /The key has to come first/);
      assert.match(await ask('stop', {}), /The key has to come first/);
      const wrong = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`;
      assert.match(await ask('hello', { key: wrong }), /not the key/);
      assert.match(await ask('handOver', { key: '' }), /not the key/);
      assert.match(await ask('handOver', {}), /not the key/);
      assert.ok(isRunning(welcome.pid));
    });

    it('after unknown clients have written noise to its socket', async () => {
      await windows.open();
      for (const noise of ['\0'.repeat(1000), 'null\n', '[]'.repeat(5000), '['.repeat(2_000_000)]) {
        const stranger = connect(control().socket, () => stranger.write(noise));
        stranger.on('error', () => undefined);
        await pause(10);
        stranger.destroy();
      }
      const silent = Array.from({ length: 100 }, () =>
        connect(control().socket).on('error', () => undefined),
      );
      await pause(50);
      for (const one of silent) one.destroy();
      await windows.open();
    });
  });
});
