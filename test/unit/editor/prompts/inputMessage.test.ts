import assert from 'node:assert/strict';
import { inputNote } from '../../../../src/editor/kit/prompts.ts';

describe('the note below an input', () => {
  const options = { title: '', prompt: '', becomes: (text: string) => `http://${text.trim()}` };

  it('shows what a text becomes before it is kept, and nothing where it stays as it is', () => {
    assert.deepEqual(inputNote(options, ' a:1 '), { message: '→ http://a:1', isWarning: false });
    assert.equal(inputNote({ ...options, becomes: (text) => text }, 'http://a:1'), undefined);
    assert.equal(inputNote({ title: '', prompt: '' }, 'a'), undefined);
  });

  it('shows it beside a warning', () => {
    const note = inputNote({ ...options, warn: () => 'It leaves this machine.' }, 'a');
    assert.deepEqual(note, { message: '→ http://a  It leaves this machine.', isWarning: true });
  });
});
