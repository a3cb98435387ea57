import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('activation', () => {
  it('ends with the extension active', async () => {
    const extension = vscode.extensions.getExtension('runhook.runhook');
    assert.ok(extension, 'the extension is not there');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });
});
