import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { DebuggedApp } from '../../../src/editor/debug/debuggedApp.ts';
import { AnsweredPrompts } from '../../support/editor/answeredPrompts.ts';
import { DebuggedApp as Sessions } from '../../support/editor/debuggedApp.ts';
import { eventually } from '../../support/editor/inEditor.ts';
import { MemoryMemento } from '../../support/editor/memoryMemento.ts';
import { Receiver } from '../../support/http/receiver.ts';

const handler = `
const server = require('node:http').createServer((_, response) => response.end());
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('on ' + process.env.PORT));
`;

describe('a handler under the debugger', () => {
  const folder = vscode.workspace.workspaceFolders![0]!;
  const file = vscode.Uri.joinPath(folder.uri, 'anew', 'handler.cjs');
  const launchAt = (port: string) => ({
    ...{ folder, name: 'Anew', attaches: false, parts: [{ name: 'Anew', folderName: folder.name }] },
    configuration: {
      ...{ name: 'Anew', type: 'node', request: 'launch', program: file.fsPath },
      env: { PORT: port },
    },
  });

  it('is started anew where it runs and did not listen', async () => {
    await vscode.workspace.fs.writeFile(file, Buffer.from(handler));
    const free = await Receiver.start();
    const address = new URL(free.url);
    await free.close();
    const sessions = new Sessions();
    const app = new DebuggedApp({ prompts: new AnsweredPrompts(), memento: new MemoryMemento() });
    try {
      const cancelled = new AbortController();
      const first = app.ready(address, cancelled.signal, launchAt('0')).catch(() => 'cancelled');
      await sessions.waitForOutput('on 0');
      cancelled.abort();
      await first;
      await app.ready(address, AbortSignal.timeout(20_000), launchAt(address.port));
      await eventually(() => sessions.count === 1 || undefined);
      // One that was started before anything of Runhook's was asked for it, as by F5, is known too.
      const later = new DebuggedApp({ prompts: new AnsweredPrompts(), memento: new MemoryMemento() });
      const started: string[] = [];
      const starting = vscode.debug.onDidStartDebugSession(({ name }) => started.push(name));
      await later.ready(address, AbortSignal.timeout(20_000), launchAt(address.port));
      starting.dispose();
      later.dispose();
      assert.deepEqual(started, []);
    } finally {
      await sessions.end();
      app.dispose();
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder.uri, 'anew'), { recursive: true });
    }
  });
});
