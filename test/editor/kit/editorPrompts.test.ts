import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { editorPrompts } from '../../../src/editor/kit/editorPrompts.ts';
import { eventually } from '../../support/editor/inEditor.ts';

describe('an input whose text is checked', () => {
  const { createInputBox } = vscode.window;
  const accepted = new vscode.EventEmitter<void>();
  let box: vscode.InputBox | undefined;

  beforeEach(() => {
    box = undefined;
    Object.assign(vscode.window, {
      createInputBox: () => {
        // As if Enter was pressed in it.
        box = Object.assign(createInputBox(), { onDidAccept: accepted.event });
        return box;
      },
    });
  });
  afterEach(() => void Object.assign(vscode.window, { createInputBox }));
  after(() => accepted.dispose());

  it('takes no text that was changed while it was checked, but the one that stands there', async () => {
    const checks: { text: string; pass: () => void }[] = [];
    const asked = editorPrompts.input({
      title: 'A title',
      prompt: 'a text',
      check: async (text) => new Promise((resolve) => checks.push({ text, pass: () => resolve(undefined) })),
    });
    let taken: string | undefined;
    void asked.then((given) => (taken = given));
    box!.value = 'an older text';
    accepted.fire();
    box!.value = 'a newer text';
    checks[0]!.pass();
    await eventually(() => (box!.busy ? undefined : true));
    accepted.fire();
    await eventually(() => (taken ?? checks[1]) && true);
    assert.equal(taken, undefined);
    checks[1]!.pass();
    assert.equal(await asked, 'a newer text');
    assert.deepEqual(
      checks.map(({ text }) => text),
      ['an older text', 'a newer text'],
    );
  });
});
