import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { toolIds } from '../../src/editor/kit/ids.ts';
import { readableSecrets } from '../../src/editor/features.ts';
import { answerPrompts, command, expectMessage } from '../support/editor/inEditor.ts';

/** Words that libraries use of their own accord, and Runhook does not. */
const ofLibraries =
  /Expected|[Rr]eceived|Invalid (type|key|length)|UriError|FileSystemError|Unexpected (token|end)|is not valid JSON|at position|Unable to|Detail:|TypeError|Error:|is not a function|undefined|scheme/;

/** What a failing call is told. */
async function told(failing: Thenable<unknown>): Promise<string> {
  return Promise.resolve(failing).then(
    () => assert.fail('it did not fail'),
    (error: unknown) => (error as Error).message,
  );
}

describe('what a user is told', () => {
  let folder: string;
  before(() => {
    folder = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  });
  afterEach(() => answerPrompts());

  const project = { projectId: 'p' };
  const calls: [string, object, RegExp][] = [
    ['runFile', { file: 'nowhere.json' }, /"nowhere.json" cannot be opened/],
    ['runFile', { file: 7 }, /"file" must be text/],
    ['runFile', { webhook: 'yes' }, /"webhook" must be true or false/],
    ['runApp', { ...project, headers: { a: 1 } }, /"headers.a" must be text/],
    ['runApp', { ...project, webhook: 3 }, /"webhook" has a value that is not valid/],
    ['addProject', { id: '' }, /"id" must not be empty/],
    ['addProject', { id: 'x', apps: [{}] }, /"apps.0.id" is missing/],
    ['addProject', { id: 'x', apps: {} }, /"apps" must be a list/],
    ['startListener', { port: 0.5 }, /"port" must be a whole number/],
    ['startListener', { port: 65536 }, /"port" must be 65535 or less/],
    [
      'applySettingsFile',
      { file: '/nowhere/x.runhook.json' },
      /"\/nowhere\/x.runhook.json" cannot be opened/,
    ],
    ['applySettingsFile', { file: '::x' }, /Open a file that ends in|cannot be opened/],
    ['sendFixture', { uri: 'file:///nowhere.json' }, /nowhere.json cannot be read/],
    ['sendFixture', { uri: 'nowhere.json' }, /"nowhere.json" cannot be opened/],
    ['moveTokenToSecretStore', { uri: 'http:', start: 0, end: 1 }, /"http:.*" cannot be opened/],
    ['moveTokenToSecretStore', { uri: '::', start: 0, end: 1 }, /"::" cannot be opened/],
  ];
  for (const [name, argument, expected] of calls) {
    it(`is in words of Runhook's own: ${name} ${JSON.stringify(argument)}`, async () => {
      const message = await told(command(name, argument));
      assert.match(message, expected);
      assert.doesNotMatch(message, ofLibraries);
    });
  }

  const files: [string, string, string, RegExp][] = [
    ['runFile', 'file', '{ "a": }', /not JSON\. Line 1, column 8/],
    ['runFile', 'file', '{"$runhook": {"pth": 1}}', /"pth" is unknown/],
    ['runFile', 'file', '{"$runhook": {"query": {"a": {}}}}', /"query.a" has a value that is not valid/],
    ['runFile', 'file', '{"$runhook": []}', /"\$runhook" has a value that is not valid/],
    ['applySettingsFile', 'file', '{"app": "a",', /not JSON\. It ends too early/],
    ['sendFixture', 'uri', '{"body": 3}', /not a fixture\. "body" must be text/],
    ['sendFixture', 'uri', '<html>', /not a fixture\. Not JSON\. Line 1, column 1/],
    ['sendFixture', 'uri', '[]', /not a fixture\. "body" is missing/],
  ];
  for (const [index, [name, key, text, expected]] of files.entries()) {
    it(`is in words of Runhook's own: ${name} with ${text}`, async () => {
      const path = join(folder, `mistake-${index}.runhook.json`);
      await writeFile(path, text);
      const message = await told(command(name, { [key]: path }));
      assert.match(message, expected);
      assert.doesNotMatch(message, ofLibraries);
    });
  }

  it('is in words of Runhook’s own where the tool of a language model does not fit', async () => {
    const input = { settings: 3, more: 1 };
    const message = await told(
      vscode.lm.invokeTool(toolIds.validateSettings, { input, toolInvocationToken: undefined }),
    );
    assert.doesNotMatch(message, ofLibraries);
  });

  it('is what to look at where the secret store does not answer', async () => {
    const locked = () => Promise.reject(new Error('org.freedesktop.Secret.Error.IsLocked'));
    const changes = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
    const store = readableSecrets({
      ...{ keys: locked, get: locked, store: locked, delete: locked },
      onDidChange: changes.event,
    });
    for (const failing of [store.keys(), store.get('a'), store.store('a', 'b'), store.delete('a')]) {
      const message = await told(failing);
      assert.match(message, /keyring of this system/);
      assert.doesNotMatch(message, ofLibraries);
    }
  });

  it('is that the log says why, where something fails that nobody expected', async () => {
    // A question that the test has no answer for: a fault of the test, and a stranger to Runhook.
    const { verbs } = await expectMessage(
      command('addProject'),
      /^Add Project failed\. See the log of Runhook for the reason\.$/,
    );
    assert.deepEqual(verbs, ['Show Log']);
  });
});
