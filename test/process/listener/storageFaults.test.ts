import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readKeptDeliveries } from '../../soak/keptDeliveries.ts';
import { ListenerProcess } from '../../support/listener/listenerProcess.ts';
import { waitFor } from '../../support/time/waitFor.ts';

/** What a file system can say of a folder that was there. */
const codes = ['ENOENT', 'EIO', 'ESTALE', 'ENOTDIR', 'ELOOP', 'EDQUOT', 'EROFS', 'EACCES', 'ENOTCONN'];

/** Every file that a program has in its storage folder. */
const files = [
  ...['control.json', 'control.json.new', 'listener.log', 'listener.log.before'].map(
    (name) => `listener/${name}`,
  ),
  ...['', '-journal', '-wal', '-shm'].flatMap((end) => [
    `listener/lock.sqlite${end}`,
    `deliveries/deliveries.sqlite${end}`,
  ]),
];

describe('a listener program whose storage folder goes wrong', () => {
  let parent: string;
  let folder: string;
  let listener: ListenerProcess;
  beforeEach(async () => {
    parent = mkdtempSync(join(tmpdir(), 'runhook-faults-'));
    folder = join(parent, 'storage');
    mkdirSync(folder);
    listener = await ListenerProcess.start(folder, { hasFaults: true });
  });
  afterEach(async () => {
    await listener.kill();
    rmSync(parent, { recursive: true, force: true });
  });

  /** Checks what a program must do whatever its folder does. @returns the reason that it gives */
  async function gainsNothing(fault: string): Promise<string> {
    const told = listener.states.length;
    await assert.rejects(listener.deliver(fault, '{}'), { code: 'ECONNRESET' }, fault);
    await listener.peer.call.ping();
    const reason = await waitFor(`the reason of ${fault}`, () => listener.states.slice(told).at(-1)?.problem);
    assert.doesNotMatch(reason, /the log of Runhook/);
    return reason;
  }

  it('says why before a delivery comes, once, and that it is over', async () => {
    writeFileSync(`${folder}.fault`, 'EIO');
    await waitFor('the reason', () => listener.states.at(-1)?.problem);
    for (const id of ['1', '2', '3']) await assert.rejects(listener.deliver(id, '{}'));
    rmSync(`${folder}.fault`);
    assert.equal(await listener.deliver('4', '{}'), 200);
    await waitFor('the end of it', () => listener.states.at(-1)?.problem === undefined);
    assert.equal(listener.states.filter(({ problem }) => problem !== undefined).length, 1);
  });

  it('says why, answers no delivery, goes on, and ends when it is asked to, whatever error the folder gives', async () => {
    assert.equal(await listener.deliver('before', '{}'), 200);
    for (const code of codes) {
      writeFileSync(`${folder}.fault`, code);
      await gainsNothing(code);
      rmSync(`${folder}.fault`);
      assert.equal(await listener.deliver(`after ${code}`, '{}'), 200);
    }
    writeFileSync(`${folder}.fault`, 'EIO');
    assert.equal(await listener.end('SIGTERM'), 0);
    const kept = readKeptDeliveries(join(folder, 'deliveries')).map(({ requestId }) => requestId);
    assert.deepEqual(kept, ['before', ...codes.map((code) => `after ${code}`)]);
  });

  if (process.platform === 'linux')
    it('says so, and ends, where no folder can be made in one that is there', async () => {
      // As under a mount whose source was removed: the parent is there, and making a folder in it gives ENOENT.
      renameSync(folder, `${folder}-aside`);
      symlinkSync('/proc', folder);
      assert.match(await gainsNothing('/proc'), /it does not exist/);
      rmSync(folder);
      renameSync(`${folder}-aside`, folder);
      assert.equal(await listener.deliver('back', '{}'), 200);
      rmSync(folder, { recursive: true });
      symlinkSync('/proc', folder);
      assert.equal(await listener.end('SIGTERM'), 0);
    });
});

function makeFifo(path: string): void {
  execFileSync('mkfifo', [path], { stdio: 'ignore' });
}

function linkToDevice(path: string): void {
  symlinkSync('/dev/zero', path);
}

describe('a listener program that finds something else in place of its files', () => {
  const inPlace: readonly (readonly [string, (path: string) => void])[] = [
    ['folders', (path) => mkdirSync(path)],
    ...(process.platform === 'win32'
      ? []
      : [['FIFOs', makeFifo] as const, ['devices', linkToDevice] as const]),
  ];
  for (const [what, make] of inPlace) {
    it(`such as ${what}, starts, answers and keeps, and does so where they come later`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'runhook-in-place-'));
      let listener: ListenerProcess | undefined;
      try {
        for (const name of ['listener', 'deliveries']) mkdirSync(join(folder, name));
        for (const file of files) make(join(folder, file));
        listener = await ListenerProcess.start(folder);
        assert.equal(await listener.deliver('first', '{}'), 200);
        for (const file of files) {
          await waitFor(`something else as ${file}`, () => {
            rmSync(join(folder, file), { recursive: true, force: true });
            // The program may have made it again meanwhile: then it is tried again.
            make(join(folder, file));
            return true;
          });
        }
        const started = listener;
        const isAnswered = async (): Promise<boolean> =>
          (await started.deliver('second', '{}').catch(() => 0)) === 200;
        await waitFor('a response', isAnswered);
        const control = join(folder, 'listener', 'control.json');
        await waitFor('the way to it', () => statSync(control).isFile());
        const list = await listener.peer.call.list({});
        assert.ok(list.some(({ requestId }) => requestId === 'second'));
        assert.equal(await listener.end('SIGTERM'), 0);
      } finally {
        await listener?.kill();
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }
});
