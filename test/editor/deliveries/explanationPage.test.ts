import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ExplanationPanel } from '../../../src/editor/deliveries/explanation/explanationPanels.ts';
import type { TitledExplanation } from '../../../src/editor/deliveries/explanation/explainer.ts';
import type { ExplanationContent } from '../../../src/pages/explanation/explanationProtocol.ts';
import { explain } from '../../../src/service/explanation/explanation.ts';
import { delivery, secret } from '../../support/webhooks/signedDelivery.ts';
import { answerPrompts, command } from '../../support/editor/inEditor.ts';
import { waitFor } from '../../support/time/waitFor.ts';
import { WebviewRig } from '../webviewRig.ts';

const explained = (key: string, secrets: string[]): TitledExplanation => ({
  ...explain(delivery({ key }, {}, secrets)),
  title: 'Explain echo',
  isSimulated: false,
  isAnswered: false,
});

describe('the page of an explanation', () => {
  const rig = new WebviewRig();
  const outdated = new vscode.EventEmitter<string>();
  const removed = new vscode.EventEmitter<void>();
  const first = explained(`${secret}\n`, [secret]);
  const { expected } = first.signatures!;
  /** What an explainer knows by now. */
  let now = first;
  let log: vscode.LogOutputChannel;
  let panel: vscode.WebviewPanel;
  let shown: ExplanationPanel;

  before(() => {
    log = vscode.window.createOutputChannel('Explanation Rig', { log: true });
    const { extensionUri } = vscode.extensions.getExtension('runhook.runhook')!;
    panel = rig.panel();
    shown = new ExplanationPanel(
      panel,
      'd-1',
      { delivery: () => Promise.resolve(now), onDidOutdate: outdated.event, onDidClear: removed.event },
      { extensionUri, log },
    );
  });
  after(() => {
    rig.close();
    log.dispose();
  });

  const sent = () => JSON.stringify(rig.sent);

  it('has nothing to give before it was told what to show', async () => {
    const { failure } = await rig.ask('signatures');
    assert.match(failure?.message ?? '', /Explain the delivery again/);
  });

  it('is told no hidden signature, until somebody asks for it there', async () => {
    const { gives } = await rig.ask('load');
    const { id, picture } = gives?.content as ExplanationContent;
    assert.equal(id, 'd-1');
    assert.deepEqual(picture, first.picture);
    assert.equal(panel.title, 'Explain echo');
    assert.match(String((panel.iconPath as { light: vscode.Uri }).light), /explanation-light\.svg$/);
    assert.ok(!sent().includes(expected.slice(3)));
    assert.deepEqual((await rig.ask('signatures')).gives, first.signatures);
  });

  it('copies a text without it', async () => {
    assert.deepEqual((await rig.ask('copyAsText')).gives, { said: 'Copied.' });
    const copied = await vscode.env.clipboard.readText();
    assert.equal(copied, first.text);
    assert.ok(!copied.includes(expected));
  });

  it('draws signatures of the explanation that it shows', async () => {
    now = explained('changed\n', ['changed']);
    assert.deepEqual((await rig.ask('signatures')).gives, first.signatures, 'another one is not shown yet');
    shown.show('d-2', now);
    const told = rig.told('show').at(-1) as ExplanationContent;
    assert.equal(told.id, 'd-2', 'what a reload brings back');
    assert.deepEqual(told.picture, now.picture);
    assert.deepEqual((await rig.ask('signatures')).gives, now.signatures);
  });

  it('follows its delivery, and no other', async () => {
    const before = rig.told('show').length;
    now = first;
    outdated.fire('d-1');
    outdated.fire('d-2');
    await waitFor('the new explanation', () => rig.told('show').length > before);
    assert.equal(rig.told('show').length, before + 1);
    assert.deepEqual((rig.told('show').at(-1) as ExplanationContent).picture, first.picture);
  });

  it('leads to the faults of the sandbox where they may be why', async () => {
    shown.show('d-1', { ...first, isSimulated: true });
    assert.equal((rig.told('show').at(-1) as ExplanationContent).isSimulated, true);
    await command('startSandbox', { port: 0 });
    await answerPrompts(['repeat']);
    await rig.ask('changeFaults');
    assert.deepEqual(await answerPrompts(), [], 'the question was asked');
    await command('stopSandbox');
  });

  it('asks for the secret where none is set, and explains again', async () => {
    shown.show('d-1', explained(secret, []));
    assert.equal((rig.told('show').at(-1) as ExplanationContent).lacksSecret, true);
    now = explained(secret, [secret]);
    await answerPrompts(undefined);
    await rig.ask('setSecret');
    assert.deepEqual(await answerPrompts(), [], 'the question was asked');
    const { lacksSecret, picture } = rig.told('show').at(-1) as ExplanationContent;
    assert.deepEqual([lacksSecret, picture.kind], [undefined, 'right']);
  });

  it('holds no secret', () => assert.ok(!sent().includes(secret)));

  it('may ask nothing else', async () => {
    for (const name of ['executeCommand', 'constructor', '__proto__', 'apply']) {
      const { failure } = await rig.ask(name);
      assert.match(failure?.message ?? '', /does not fit the protocol/, name);
    }
  });

  it('loads nothing but its own parts', () => {
    assert.match(rig.html, /default-src &#39;none&#39;|default-src 'none'/);
    assert.doesNotMatch(rig.html, /unsafe/);
  });
});
