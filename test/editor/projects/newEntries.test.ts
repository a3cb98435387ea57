import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  answerPrompts,
  command,
  expectMessage,
  hideProjects,
  setSetting,
} from '../../support/editor/inEditor.ts';
import { jwt } from '../../support/service/jwt.ts';
import { SandboxGate } from '../../support/service/sandboxGate.ts';

const back = { back: true };
/** Accepts a question as it is shown. */
const kept = { kept: true };

describe('what is asked for a project, an account, an app and a token', () => {
  const service = new SandboxGate();
  /** Whatever token it comes with. */
  const answers = (status: number, body: unknown) => {
    service.change = () => ({
      status,
      headers: ['content-type', 'application/json'],
      body: JSON.stringify(body),
    });
  };
  const settings = () => vscode.workspace.getConfiguration('runhook');
  const inWorkspace = async (value: unknown) =>
    setSetting('projects', value, vscode.ConfigurationTarget.Workspace);
  const projects = () => settings().inspect('projects')?.globalValue;
  const acme = (...serviceAccounts: object[]) => ({ id: 'p-1', name: 'Acme', serviceAccounts });
  const ci = { id: 'sa-1', name: 'ci' };
  const release = { id: 'sa-2' };
  const asked = async (name: string, argument: object | undefined, ...answers: unknown[]) => {
    await answerPrompts(...answers);
    const result = await command<{ expiresAt?: string }>(name, argument);
    assert.deepEqual(await answerPrompts(), [], 'nothing asked for these');
    return result;
  };
  const setToken = async (...answers: unknown[]) => asked('setToken', undefined, ...answers);
  const storedFor = async (projectId: string, serviceAccountId: string) => {
    service.requests.length = 0;
    await command('listKeys', { projectId, serviceAccountId });
    return service.requests[0]?.headers.authorization;
  };

  before(async () => {
    await hideProjects();
    await service.start();
  });
  beforeEach(async () => {
    service.reset();
    answers(200, []);
    await setSetting('baseUrl', service.address.baseUrl);
    await setSetting('proxyUrl', service.address.proxyUrl);
    await setSetting('projects', [acme(ci, release), { id: 'p-2' }]);
  });
  afterEach(() => answerPrompts());
  after(async () => {
    for (const id of ['projects', 'baseUrl', 'proxyUrl']) await setSetting(id, undefined);
    await service.stop();
  });

  it('is the token alone where there is one project with one account', async () => {
    await setSetting('projects', [acme(ci)]);
    const exp = Math.floor(Date.now() / 1000) + 3600;
    assert.deepEqual(await setToken(jwt({ exp })), { expiresAt: new Date(exp * 1000).toISOString() });
    assert.deepEqual(projects(), [acme(ci)]);
  });

  it('is project, account and token where there are several, and no environment of an account that is there', async () => {
    await setToken('Acme', 'ci', 'a-token');
    await setToken(kept, kept, 'another');
    assert.equal(await storedFor('p-1', 'sa-1'), 'Bearer another');
    assert.deepEqual(projects(), [acme(ci, release), { id: 'p-2' }]);
  });

  it('goes back to any of the answers, and keeps them', async () => {
    await setToken(
      ...['Acme', 'Add Service Account…', 'sa-9', 'nightly', 'Other…', 'review'],
      // From the token back to the project, and on again.
      ...[back, back, back, back, back, back, kept, kept, kept, kept, kept, kept, 'a-token'],
    );
    assert.deepEqual(projects(), [
      acme(ci, release, { id: 'sa-9', name: 'nightly', environment: 'review' }),
      { id: 'p-2' },
    ]);
  });

  it('takes another way after going back', async () => {
    await setToken('Acme', 'ci', back, back, 'p-2', 'sa-2', '', 'No environment', 'a-token');
    assert.deepEqual(projects(), [acme(ci, release), { id: 'p-2', serviceAccounts: [{ id: 'sa-2' }] }]);
  });

  it('adds a project, with the addresses that are missing', async () => {
    await setSetting('baseUrl', undefined);
    await setSetting('projects', undefined);
    await setToken(service.address.baseUrl, 'p-9', 'Nine', 'sa-9', '', 'dev', 'a-token');
    assert.equal(settings().get('baseUrl'), service.address.baseUrl);
    assert.deepEqual(projects(), [
      { id: 'p-9', name: 'Nine', serviceAccounts: [{ id: 'sa-9', environment: 'dev' }], apps: [] },
    ]);
  });

  it('refuses the address of a service with a user name or a password', async () => {
    await setSetting('baseUrl', undefined);
    await answerPrompts('https://me:secret@api.example');
    await expectMessage(command('addProject'), /api\.example contains a user name or a password/);
  });

  it('changes nothing where the user leaves before the end', async () => {
    await setToken('Acme', 'Add Service Account…', 'sa-9', 'nightly', 'prod', undefined);
    await setToken('Add Project…', 'p-9', undefined);
    assert.deepEqual(projects(), [acme(ci, release), { id: 'p-2' }]);
  });

  it('refuses ids that are there and what no header can carry, and takes what is only odd', async () => {
    await expectMessage(setToken('Add Project…', 'p-1'), /p-1 already exists/);
    await expectMessage(setToken('Acme', 'Add Service Account…', 'sa-1'), /already has sa-1/);
    await expectMessage(setToken('Add Project…', 'https://app.example/p-9'), /the id alone, not an address/);
    await assert.rejects(asked('addApp', { projectId: 'p-1' }, 'https://a.example/app-9'), /the id alone/);
    await expectMessage(setToken('Acme', 'ci', 'two words'), /white space/);
    await setToken('Acme', 'ci', jwt({ project_id: 'somebody-elses', exp: 1 }));
  });

  it('refuses a token where something else is asked for', async () => {
    const early = jwt({ exp: 1 });
    await expectMessage(setToken('Add Project…', early), /looks like a token/);
    await assert.rejects(asked('addApp', { projectId: 'p-1' }, `Bearer ${early}`), /looks like a token/);
    assert.deepEqual(projects(), [acme(ci, release), { id: 'p-2' }]);
  });

  it('is no more than what a caller leaves out', async () => {
    await asked('setToken', { projectId: 'p-1' }, 'ci', 'a-token');
    await asked('setToken', { projectId: 'p-1', serviceAccountId: 'sa-1' }, 'a-token');
    await asked('setToken', { token: 'a-token' }, 'Acme', 'ci');
    await assert.rejects(command('setToken', { projectId: 'nope' }), /no project nope/);
  });

  it('is the same for a new account, with or without its token', async () => {
    await asked('addServiceAccount', undefined, 'p-2', 'sa-7', '', 'dev', '');
    assert.deepEqual(projects(), [
      acme(ci, release),
      { id: 'p-2', serviceAccounts: [{ id: 'sa-7', environment: 'dev' }] },
    ]);
  });

  it('is another token where the service refuses the first, which is stored if it is entered again', async () => {
    service.reset();
    answers(401, { message: 'unknown token' });
    await setToken('Acme', 'ci', 'wrong', 'worse', 'worse');
    assert.deepEqual(
      service.requests.map(({ headers }) => headers.authorization),
      ['Bearer wrong', 'Bearer worse'],
    );
    answers(200, []);
    assert.equal(await storedFor('p-1', 'sa-1'), 'Bearer worse');
  });

  it('is one token where the service cannot check it, or the caller gives it', async () => {
    service.change = () => undefined;
    // Entered again, it replaces the one that is stored.
    await setToken('Acme', 'ci', 'unchecked', 'unchecked');
    answers(403, {});
    service.requests.length = 0;
    await asked('setToken', { projectId: 'p-1', serviceAccountId: 'sa-2', token: 'given' });
    assert.deepEqual(service.requests, []);
    answers(200, []);
    assert.equal(await storedFor('p-1', 'sa-1'), 'Bearer unchecked');
  });

  it('is where to keep a new project, once the workspace has some', async () => {
    await inWorkspace([{ id: 'w-1', name: 'Shared' }]);
    try {
      await asked('addProject', undefined, 'Your user settings', 'p-3', '');
      await asked('addProject', undefined, 'The settings of this workspace', 'w-2', '');
      assert.deepEqual(projects(), [
        acme(ci, release),
        { id: 'p-2' },
        { id: 'p-3', serviceAccounts: [], apps: [] },
      ]);
      assert.deepEqual(settings().inspect('projects')?.workspaceValue, [
        { id: 'w-1', name: 'Shared' },
        { id: 'w-2', serviceAccounts: [], apps: [] },
      ]);
      // What belongs to a project is kept with it, and none of the user's projects is out of reach.
      await command('addApp', { projectId: 'w-1', id: 'app' });
      await command('addApp', { projectId: 'p-3', id: 'app' });
      assert.deepEqual(settings().inspect<object[]>('projects')?.workspaceValue?.[0], {
        id: 'w-1',
        name: 'Shared',
        apps: [{ id: 'app' }],
      });
      assert.deepEqual(settings().inspect<{ apps: object[] }[]>('projects')?.globalValue?.[2]?.apps, [
        { id: 'app' },
      ]);
    } finally {
      await inWorkspace(undefined);
    }
  });
});
