import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { takesConnection } from '../../../src/suite/run/untilListening.ts';
import { lateMs } from '../../../src/deliveries/failure/attribution.ts';
import type { Attempt, Delivery } from '../../../src/contract/delivery.ts';
import { lineOfFailure } from '../../../src/editor/debug/debugDelivery.ts';
import { answerPrompts, command, deliveries, eventually } from '../../support/editor/inEditor.ts';
import { DebuggedApp } from '../../support/editor/debuggedApp.ts';
import { Receiver } from '../../support/http/receiver.ts';

/** Fails in the way that a delivery names, or responds 200. */
const handler = `
const { createServer } = require('node:http');

const ways = {
  undefined: (response) => response.end('taken'), // here: taken
  logged: (response) => {
    try {
      response.prompt.length; // here: logged
    } catch (error) {
      console.error(error);
      response.writeHead(500).end('{}');
    }
  },
  text: (response) => {
    try {
      response.prompt.length; // here: text
    } catch (error) {
      console.log('It failed: ' + error.stack);
      response.writeHead(500).end('{}');
    }
  },
  within: (response) => {
    try {
      response.prompt.length; // here: within
    } catch (error) {
      console.error({ level: 'error', error });
      response.writeHead(500).end('{}');
    }
  },
  silent: (response) => response.writeHead(500).end('{}'),
  async crash() {
    await null;
    throw new RangeError('nobody catches it'); // here: crash
  },
};

const server = createServer((request, response) => {
  let body = ''; // here: first
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => ways[JSON.parse(body).way](response));
});
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'));
`;
const python = `
import os
from http.server import BaseHTTPRequestHandler, HTTPServer


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        {}["prompt"]  # here: python


HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
`;
const lineOf = (mark: string, text = handler): number =>
  text.split('\n').findIndex((line) => line.endsWith(` here: ${mark}`)) + 1;

describe('a delivery that failed', () => {
  const folder = vscode.workspace.workspaceFolders![0]!;
  const file = vscode.Uri.joinPath(folder.uri, 'failing', 'handler.cjs');
  const launch = vscode.workspace.getConfiguration('launch', folder);
  let address: URL;
  /** Holds the port until the handler runs, and fails. */
  let outage: Receiver;

  before(async () => {
    outage = await Receiver.start();
    address = new URL(outage.url);
    const { port } = address;
    const to = `http://127.0.0.1:${port}/hook`;
    await vscode.workspace.fs.writeFile(file, Buffer.from(handler));
    await vscode.workspace.fs.writeFile(
      vscode.Uri.joinPath(folder.uri, 'failing', 'handler.py'),
      Buffer.from(python),
    );
    const program = '${workspaceFolder}/failing/handler.cjs';
    const env = { PORT: port };
    await launch.update('configurations', [
      { name: 'The Handler', type: 'node', request: 'launch', program, env },
    ]);
    await vscode.workspace.getConfiguration('runhook').update('listener.forwardTo', to);
    await command('clearDeliveries');
    await command('startListener', {});
  });
  after(async () => {
    await vscode.workspace.getConfiguration('runhook').update('listener.forwardTo', undefined);
    await launch.update('configurations', undefined);
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder.uri, 'failing'), { recursive: true });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await command('stopListener');
  });

  const attemptsOf = async (id: string): Promise<Attempt[]> =>
    (await deliveries()).find((one) => one.id === id)?.attempts ?? [];
  /** Sends a delivery, and gives its id once the handler has responded. */
  async function deliver(body: object): Promise<string> {
    const known = new Set((await deliveries()).map(({ id }) => id));
    await command('sendTestDelivery', { body });
    return eventually(async () => {
      const arrived = (await deliveries()).find(({ id, forward }) => !known.has(id) && forward !== undefined);
      return arrived?.id;
    });
  }
  /** As errors, they would hold up a debugger that has a task before it. */
  const marks = (): string[] =>
    vscode.languages
      .getDiagnostics(file)
      .filter(({ severity }) => severity === vscode.DiagnosticSeverity.Warning)
      .map(({ range, message, source }) => `${source} ${range.start.line + 1} ${message}`);

  it('leads to its line, and is sent to the handler under the debugger, where it stands at a breakpoint', async () => {
    outage.otherwise = 500;
    const id = await deliver({});
    // The configuration is asked for once.
    await answerPrompts('The Handler');
    await assert.rejects(
      command('debugDelivery', { id }),
      /already listens at 127\.0\.0\.1:\d+, but not under the debugger/,
    );
    assert.deepEqual(await answerPrompts(), []);
    await outage.close();
    const app = new DebuggedApp();
    try {
      await vscode.debug.startDebugging(folder, 'The Handler');
      await app.waitForOutput('ready');
      const silent = await deliver({ way: 'silent' });
      const [{ at } = assert.fail('there is no attempt')] = await attemptsOf(silent);
      await eventually(() => Date.now() > Date.parse(at) + lateMs || undefined);
      for (const [way, message] of Object.entries({
        logged: "TypeError: Cannot read properties of undefined (reading 'length')",
        text: "TypeError: Cannot read properties of undefined (reading 'length')",
        crash: 'RangeError: nobody catches it',
      })) {
        const failed = await deliver({ way });
        const failedAt = await eventually(async () => (await attemptsOf(failed))[0]?.failedAt);
        const { column = 1, ...place } = failedAt;
        assert.deepEqual(place, { file: file.fsPath, line: lineOf(way), message });
        assert.ok(column > 1);
        await eventually(() => marks().includes(`Runhook ${lineOf(way)} ${message}`) || undefined);
        assert.deepEqual(await command('openFailure', { id: failed }), failedAt);
        const { document, selection } = vscode.window.activeTextEditor!;
        assert.equal(document.uri.fsPath, file.fsPath);
        assert.deepEqual(selection.active, new vscode.Position(lineOf(way) - 1, column - 1));
      }
      assert.equal((await attemptsOf(silent))[0]?.failedAt, undefined);
      await assert.rejects(command('openFailure', { id: silent }), /Nothing says which line/);

      // The file is written, as by who mends it: what is taken from then on ends the marks.
      await vscode.workspace.fs.writeFile(file, await vscode.workspace.fs.readFile(file));
      // That of a file which does not run stops nothing.
      const elsewhere = vscode.Uri.joinPath(folder.uri, 'failing', 'elsewhere.cjs');
      await vscode.workspace.fs.writeFile(elsewhere, Buffer.from('console.log(1);'));
      const start = new vscode.Location(elsewhere, new vscode.Position(0, 0));
      vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(start)]);
      await answerPrompts(`Stop at failing/handler.cjs:${lineOf('first')}`);
      assert.deepEqual(await command('debugDelivery', { id }), { session: 'The Handler' });
      const stop = await app.waitForStop();
      assert.deepEqual(await stop.place(), { file: 'handler.cjs', line: lineOf('first') });
      await stop.resume();
      const last = await eventually(async () => (await attemptsOf(id))[1]);
      assert.deepEqual([last.status, last.error], [200, undefined]);
      await eventually(() => marks().length === 0 || undefined);
    } finally {
      vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
      await app.end();
    }
  });

  it('has what starts the handler asked for anew where that does not start or listen', async () => {
    const other = vscode.Uri.joinPath(folder.uri, 'failing', 'other.cjs');
    await vscode.workspace.fs.writeFile(other, Buffer.from("console.log('It listens nowhere.');"));
    const configured = launch.get('configurations');
    const starts = (name: string, program: string) => ({
      ...{ name, type: 'node', request: 'launch', program: `\${workspaceFolder}/failing/${program}` },
      env: { PORT: address.port },
    });
    await launch.update('configurations', [
      starts('Broken', 'handler.cjs'),
      starts('Wrong', 'other.cjs'),
      starts('Right', 'handler.cjs'),
    ]);
    // As where its task fails or its debugger is not installed, but without the editor's dialog about it.
    const breaking = vscode.debug.registerDebugConfigurationProvider('node', {
      resolveDebugConfiguration: (_, one) => (one.name === 'Broken' ? undefined : one),
    });
    const app = new DebuggedApp();
    try {
      // Those that ended the handler would be repeated to it.
      await command('clearDeliveries');
      await command('sendTestDelivery', { body: {} });
      const [{ id } = assert.fail('there is no delivery')] = await deliveries();
      const without = 'Send without a Breakpoint';
      await answerPrompts('Broken');
      await assert.rejects(command('debugDelivery', { id }), /"Broken" did not start/);
      await answerPrompts('Wrong');
      await assert.rejects(command('debugDelivery', { id }), /"Wrong" ended before it listened/);
      await answerPrompts('Right', without);
      assert.deepEqual(await command('debugDelivery', { id }), { session: 'Right' });
      await answerPrompts(without);
      assert.deepEqual(await command('debugDelivery', { id }), { session: 'Right' });
      // Both are with the handler, and nothing is under way that could be taken for what fails next.
      const [, , last] = await eventually(async () => {
        const all = await attemptsOf(id);
        return all.length === 3 ? all : undefined;
      });
      await eventually(() => Date.now() > Date.parse(last!.at) + lateMs || undefined);
    } finally {
      await app.end();
      breaking.dispose();
      await launch.update('configurations', configured);
    }
  });

  it('offers the line of its failure as long as the handler has not accepted it since', () => {
    const at = '2026-11-20T12:00:00.000Z';
    const failed = { at, status: 500, failedAt: { file: file.fsPath, line: 5, message: 'no prompt' } };
    const linesOf = (...attempts: object[]) =>
      lineOfFailure({ attempts } as unknown as Delivery).map(({ line, why }) => `${line} ${why}`);
    assert.deepEqual(linesOf(failed), ['4 no prompt']);
    assert.deepEqual(linesOf(failed, { at, error: 'ECONNREFUSED' }), ['4 no prompt']);
    assert.deepEqual(linesOf(failed, { at, status: 200 }), []);
    assert.deepEqual(linesOf({ at, status: 200 }, failed), ['4 no prompt']);
  });

  const inTerminals: [program: string, mark: string, message: string][] = [
    [
      'node failing/handler.cjs',
      'within',
      "TypeError: Cannot read properties of undefined (reading 'length')",
    ],
    ['python3 failing/handler.py', 'python', "KeyError: 'prompt'"],
  ];
  for (const [program, mark, message] of inTerminals) {
    it(`leads to its line by what the handler writes in a terminal: ${program}`, async () => {
      const terminal = vscode.window.createTerminal({ cwd: folder.uri, env: { PORT: address.port } });
      try {
        const shell = await eventually(() => terminal.shellIntegration);
        shell.executeCommand(program);
        await eventually(
          async () => (await takesConnection(address, AbortSignal.timeout(5000))) || undefined,
        );
        const failed = await deliver({ way: mark });
        const failedAt = await eventually(async () => (await attemptsOf(failed))[0]?.failedAt);
        const suffix = program.slice(program.lastIndexOf('.'));
        const path = file.fsPath.replace('.cjs', suffix);
        const { column: _, ...place } = failedAt;
        assert.deepEqual(place, {
          file: path,
          line: lineOf(mark, suffix === '.py' ? python : handler),
          message,
        });
      } finally {
        terminal.dispose();
      }
      await eventually(async () =>
        (await takesConnection(address, AbortSignal.timeout(5000))) ? undefined : true,
      );
    });
  }

  it('leads to its line by what the handler writes in the terminal of a task', async () => {
    const options = { env: { PORT: address.port }, cwd: folder.uri.fsPath };
    const shell = new vscode.ShellExecution('node failing/handler.cjs', options);
    const task = new vscode.Task({ type: 'shell' }, folder, 'handler', 'test', shell);
    const run = await vscode.tasks.executeTask(task);
    try {
      await eventually(async () => (await takesConnection(address, AbortSignal.timeout(5000))) || undefined);
      const failed = await deliver({ way: 'within' });
      const failedAt = await eventually(async () => (await attemptsOf(failed))[0]?.failedAt);
      assert.deepEqual([failedAt.file, failedAt.line], [file.fsPath, lineOf('within')]);
    } finally {
      run.terminate();
    }
  });
});
