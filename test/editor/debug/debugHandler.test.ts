import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { findFreePort } from '../../soak/freePort.ts';
import { answerPrompts, command, deliveries, eventually } from '../../support/editor/inEditor.ts';
import { DebuggedApp } from '../../support/editor/debuggedApp.ts';
import { endTask } from '../../support/editor/taskRuns.ts';

/** Verifies as the snippets do, with the secret that it is started with. */
const handler = `
const { createHmac } = require('node:crypto');
const { createServer } = require('node:http');

function isGenuine(headers, body) {
  const signed = headers['x-request-id'] + '.' + headers['x-service-webhook-timestamp'] + '.' + body;
  const digest = createHmac('sha256', process.env.WEBHOOK_SECRET).update(signed).digest('hex');
  return headers['x-service-webhook-signature'] === 'v1,' + digest; // here
}

const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => response.writeHead(isGenuine(request.headers, body) ? 200 : 401).end(request.url));
});
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready for ' + process.env.LISTENER));
`;
const line = handler.split('\n').findIndex((text) => text.endsWith('// here'));
const name = 'Debug Webhook Handler';

describe('a handler that is debugged', () => {
  const folder = vscode.workspace.workspaceFolders![0]!;
  const uri = (...path: string[]) => vscode.Uri.joinPath(folder.uri, ...path);
  const file = uri('server', 'handler.cjs');
  let projectId: string;

  before(async () => {
    await vscode.workspace.fs.writeFile(file, Buffer.from(handler));
    await vscode.workspace.fs.writeFile(uri('server', 'other.py'), Buffer.from(''));
    ({ projectId } = await command<{ projectId: string }>('startSandbox'));
    await command('stopListener');
  });
  after(async () => {
    await vscode.workspace.getConfiguration('runhook').update('listener.forwardTo', undefined);
    for (const one of [uri('server'), uri('.vscode', 'launch.json')]) {
      await vscode.workspace.fs.delete(one, { recursive: true });
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await command('stopSandbox');
    await command('stopListener');
  });

  /** Has the program be told where the listener is, as a person writes it into launch.json. */
  async function addListenerUrl(): Promise<void> {
    const launch = uri('.vscode', 'launch.json');
    const text = Buffer.from(await vscode.workspace.fs.readFile(launch)).toString();
    const variable = '"LISTENER": "${command:runhook.listenerUrl}"';
    await vscode.workspace.fs.writeFile(
      launch,
      Buffer.from(text.replace('"env": {', `"env": { ${variable},`)),
    );
    const isRead = () =>
      JSON.stringify(vscode.workspace.getConfiguration('launch', folder)).includes('LISTENER');
    await eventually(() => (isRead() ? true : undefined));
  }

  it('stops at a breakpoint when the sandbox delivers, and verifies by the secret that it was started with', async () => {
    const port = await findFreePort();
    await vscode.window.showTextDocument(file);
    await answerPrompts('server/handler.cjs', `127.0.0.1:${port}/hook`, 'Write');
    const written = await command('debugHandler');
    assert.deepEqual(written, { name, file: uri('.vscode', 'launch.json').toString() });
    assert.deepEqual(await answerPrompts(), []);
    await addListenerUrl();
    const breakpoint = new vscode.SourceBreakpoint(new vscode.Location(file, new vscode.Position(line, 0)));
    vscode.debug.addBreakpoints([breakpoint]);
    const app = new DebuggedApp();
    try {
      assert.ok(await vscode.debug.startDebugging(folder, name));
      await app.waitForOutput('ready for http://127.0.0.1:');
      await command('runApp', { projectId, appName: 'echo', body: {}, webhook: true });
      const stop = await app.waitForStop();
      assert.deepEqual(await stop.place(), { file: 'handler.cjs', line: line + 1 });
      await stop.resume();
      const forward = await eventually(async () => (await deliveries())[0]?.forward);
      assert.equal(forward.status, 200);
      assert.equal(forward.to, `http://127.0.0.1:${port}/hook`);
    } finally {
      await app.end();
      vscode.debug.removeBreakpoints([breakpoint]);
      await endTask('listen');
    }
  });
});
