import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CommandLine, runhook } from '../../support/processes/commandLine.ts';
import { Sender } from '../../support/listener/sender.ts';
import { downgradeToVersion2 } from '../../support/listener/storeRig.ts';

const secret = 'a secret of the test';

describe('the deliveries that runhook deliveries lists', () => {
  let store: string;
  let started: CommandLine | undefined;
  beforeEach(() => {
    store = mkdtempSync(join(tmpdir(), 'runhook-'));
  });
  afterEach(() => {
    started?.process.kill('SIGKILL');
    rmSync(store, { recursive: true, force: true });
  });

  function listen(): CommandLine {
    const args = ['listen', '--store', store, '--secret-env', 'HELD', '--json'];
    return (started = new CommandLine(args, { HELD: secret }));
  }

  async function port(program: CommandLine): Promise<number> {
    return (JSON.parse(await program.line(0)) as { listening: { port: number } }).listening.port;
  }

  async function count(): Promise<number> {
    const { code, out, err } = await runhook(['deliveries', '--store', store, '--json']);
    assert.deepEqual([code, err], [0, '']);
    return out.split('\n').filter(Boolean).length;
  }

  const inStore = (name: string): string => join(store, 'deliveries', name);
  /** The files of the store, byte for byte. What maps the log is for the programs that are running. */
  const files = (): [string, string][] =>
    readdirSync(join(store, 'deliveries'))
      .filter((name) => !name.endsWith('-shm'))
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(inStore(name)))
          .digest('hex'),
      ]);

  async function untouched(list: () => Promise<unknown>): Promise<void> {
    const before = files();
    await list();
    assert.deepEqual(files(), before);
  }

  it('are read while it runs, after a kill, and after it has ended, and are not changed by it', async () => {
    const program = listen();
    const sender = new Sender(await port(program), secret);
    assert.equal(await sender.deliver('r-1', '{}'), 200);
    sender.close();
    await untouched(async () => assert.equal(await count(), 1));
    program.process.kill('SIGKILL');
    await program.ended;
    await untouched(async () => assert.equal(await count(), 1));
    const next = listen();
    await port(next);
    await next.interrupt();
    await untouched(async () => assert.equal(await count(), 1));
    const database = new DatabaseSync(inStore('deliveries.sqlite'));
    database.exec(`${downgradeToVersion2}; PRAGMA journal_mode = DELETE`);
    database.close();
    await untouched(async () => assert.equal(await count(), 1, 'of an older version'));
  });

  // A program on Windows is not stopped by a signal.
  if (process.platform !== 'win32')
    it('cannot be read are said to be so, and are left to the program that runs', async () => {
      const program = listen();
      const sender = new Sender(await port(program), secret);
      for (const id of ['r-1', 'r-2']) assert.equal(await sender.deliver(id, 'x'.repeat(100_000)), 200);
      sender.close();
      // So that it does not find out before.
      program.process.kill('SIGSTOP');
      const { size } = statSync(inStore('deliveries.sqlite'));
      for (const name of readdirSync(join(store, 'deliveries')).filter((one) => !one.endsWith('-shm')))
        writeFileSync(inStore(name), randomBytes(Math.max(size, 50_000)), { flag: 'r+' });
      await untouched(async () => {
        const { code, err } = await runhook(['deliveries', '--store', store]);
        assert.equal(code, 1);
        assert.match(err, /^runhook: The deliveries cannot be read: .*\n$/);
      });
      program.process.kill('SIGKILL');
      await program.ended;
      rmSync(inStore('deliveries.sqlite'), { recursive: true, force: true });
      mkdirSync(inStore('deliveries.sqlite'));
      const { code, err } = await runhook(['deliveries', '--store', store]);
      assert.deepEqual([code, err.includes('The deliveries cannot be read')], [1, true]);
      rmSync(inStore('deliveries.sqlite'), { recursive: true });
      writeFileSync(inStore('deliveries.sqlite'), '');
      rmSync(inStore('deliveries.sqlite-wal'), { force: true });
      execFileSync('mkfifo', [inStore('deliveries.sqlite-wal')]);
      assert.equal((await runhook(['deliveries', '--store', store])).code, 1);
    });
});
