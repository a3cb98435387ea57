import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Delivery } from '../../../src/model/deliveries/delivery.ts';
import { answerPrompts, expectMessage } from '../../support/editor/inEditor.ts';

const run = <T>(command: string, argument?: object): Thenable<T> =>
  vscode.commands.executeCommand<T>(`runhook.${command}`, argument);

/** The text of the document that came to the front last. */
function shownText(): string {
  return vscode.window.activeTextEditor?.document.getText() ?? '';
}

describe('deliveries', () => {
  const secret = 'the secret of these tests';
  let url: string;

  before(async () => {
    await run('setWebhookSecret', { secret });
    ({ url } = await run<{ url: string }>('startListener', { port: 0 }));
  });

  beforeEach(async () => {
    await run('clearDeliveries', {});
    const sent = await run<{ status: number }>('sendTestDelivery', { body: { run_id: 'r-1', n: 1 } });
    assert.equal(sent.status, 200);
  });

  after(async () => {
    await run('clearDeliveries', {});
    await run('stopListener');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  async function newest(): Promise<Delivery> {
    const [delivery] = await run<Delivery[]>('listDeliveries', { limit: 1 });
    assert.ok(delivery);
    return delivery;
  }

  it('sends a test delivery that verifies', async () => {
    const delivery = await newest();
    assert.equal(delivery.verdict, 'verified');
    assert.equal(delivery.runId, 'r-1');
  });

  it('opens a delivery as a read-only document, its body laid out', async () => {
    const { id } = await newest();
    await run('openDelivery', { id });
    assert.match(shownText(), /"verdict": "verified"/);
    assert.match(
      shownText(),
      /^\{\n {2}"body": \{\n {4}"run_id": "r-1",\n {4}"n": 1\n {2}\},\n {2}"headers": \{\n/,
    );
    assert.equal(vscode.window.activeTextEditor?.document.languageId, 'json');
    await run('openDeliveryBody', { id });
    assert.equal(shownText(), '{"run_id":"r-1","n":1}');
  });

  it('explains a delivery without telling the secret', async () => {
    const sent = await run<{ status: number }>('sendTestDelivery', { secret: `${secret}\n` });
    assert.equal(sent.status, 401);
    const { id } = await newest();
    const explanation = await run<string>('explainDelivery', { id });
    assert.match(explanation, /the caller's secret has a newline at its end/i);
    assert.doesNotMatch(explanation, new RegExp(secret));
  });

  it('replays a delivery to the listener as a repeat', async () => {
    const first = await newest();
    const sent = await run<{ status: number; durationMs: number }>('replayDelivery', { id: first.id });
    assert.equal(sent.status, 200);
    assert.equal(typeof sent.durationMs, 'number');
    assert.equal((await newest()).repeatOf, first.id);
  });

  it('copies a delivery as cURL', async () => {
    const delivery = await newest();
    const command = await run<string>('copyDeliveryAsCurl', { id: delivery.id });
    assert.match(command, /^curl /);
    assert.ok(command.includes(url.replace(/\/$/, delivery.path)));
    assert.equal(await vscode.env.clipboard.readText(), command);
  });

  it('saves a delivery as a fixture', async () => {
    const { id } = await newest();
    const uri = vscode.Uri.parse(await run<string>('saveDeliveryAsFixture', { id }));
    const fixture: unknown = JSON.parse((await vscode.workspace.fs.readFile(uri)).toString());
    assert.ok(typeof fixture === 'object' && fixture !== null && 'body' in fixture);
    assert.deepEqual(fixture.body, { run_id: 'r-1', n: 1 });
    assert.match(uri.path, /\.runhook\/fixtures\/[a-z0-9-]+\.delivery\.json$/);
    assert.ok(!JSON.stringify(fixture).includes('-signature'), 'it is signed when it is sent');
  });

  it('asks a person for the folder of fixtures, once', async () => {
    const kept = { kept: true };
    await answerPrompts(kept, '../elsewhere');
    await expectMessage(run('saveDeliveryAsFixture'), /Enter a path within the workspace/);
    const saved: string[] = [];
    for (const answers of [[kept, kept], [kept]]) {
      await answerPrompts(...answers);
      saved.push(await run<string>('saveDeliveryAsFixture'));
      assert.deepEqual(await answerPrompts(), [], 'each answer was asked for, and no other');
      assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), saved.at(-1));
    }
    for (const uri of saved) await vscode.workspace.fs.delete(vscode.Uri.parse(uri));
  });

  it('rejects an id that is not there', async () => {
    for (const command of ['openDelivery', 'explainDelivery', 'copyDeliveryAsCurl', 'replayDelivery']) {
      await assert.rejects(run(command, { id: 'none' }) as Promise<unknown>, Error, command);
    }
  });

  it('clears the deliveries', async () => {
    await run('clearDeliveries', {});
    assert.deepEqual(await run('listDeliveries'), []);
  });
});
