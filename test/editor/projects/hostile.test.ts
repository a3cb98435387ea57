import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { SandboxGate } from '../../support/service/sandboxGate.ts';
import { hostileTexts } from '../../support/untrusted/hostileTexts.ts';
import { keyShapes } from '../../support/service/keyShapes.ts';
import { setSetting } from '../../support/editor/inEditor.ts';

describe('whatever the service answers', () => {
  const service = new SandboxGate();
  const account = { projectId: 'p-sandbox', serviceAccountId: 'sa-ci' };
  const list = async () => vscode.commands.executeCommand<object[]>('runhook.listKeys', account);

  before(async () => {
    const { baseUrl, token } = await service.start();
    await setSetting('baseUrl', baseUrl);
    await vscode.commands.executeCommand('runhook.addProject', {
      id: account.projectId,
      serviceAccounts: [{ id: account.serviceAccountId }],
    });
    await vscode.commands.executeCommand('runhook.setToken', { ...account, token });
    // The view draws all of it as well.
    await vscode.commands.executeCommand('runhook.projects.focus');
  });
  after(async () => {
    await vscode.commands.executeCommand('runhook.removeProject', { projectId: account.projectId });
    await setSetting('baseUrl', undefined);
    await service.stop();
  });

  for (const { name, body, keys, count } of keyShapes) {
    it(`is listed as far as it can be read: ${name}`, async () => {
      service.answers(200, body === undefined ? '' : body === null ? 'null' : body);
      if (keys !== undefined) {
        const listed = await list();
        assert.deepEqual(
          listed.map((key) => ({ ...key, status: undefined })),
          keys.map((key) => ({ ...key, status: undefined })),
        );
      } else if (count !== undefined) {
        assert.deepEqual(
          await list(),
          Array.from({ length: count }, () => ({ status: 'unknown' })),
        );
      } else {
        await assert.rejects(list(), /does not recognise the format|returned a web page: Sign in/);
      }
    });
  }

  for (const text of hostileTexts) {
    it(`is text: ${JSON.stringify(text.slice(0, 30))}`, async () => {
      service.answers(200, [{ id: text, name: text, [text]: text }]);
      assert.equal((await list()).length, 1);
      service.answers(422, { message: text });
      await assert.rejects(list(), (error: Error) => {
        assert.match(error.message, /422/);
        assert.ok(error.message.length < 500);
        return true;
      });
    });
  }

  for (const body of ['', '{', '[]', '{"error":null}', '{"message":{"message":{"message":{}}}}', '\u0000']) {
    it(`is an error with its status: ${JSON.stringify(body)}`, async () => {
      service.answers(404, body);
      await assert.rejects(list(), /404/);
    });
  }
});
