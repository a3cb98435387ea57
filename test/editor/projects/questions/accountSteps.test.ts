import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { answerPrompts, command } from '../../../support/inEditor.ts';
import { jwt } from '../../../support/jwt.ts';

const back = { back: true };
/** Accepts a question as it is shown. */
const kept = { kept: true };

describe('setting a token in steps', () => {
  const settings = () => vscode.workspace.getConfiguration('runhook');
  const set = async (id: string, value: unknown) =>
    settings().update(id, value, vscode.ConfigurationTarget.Global);
  const projects = () => settings().inspect('projects')?.globalValue;
  const acme = (...serviceAccounts: object[]) => ({ id: 'p-1', name: 'Acme', serviceAccounts });
  const ci = { id: 'sa-1', name: 'ci' };
  const steps = async (...answers: unknown[]) => {
    await answerPrompts(...answers);
    return command<{ expiresAt?: string }>('setToken');
  };

  beforeEach(async () => {
    await set('baseUrl', 'http://127.0.0.1:1');
    await set('proxyUrl', 'http://127.0.0.1:1');
    await set('projects', [acme(ci), { id: 'p-2' }]);
  });
  after(async () => {
    await answerPrompts();
    await command('removeAllTokens', { confirmed: true });
    for (const id of ['projects', 'baseUrl', 'proxyUrl']) await set(id, undefined);
  });

  it('asks for project, account, environment and token', async () => {
    const exp = Math.floor(Date.now() / 1000) + 3600;
    assert.deepEqual(await steps('Acme', 'ci', 'staging', jwt({ exp })), {
      expiresAt: new Date(exp * 1000).toISOString(),
    });
    assert.deepEqual(projects(), [acme({ ...ci, environment: 'staging' }), { id: 'p-2' }]);
  });

  it('offers what there is, so that it need only be accepted', async () => {
    await set('projects', [acme({ ...ci, environment: 'qa' })]);
    await steps(kept, kept, kept, 'a-token');
    assert.deepEqual(projects(), [acme({ ...ci, environment: 'qa' })]);
  });

  it('goes back to any of the answers, and keeps them', async () => {
    await steps(
      ...['Acme', 'Add Service Account…', 'sa-9', 'nightly', 'Other…', 'review'],
      // From the token back to the project, and on again.
      ...[back, back, back, back, back, back, kept, kept, kept, kept, kept, kept, 'a-token'],
    );
    assert.deepEqual(projects(), [
      acme(ci, { id: 'sa-9', name: 'nightly', environment: 'review' }),
      { id: 'p-2' },
    ]);
  });

  it('takes another way after going back', async () => {
    await steps('Acme', 'ci', 'prod', back, back, back, 'p-2', 'sa-2', '', 'No environment', 'a-token');
    assert.deepEqual(projects(), [acme(ci), { id: 'p-2', serviceAccounts: [{ id: 'sa-2' }] }]);
  });

  it('adds a project, with the addresses that are missing', async () => {
    await set('baseUrl', undefined);
    await set('projects', undefined);
    await steps('http://127.0.0.1:2', 'p-9', 'Nine', 'sa-9', '', 'dev', 'a-token');
    assert.equal(settings().get('baseUrl'), 'http://127.0.0.1:2');
    assert.deepEqual(projects(), [
      { id: 'p-9', name: 'Nine', serviceAccounts: [{ id: 'sa-9', environment: 'dev' }], apps: [] },
    ]);
  });

  it('changes nothing where the user leaves before the end', async () => {
    await steps('Acme', 'Add Service Account…', 'sa-9', 'nightly', 'prod', undefined);
    await steps('Add Project…', 'p-9', undefined);
    assert.deepEqual(projects(), [acme(ci), { id: 'p-2' }]);
  });

  it('refuses ids that are there and what no header can carry, and takes what is only odd', async () => {
    await assert.rejects(steps('Add Project…', 'p-1'), /p-1 is there already/);
    await assert.rejects(steps('Acme', 'Add Service Account…', 'sa-1'), /has sa-1 already/);
    await assert.rejects(steps('Acme', 'ci', 'dev', 'two words'), /white space/);
    await steps('Acme', 'ci', 'dev', jwt({ project_id: 'somebody-elses', exp: 1 }));
  });

  it('asks for no more than what a caller leaves out', async () => {
    await answerPrompts('ci', 'dev', 'a-token');
    await command('setToken', { projectId: 'p-1' });
    await answerPrompts('a-token');
    await command('setToken', { projectId: 'p-1', serviceAccountId: 'sa-1' });
    await answerPrompts('Acme', 'ci', 'dev');
    await command('setToken', { token: 'a-token' });
    await assert.rejects(command('setToken', { projectId: 'nope' }), /no project nope/);
  });

  it('adds an account the same way, with or without its token', async () => {
    await answerPrompts('p-2', 'sa-7', '', 'dev', '');
    await command('addServiceAccount');
    assert.deepEqual(projects(), [
      acme(ci),
      { id: 'p-2', serviceAccounts: [{ id: 'sa-7', environment: 'dev' }] },
    ]);
    assert.deepEqual(await answersLeft(), []);
  });
});

/** The answers that nobody asked for. */
async function answersLeft(): Promise<unknown> {
  return vscode.commands.executeCommand('runhook.test.answerPrompts', []);
}
