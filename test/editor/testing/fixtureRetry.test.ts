import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import * as vscode from 'vscode';
import type { HeldSecret } from '../../../src/model/secrets/webhookSecret.ts';
import { ErrorSurface } from '../../../src/editor/kit/errorSurface.ts';
import { Destinations } from '../../../src/editor/listener/destinations.ts';
import { ScriptedPrompts } from '../../../src/editor/kit/scriptedPrompts.ts';
import { DebuggedApp } from '../../../src/editor/testing/debuggedApp.ts';
import { FixtureItems } from '../../../src/editor/testing/fixtureItems.ts';
import { FixtureRuns } from '../../../src/editor/testing/fixtureRuns.ts';
import { TestTargets } from '../../../src/editor/testing/testTargets.ts';
import { findFreePort } from '../../soak/freePort.ts';
import { eventually, setSetting } from '../../support/editor/inEditor.ts';
import { MemoryMemento } from '../../support/editor/memoryMemento.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { RecordedRuns } from '../../support/editor/recordedRuns.ts';

/** How long the app of the test takes to restart: longer than a refused connection. */
const restartMs = 300;

describe('fixtures that run on each save', () => {
  // Of its own: the editor keeps the text of a document whose file was deleted.
  const folder = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'retried');
  const forwardTo = async (address: string | undefined) => setSetting('listener.forwardTo', address);

  afterEach(async () => {
    await forwardTo(undefined);
    await vscode.workspace.fs.delete(folder, { recursive: true });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('wait for an app that restarts when they are tried again, after their round was cancelled too', async () => {
    const app = await Receiver.start();
    await forwardTo(app.url);
    const port = await findFreePort();
    const restarted = createServer((_, response) => response.end('taken'));
    const following = new vscode.CancellationTokenSource();
    const prompts = new ScriptedPrompts();
    let held: HeldSecret[] = [];
    const done = async () => {
      held = [{ secret: 'the secret of the tests', owner: { kind: 'default' } }];
      await forwardTo(`http://127.0.0.1:${port}`);
      following.cancel();
      setTimeout(() => restarted.listen(port, '127.0.0.1'), restartMs);
      return true;
    };
    const memento = new MemoryMemento();
    const log = vscode.window.createOutputChannel('Fixture Tests', { log: true });
    const errors = new ErrorSurface({ prompts, log, done });
    const destinations = new Destinations(memento, prompts);
    const controller = vscode.tests.createTestController('runhook.fixtures.retry', 'Fixture Tests');
    const recorded = new RecordedRuns(controller);
    const items = new FixtureItems(controller);
    const secrets = () => Promise.resolve(held);
    const targets = new TestTargets({
      listener: { destinations, secrets, state: { kind: 'stopped' } },
      prompts,
      memento,
    });
    const debugged = new DebuggedApp({ prompts, memento });
    const runs = new FixtureRuns({
      ...{ controller: recorded.controller, items, targets, app: debugged, errors, log },
    });
    const owned = vscode.Disposable.from(controller, items, runs, debugged, destinations, log, following);
    try {
      const file = vscode.Uri.joinPath(folder, 'payment.delivery.json');
      await vscode.workspace.fs.writeFile(file, Buffer.from('{"body": {}, "variants": ["stale"]}'));
      items.show([file]);
      await runs.run(new vscode.TestRunRequest(undefined, undefined, undefined, true), following.token);
      prompts.script([{ verb: 'Set Webhook Secret' }]);
      const editor = await vscode.window.showTextDocument(file);
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '\n'));
      await editor.document.save();
      const [first, second] = await eventually(() => (recorded.all[1]?.ended ? recorded.all : undefined));
      assert.deepEqual(
        first?.outcomes.map(({ outcome }) => outcome),
        ['errored'],
      );
      const told = second?.outcomes.flatMap(({ messages }) => messages.map(({ actual }) => actual));
      // The app takes what is stale: the test fails by its answer.
      assert.deepEqual(told, ['200']);
    } finally {
      owned.dispose();
      restarted.close();
      await app.close();
    }
  });
});
