import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { programFolder } from '../../../../src/listener/attach/controlFile.ts';
import { UserError } from '../../../../src/shared/text/userError.ts';
import { askProgram } from '../../../../src/listener/attach/programReply.ts';
import {
  ProgramWindows,
  type TestWindow,
  type WindowOptions,
} from '../../../support/listener/programWindows.ts';

describe('a listener program that goes on while a reply takes longer than the limit', () => {
  it('is waited for: the app that it sends to may sit at a breakpoint', async () => {
    const windows = new ProgramWindows();
    const app = createServer().listen(0, '127.0.0.1');
    try {
      await once(app, 'listening');
      const to = `http://127.0.0.1:${(app.address() as AddressInfo).port}/`;
      const { peer, welcome } = await windows.open();
      const answer = once(app, 'request');
      const sent = askProgram(peer.call, (program) => program.sendTest({ to, body: '{}' }), welcome.pid, 6);
      const [, response] = (await answer) as [unknown, ServerResponse];
      // Beyond the limit. On a busy machine the sign of life may take seconds.
      await pause(8000);
      response.writeHead(204).end();
      assert.equal((await sent).status, 204);
    } finally {
      app.close();
      await windows.end();
    }
  });
});

describe('a listener program that stands still', () => {
  let windows: ProgramWindows;
  let pid: number;
  let before: TestWindow;

  beforeEach(async () => {
    windows = new ProgramWindows();
    before = await windows.open({ settings: { keepAliveSeconds: 60 } });
    pid = before.welcome.pid;
    process.kill(pid, 'SIGSTOP');
  });
  afterEach(() => windows.end());

  const isRefused = (options: WindowOptions) =>
    assert.rejects(windows.open({ ...options, answerSeconds: 1 }), (error) => {
      assert.ok(error instanceof UserError, String(error));
      assert.match(error.message, new RegExp(`process ${pid}.*does not respond`));
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
    await next.peer.call.listen({ port: 0 });
    const log = join(windows.folder, programFolder, 'listener.log');
    assert.doesNotMatch(readFileSync(log, 'utf8'), /Ended/);
  });

  it('rejects every request of an attached window, and answers the next once it goes on', async () => {
    const isNotAnswered = { name: 'UserError', message: new RegExp(`process ${pid}.*does not respond`) };
    await Promise.all([
      assert.rejects(
        askProgram(before.peer.call, (program) => program.list({}), pid, 1),
        isNotAnswered,
      ),
      assert.rejects(
        askProgram(before.peer.call, (program) => program.clear(), pid, 1),
        isNotAnswered,
      ),
    ]);
    process.kill(pid, 'SIGCONT');
    assert.deepEqual(await askProgram(before.peer.call, (program) => program.list({}), pid), []);
  });

  it('is waited for while it may only be slow, and stays the only one', async () => {
    const opened = windows.open({ answerSeconds: 10 });
    await pause(2000);
    process.kill(pid, 'SIGCONT');
    assert.equal((await opened).welcome.pid, pid);
  });
});
