import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Delivery } from '../../../src/contract/delivery.ts';
import { askForDelivery } from '../../../src/editor/deliveries/view/pickDelivery.ts';
import type { Listener } from '../../../src/editor/listener/feature.ts';
import { AnsweredPrompts } from '../../support/editor/answeredPrompts.ts';
import { codeLenses } from '../../support/editor/codeLenses.ts';
import { answerPrompts, command, expectMessage } from '../../support/editor/inEditor.ts';

/** The text of the document that came to the front last. */
function shownText(): string {
  return vscode.window.activeTextEditor?.document.getText() ?? '';
}

describe('deliveries', () => {
  const secret = 'the secret of these tests';
  let url: string;

  before(async () => {
    await command('setWebhookSecret', { secret });
    ({ url } = await command<{ url: string }>('startListener', { port: 0 }));
  });

  beforeEach(async () => {
    await command('clearDeliveries', {});
    const sent = await command<{ status: number }>('sendTestDelivery', { body: { run_id: 'r-1', n: 1 } });
    assert.equal(sent.status, 200);
  });

  after(async () => {
    await command('clearDeliveries', {});
    await command('stopListener');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  async function newest(): Promise<Delivery> {
    const [delivery] = await command<Delivery[]>('listDeliveries', { limit: 1 });
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
    await command('openDelivery', { id });
    assert.match(shownText(), /"verdict": "verified"/);
    assert.match(
      shownText(),
      /^\{\n {2}"body": \{\n {4}"run_id": "r-1",\n {4}"n": 1\n {2}\},\n {2}"headers": \{\n/,
    );
    assert.equal(vscode.window.activeTextEditor?.document.languageId, 'json');
    await command('openDeliveryBody', { id });
    assert.equal(shownText(), '{"run_id":"r-1","n":1}');
  });

  it('explains a delivery without telling the secret', async () => {
    const sent = await command<{ status: number }>('sendTestDelivery', { secret: `${secret}\n` });
    assert.equal(sent.status, 401);
    const { id } = await newest();
    const explanation = await command<string>('explainDelivery', { id });
    assert.match(explanation, /newline after secret/i);
    assert.doesNotMatch(explanation, new RegExp(secret));
  });

  it('replays a delivery to the listener as a repeat', async () => {
    const first = await newest();
    const sent = await command<{ status: number; durationMs: number }>('replayDelivery', { id: first.id });
    assert.equal(sent.status, 200);
    assert.equal(typeof sent.durationMs, 'number');
    assert.equal((await newest()).repeatOf, first.id);
  });

  it('says of a repeat that it is one: above it, in its explanation, and where it is offered', async () => {
    const first = await newest();
    await command('replayDelivery', { id: first.id });
    const { id } = await newest();
    const above = async (of: string) => {
      await command('openDelivery', { id: of });
      return (await codeLenses(vscode.window.activeTextEditor!.document.uri))[0]?.title;
    };
    assert.equal(await above(first.id), '$(pass) verified');
    assert.equal(await above(id), '$(pass) verified · repeat');
    const said = /^Repeat of an earlier delivery/m;
    assert.match(await command<string>('explainDelivery', { id }), said);
    assert.doesNotMatch(await command<string>('explainDelivery', { id: first.id }), said);
    const prompts = new AnsweredPrompts();
    prompts.answers = [undefined];
    const deliveries = await command<Delivery[]>('listDeliveries', {});
    const listener = { page: () => Promise.resolve({ deliveries }) } as unknown as Listener;
    await assert.rejects(askForDelivery(listener, prompts, 'Which?'), /No delivery was chosen/);
    assert.deepEqual(
      prompts.offered.map(({ description = '' }) => description.split(' · ').slice(0, -1).join(' · ')),
      ['verified · repeat', 'verified'],
    );
  });

  it('copies a delivery as cURL', async () => {
    const delivery = await newest();
    const curl = await command<string>('copyDeliveryAsCurl', { id: delivery.id });
    assert.match(curl, /^curl /);
    assert.ok(curl.includes(url.replace(/\/$/, delivery.path)));
    assert.equal(await vscode.env.clipboard.readText(), curl);
  });

  it('takes the delivery whose document is in front, and asks for none', async () => {
    const { id } = await newest();
    await command('sendTestDelivery', { body: { run_id: 'r-2' } });
    await command('openDelivery', { id });
    assert.match(await command<string>('copyDeliveryAsCurl'), /r-1/);
    await command('openDeliveryBody', { id });
    assert.match(await command<string>('copyDeliveryAsCurl'), /r-1/);
  });

  it('saves a delivery as a fixture', async () => {
    const { id } = await newest();
    const uri = vscode.Uri.parse(await command<string>('saveDeliveryAsFixture', { id }));
    const fixture: unknown = JSON.parse((await vscode.workspace.fs.readFile(uri)).toString());
    assert.ok(typeof fixture === 'object' && fixture !== null && 'body' in fixture);
    assert.deepEqual(fixture.body, { run_id: 'r-1', n: 1 });
    assert.match(uri.path, /\.runhook\/fixtures\/[a-z0-9-]+\.delivery\.json$/);
    assert.ok(!JSON.stringify(fixture).includes('-signature'), 'it is signed when it is sent');
  });

  it('asks a person for the path of a fixture', async () => {
    const kept = { kept: true };
    await answerPrompts(kept, '../elsewhere');
    await expectMessage(command('saveDeliveryAsFixture'), /Enter a path within the workspace/);
    const saved: string[] = [];
    for (let times = 0; times < 2; times += 1) {
      await answerPrompts(kept, kept);
      saved.push(await command<string>('saveDeliveryAsFixture'));
      assert.deepEqual(await answerPrompts(), [], 'each answer was asked for, and no other');
      assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), saved.at(-1));
    }
    for (const uri of saved) await vscode.workspace.fs.delete(vscode.Uri.parse(uri));
  });

  it('rejects an id that is not there', async () => {
    for (const name of ['openDelivery', 'explainDelivery', 'copyDeliveryAsCurl', 'replayDelivery']) {
      await assert.rejects(command(name, { id: 'none' }), Error, name);
    }
  });

  it('clears the deliveries', async () => {
    await command('clearDeliveries', {});
    assert.deepEqual(await command('listDeliveries'), []);
  });
});
