import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ScriptedPrompts } from '../../../src/editor/kit/scriptedPrompts.ts';
import { DebuggedApp } from '../../../src/editor/testing/debuggedApp.ts';
import { findFreePort } from '../../soak/freePort.ts';
import { DebuggedApp as DebuggedSession } from '../../support/editor/debuggedApp.ts';
import { MemoryMemento } from '../../support/editor/memoryMemento.ts';

const source = `require('node:http')
  .createServer((request, response) => response.end())
  .listen(Number(process.env.PORT), '127.0.0.1');`;

describe('the app that is debugged', () => {
  it('goes on for the next test where several are started under one name', async () => {
    const port = await findFreePort();
    const [folder] = vscode.workspace.workspaceFolders!;
    const file = vscode.Uri.joinPath(folder!.uri, 'debugged.cjs');
    await vscode.workspace.fs.writeFile(file, Buffer.from(source));
    const launch = vscode.workspace.getConfiguration('launch', folder);
    const env = { PORT: String(port) };
    const program = '${workspaceFolder}/debugged.cjs';
    await launch.update('configurations', [{ name: 'One', type: 'node', request: 'launch', program, env }]);
    await launch.update('compounds', [{ name: 'All', configurations: ['One'] }]);
    const prompts = new ScriptedPrompts();
    const app = new DebuggedApp({ prompts, memento: new MemoryMemento() });
    const debugged = new DebuggedSession();
    let started = 0;
    const counting = vscode.debug.onDidStartDebugSession(({ parentSession }) => {
      if (parentSession === undefined) started += 1;
    });
    try {
      prompts.script(['All']);
      const to = new URL(`http://127.0.0.1:${port}`);
      for (let time = 0; time < 3; time += 1) await app.ready(to, new AbortController().signal);
      assert.equal(started, 1);
    } finally {
      counting.dispose();
      app.dispose();
      await debugged.end();
      for (const key of ['configurations', 'compounds']) await launch.update(key, undefined);
      await vscode.workspace.fs.delete(file);
    }
  });
});
