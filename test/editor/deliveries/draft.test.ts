import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { shownIn } from '../../../src/editor/deliveries/deliveryUri.ts';
import type { Delivery } from '../../../src/contract/delivery.ts';
import { isEdited } from '../../../src/deliveries/keptDelivery.ts';
import { verify } from '../../../src/service/signature/signature.ts';
import {
  command,
  deliveries,
  eventually,
  expectMessage,
  setSetting,
  shownMessages,
} from '../../support/editor/inEditor.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { codeLenses } from '../../support/editor/codeLenses.ts';

const secret = 'the secret of the drafts';

describe('the draft of a delivery', function () {
  // Each test goes on where the one before has ended.
  this.bail(true);
  let app: Receiver;
  let id: string;

  before(async () => {
    app = await Receiver.start();
    await setSetting('listener.forwardTo', app.url);
    await command('setWebhookSecret', { secret });
    await command('startListener', { port: 0 });
    await command('clearDeliveries', {});
    app.behaviours = [500];
    await command('sendTestDelivery', { body: { n: 1, echo: secret } });
    ({ id } = await withAttempts(1));
  });

  after(async () => {
    await setSetting('listener.forwardTo', undefined);
    await command('clearDeliveries', {});
    await command('stopListener');
    await app.close();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  function withAttempts(count: number): Promise<Delivery> {
    return eventually(async () => {
      const [newest] = await deliveries();
      return newest?.attempts?.length === count ? newest : undefined;
    });
  }
  function draft(): vscode.TextDocument {
    const { document } = vscode.window.activeTextEditor!;
    assert.deepEqual(shownIn(document.uri), { id, part: 'draft' });
    return document;
  }
  /** Types over what is there, and waits until it is kept. */
  async function type(from: string, to: string): Promise<void> {
    const document = draft();
    const at = document.getText().indexOf(from);
    assert.ok(at >= 0, from);
    const range = new vscode.Range(document.positionAt(at), document.positionAt(at + from.length));
    await vscode.window.activeTextEditor!.edit((edit) => edit.replace(range, to));
    await eventually(async () => {
      const bytes = await vscode.workspace.fs.readFile(document.uri);
      return !document.isDirty && Buffer.from(bytes).toString().includes(to) ? true : undefined;
    });
  }
  /** Clicks the link with this title, and gives what the app got by that. */
  async function click(title: string) {
    const lenses = await codeLenses(draft().uri);
    const lens = lenses.find((one) => one.title.endsWith(title));
    assert.ok(lens, lenses.map((one) => one.title).join());
    const before = app.received.length;
    const { command: clicked, arguments: given = [] } = lens;
    const answer = await vscode.commands.executeCommand<{ status: number } | undefined>(
      clicked,
      ...(given as unknown[]),
    );
    const got = app.received.slice(before);
    return { answer, got };
  }
  const verdictOf = ({ headers, body }: Receiver['received'][number]) =>
    verify(headers, body, [secret], Date.now() / 1000, 300).verdict;

  it('is opened as JSON that can be edited, and nothing is hidden in it that it would need', async () => {
    await command('editDelivery', { id });
    assert.equal(draft().languageId, 'json');
    assert.match(
      draft().getText(),
      /^\{\n {2}"body": \{\n {4}"n": 1,\n {4}"echo": "•+"\n {2}\},\n {2}"headers": \{/,
    );
    assert.ok(!draft().getText().includes(secret));
    assert.match(String(vscode.window.tabGroups.activeTabGroup.activeTab?.label), /^Edit \S+ \d/);
  });

  it('is sent as it is, signed now, without being edited', async () => {
    const { answer, got } = await click('Send, Signed Now');
    assert.equal(answer?.status, 200);
    assert.equal(got[0]!.body.toString(), JSON.stringify({ n: 1, echo: secret }));
    assert.equal((await withAttempts(2)).attempts?.at(-1)?.kind, 'signedAnew');
  });

  it('says that your handler may skip it, as long as it has the id that the handler has accepted', async () => {
    const isSaid = async () =>
      (await codeLenses(draft().uri)).some(({ title }) => title.endsWith('has accepted this X-Request-Id'));
    assert.ok(await isSaid());
    const [, own = ''] = /"x-request-id": "([^"]+)"/.exec(draft().getText()) ?? [];
    await type(own, 'another');
    assert.ok(!(await isSaid()));
    await type('another', own);
  });

  it('is sent as it was edited, what was hidden filled in', async () => {
    await type('"n": 1', '"n": 2');
    await type('"x-request-id"', '"x-new": "a",\n    "x-request-id"');
    const { got } = await click('Send, Signed Now');
    assert.equal(got[0]!.body.toString(), JSON.stringify({ n: 2, echo: secret }));
    assert.equal(got[0]!.headers['x-new'], 'a');
    assert.equal(verdictOf(got[0]!), 'verified');
    assert.equal((await withAttempts(3)).attempts?.at(-1)?.kind, 'edited');
  });

  it('is sent without a signature', async () => {
    app.behaviours = [401];
    const { answer, got } = await click('Send Unsigned');
    assert.equal(answer?.status, 401);
    assert.equal(verdictOf(got[0]!), 'unsigned');
    assert.equal((await withAttempts(4)).attempts?.at(-1)?.kind, 'unsigned');
    const { message } = (await shownMessages()).at(-1)!;
    assert.equal(message, 'Sent unsigned: your handler rejected it, as it should.');
  });

  it('warns where it is accepted without a signature, and leads to the code that verifies', async () => {
    await click('Send Unsigned');
    await withAttempts(5);
    const { message, verbs } = (await shownMessages()).at(-1)!;
    assert.match(message, /^Your handler accepted an unsigned delivery/);
    assert.deepEqual(verbs, ['Insert Verification Code…', 'Open Response']);
  });

  it('is saved as a fixture', async () => {
    const uri = vscode.Uri.parse(await command<string>('saveDraftAsFixture', { id }));
    try {
      const fixture = JSON.parse(Buffer.from(await vscode.workspace.fs.readFile(uri)).toString()) as {
        body: unknown;
        headers: Record<string, string>;
      };
      assert.deepEqual(fixture.body, { n: 2, echo: secret });
      assert.equal(fixture.headers['x-new'], 'a');
    } finally {
      await vscode.workspace.fs.delete(uri);
    }
  });

  it('is not sent where it is broken: it is said in which line', async () => {
    await type('"n": 2', '"n": ,');
    const before = app.received.length;
    await assert.rejects(command('sendDraftSigned', { id }), /not JSON.* Line 3, column 10/);
    await type('"n": ,', '"n": 3');
    await type('"headers": {', '"header": {');
    await assert.rejects(command('sendDraftUnsigned', { id }), /Line 6 .*"header" is not known here/);
    await type('"header": {', '"headers": {');
    assert.equal(app.received.length, before);
  });

  const close = () => vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  /** As a row of the view does. */
  const edit = () => vscode.commands.executeCommand('runhook.editDelivery', { argument: { id } });

  it('keeps what was edited when it is closed, sent or not', async () => {
    assert.ok(!draft().isDirty, 'nothing asks for it to be saved');
    await close();
    await edit();
    assert.match(draft().getText(), /"n": 3/);
    await click('Send, Signed Now');
    await close();
    await edit();
    assert.match(draft().getText(), /"n": 3/, 'of a handler that took it too');
  });

  it('starts over by a click, which can be undone', async () => {
    await click('Start Over');
    assert.match(draft().getText(), /"n": 1/);
    await vscode.commands.executeCommand('undo');
    assert.match(draft().getText(), /"n": 3/);
    await type('"n": 3', '"n": 4');
    await close();
    await command('editDelivery', { id, startOver: true });
    assert.match(draft().getText(), /"n": 1/);
  });

  it('leaves the delivery what it was: its row says nothing of an edited one', async () => {
    await close();
    app.behaviours = [500];
    await command('replayDelivery', { id, body: { n: 6 } });
    const told = await eventually(async () => {
      const [one] = await deliveries();
      return one?.attempts?.at(-1)?.status === 500 ? one : undefined;
    });
    assert.equal(told.attempts?.at(-1)?.kind, 'edited');
    assert.equal(told.forward?.status, 200);
    const linksOf = async (index: number): Promise<string> => {
      await command('openAppAnswer', { id, at: told.attempts?.at(index)?.at });
      const { uri } = vscode.window.activeTextEditor!.document;
      return (await codeLenses(uri)).map(({ title }) => title.replace(/^\S+ /, '')).join(' | ');
    };
    await command('openAppAnswer', { id });
    assert.match(vscode.window.activeTextEditor!.document.getText(), /^200 /, 'of the one that came');
    assert.equal(await linksOf(-1), 'Edit and Replay | Compare with Previous');
    assert.equal(await linksOf(-2), 'Newer response: 500 | Compare with Previous');
    assert.equal(await linksOf(1), 'Replay | Compare with Previous');
    const before = app.received.length;
    await command('replayDeliveries', { failed: true }).catch(() => undefined);
    assert.equal(app.received.length, before);
  });

  it('is compared as another delivery: the response to a replay, with that to the last one as it came', async () => {
    app.behaviours = [202];
    await command('replayDelivery', { id });
    const attempts = await eventually(async () => {
      const [{ attempts: all = [] } = {}] = await deliveries();
      return all.at(-1)?.status === 202 ? all : undefined;
    });
    const [edited, replayed] = [attempts.at(-2)!, attempts.at(-1)!];
    const came = attempts.findLast((one) => !isEdited(one) && one !== replayed)!;
    assert.equal(edited.kind, 'edited');
    assert.deepEqual(await command('compareResponses', { id }), { at: [came.at, replayed.at] });
    const { at } = await command<{ at: string[] }>('compareResponses', { id, at: edited.at });
    assert.deepEqual(at, [attempts.at(-3)!.at, edited.at]);
    assert.match(vscode.window.tabGroups.activeTabGroup.activeTab!.label, / ↔ 500 edited$/);
  });

  it('is not there where nobody edits', async () => {
    await close();
    await command('sendTestDelivery', { body: {} });
    const other = await eventually(async () => (await deliveries()).find((one) => one.id !== id));
    await assert.rejects(command('sendDraftSigned', { id: other.id }), /not open for editing/);
  });

  it('is replayed by a command too, with what it names', async () => {
    const before = app.received.length;
    const headers = { 'X-Tag': 'b', 'x-request-id': null };
    await command('replayDelivery', { id, body: { n: 5 }, headers });
    const [got] = app.received.slice(before);
    assert.equal(got!.body.toString(), '{"n":5}');
    assert.equal(got!.headers['x-tag'], 'b');
    assert.equal(got!.headers['x-request-id'], undefined);
    assert.notEqual(verdictOf(got!), 'verified');
    await command('replayDelivery', { id, body: 'text', resign: true });
    assert.equal(app.received.at(-1)!.body.toString(), 'text');
    assert.equal(verdictOf(app.received.at(-1)!), 'verified');
    await assert.rejects(command('replayDelivery', { id, headers: { 'a b': 'c' } }), /not a header name/);
    await assert.rejects(command('replayDelivery', { id, headers: { a: 1 } }), /headers\.a/);
  });

  it('is of no delivery that was removed, whose id nobody who clicks has seen', async () => {
    await command('clearDeliveries', {});
    await shownMessages();
    await expectMessage(edit(), /^This delivery is no longer kept\.$/);
    await assert.rejects(command('editDelivery', { id }), new RegExp(`There is no delivery ${id}`));
  });
});
