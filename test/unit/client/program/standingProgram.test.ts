import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { programFolder } from '../../../../src/model/processes/controlFile.ts';
import { UserError } from '../../../../src/model/text/userError.ts';
import { ProgramWindows, type WindowOptions } from '../../../support/listener/programWindows.ts';

describe('a listener program that stands still', () => {
  let windows: ProgramWindows;
  let pid: number;

  beforeEach(async () => {
    windows = new ProgramWindows();
    const before = await windows.open({ settings: { keepAliveSeconds: 60 } });
    pid = before.welcome.pid;
    process.kill(pid, 'SIGSTOP');
  });
  afterEach(() => windows.end());

  const isRefused = (options: WindowOptions) =>
    assert.rejects(windows.open({ ...options, answerSeconds: 1 }), (error) => {
      assert.ok(error instanceof UserError, String(error));
      assert.match(error.message, new RegExp(`process ${pid}.*does not answer`));
      assert.deepEqual(error.remedies[0], { kind: 'tryAgain' });
      return true;
    });

  it('is not waited for without an end by a window, which reaches it once it goes on', async () => {
    await isRefused({});
    process.kill(pid, 'SIGCONT');
    assert.equal((await windows.open()).welcome.pid, pid);
  });

  it('is not waited for without an end by a window of another version, and is not replaced for nobody', async () => {
    await isRefused({ version: '99.0.0', replaces: true });
    process.kill(pid, 'SIGCONT');
    const next = await windows.open();
    assert.equal(next.welcome.pid, pid);
    await next.peer.request('listen', { port: 0 });
    const log = join(windows.folder, programFolder, 'listener.log');
    assert.doesNotMatch(readFileSync(log, 'utf8'), /Ended/);
  });

  it('is waited for while it may only be slow, and stays the only one', async () => {
    const opened = windows.open({ answerSeconds: 10 });
    await pause(2000);
    process.kill(pid, 'SIGCONT');
    assert.equal((await opened).welcome.pid, pid);
  });
});
