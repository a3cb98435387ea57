import assert from 'node:assert/strict';
import {
  command,
  expectMessage,
  hideProjects,
  setSetting,
  withSettings,
} from '../../support/editor/inEditor.ts';
import type { SandboxAddress } from '../../../src/service/sandbox/sandboxProtocol.ts';
import { SandboxGate } from '../../support/service/sandboxGate.ts';

const removeProject = async (projectId: string) => command('removeProject', { projectId });

describe("projects against the window's sandbox", () => {
  let address: Omit<SandboxAddress, 'token'>;
  let account: { projectId: string; serviceAccountId: string };
  let app: { projectId: string; appId: string };
  const faults = async (...given: string[]) => command('setSandboxFaults', { faults: given });
  const apply = async (settings: object) => command('applyAppSettings', { ...app, settings });

  before(async () => {
    address = await command('startSandbox');
    const { projectId, serviceAccountId } = address;
    account = { projectId, serviceAccountId };
    app = { projectId, appId: 'app-echo' };
  });
  afterEach(async () => faults());
  after(async () => command('stopSandbox'));

  it('is not among the projects that can be removed, or given an app', async () => {
    await expectMessage(command('removeProject'), /There is no project yet/);
    await expectMessage(command('addApp'), /There is no project yet/);
  });

  it('lists keys of every status', async () => {
    const keys = await command<{ name: string; status: string }[]>('listKeys', account);
    assert.deepEqual(
      keys.map(({ name, status }) => [name, status]),
      [
        ['this-editor', 'valid'],
        ['deploy-bot', 'valid'],
        ['laptop', 'expiring'],
        ['old-laptop', 'expired'],
        ['nightly', 'unknown'],
      ],
    );
  });

  it('applies settings, and runs an app', async () => {
    const settings = { compute: 'CPU', cpu: '2', maxReplicaCount: 3 };
    assert.deepEqual(await apply(settings), { applied: settings });
    const call = { projectId: app.projectId, appName: 'echo', body: { n: 1 }, webhook: false, quiet: true };
    assert.equal((await command<{ status: number }>('runApp', call)).status, 200);
  });

  it('says that the sandbox failed, until it does no more', async () => {
    await faults('500');
    await assert.rejects(command('listKeys', account), /returned 500: The sandbox was asked to return 500/);
    await assert.rejects(apply({ gpuCount: 1 }), /returned 500/);
    await faults();
    assert.equal((await command<object[]>('listKeys', account)).length, 5);
    assert.deepEqual(await apply({ gpuCount: 1 }), { applied: { gpuCount: 1 } });
  });

  it('waits as long as Retry-After says before each further try of a list', async () => {
    await faults('429');
    const started = performance.now();
    await assert.rejects(command('listKeys', account), /returned 429/);
    // Two waits of a second each; a timer may be a millisecond early.
    assert.ok(performance.now() - started > 1990);
  });

  it('refuses the token of a project that was added by hand, in its own words', async () => {
    await withSettings({ baseUrl: address.baseUrl }, async () => {
      await command('addProject', { id: 'by-hand', serviceAccounts: [{ id: 'sa' }] });
      const owner = { projectId: 'by-hand', serviceAccountId: 'sa' };
      await command('setToken', { ...owner, token: 'not-a-token-of-the-sandbox' });
      await assert.rejects(command('listKeys', owner), /returned 401: The bearer token is not valid/);
      await removeProject('by-hand');
    });
  });
});

describe('a project of the settings against a sandbox', () => {
  const gate = new SandboxGate();
  const ci = { projectId: 'p-sandbox', serviceAccountId: 'sa-ci' };
  const gone = { projectId: 'p-sandbox', serviceAccountId: 'sa-gone' };
  let address: SandboxAddress;
  const list = async (account: object) => command<object[]>('listKeys', account);
  const apply = async (settings: object) =>
    command('applyAppSettings', { projectId: ci.projectId, appId: 'app-echo', settings });
  const asked = () => gate.requests.map(({ method }) => method);

  before(async () => {
    await hideProjects();
    address = await gate.start();
    await setSetting('baseUrl', address.baseUrl);
    await setSetting('proxyUrl', address.proxyUrl);
    await command('addProject', {
      id: 'p-sandbox',
      serviceAccounts: [{ id: 'sa-ci', name: 'ci' }, { id: 'sa-gone' }],
      apps: [{ id: 'app-echo', name: 'echo' }],
    });
  });
  beforeEach(async () => {
    gate.reset();
    await command('setToken', { ...ci, token: address.token });
    gate.requests.length = 0;
  });
  after(async () => {
    await removeProject('p-sandbox');
    for (const id of ['baseUrl', 'proxyUrl']) await setSetting(id, undefined);
    await gate.stop();
  });

  it('takes the token that the sandbox made, and reads when it expires', async () => {
    const { expiresAt } = await command<{ expiresAt: string }>('setToken', { ...ci, token: address.token });
    assert.ok(Date.parse(expiresAt) > Date.now());
    assert.equal((await list(ci)).length, 5);
  });

  it('sends nothing once the token is deleted', async () => {
    await command('deleteToken', ci);
    gate.requests.length = 0;
    await assert.rejects(list(ci), /No token is stored.*ci/);
    assert.deepEqual(asked(), []);
  });

  it('names the service account that the sandbox does not know', async () => {
    await command('setToken', { ...gone, token: address.token });
    await assert.rejects(list(gone), /returned 404: There is no service account "sa-gone"/);
  });

  it('names the project that the token is not of', async () => {
    const other = { projectId: 'p-other', serviceAccountId: 'sa-ci' };
    await command('addProject', { id: 'p-other', serviceAccounts: [{ id: 'sa-ci' }] });
    try {
      await command('setToken', { ...other, token: address.token });
      await assert.rejects(list(other), /returned 403: .*"p-other"/);
    } finally {
      await removeProject('p-other');
    }
  });

  it('sends app calls with the token of the account in use', async () => {
    const call = { projectId: 'p-sandbox', appName: 'echo', body: { n: 1 }, webhook: false, quiet: true };
    const status = async () => (await command<{ status: number }>('runApp', call)).status;
    await command('setToken', { ...gone, token: 'a-token-that-was-revoked' });
    await command('useServiceAccount', gone);
    assert.equal(await status(), 401);
    await assert.rejects(apply({ gpuCount: 1 }), /returned 401/);
    await command('useServiceAccount', ci);
    assert.equal(await status(), 200);
    assert.deepEqual(await apply({ gpuCount: 1 }), { applied: { gpuCount: 1 } });
  });

  it('asks for a list three times where the sandbox fails, and sends settings once', async () => {
    gate.sandbox.state.faults = new Set(['500']);
    await assert.rejects(list(ci), /returned 500/);
    assert.deepEqual(asked(), ['GET', 'GET', 'GET']);
    gate.requests.length = 0;
    await assert.rejects(apply({ gpuCount: 1 }), /returned 500/);
    assert.deepEqual(asked(), ['PATCH']);
  });

  it('lists after the wait that Retry-After asks for, and sends settings once there too', async () => {
    gate.sandbox.state.faults = new Set(['429']);
    await assert.rejects(apply({ gpuCount: 1 }), /returned 429/);
    assert.deepEqual(asked(), ['PATCH']);
    gate.requests.length = 0;
    gate.change = (answer) => {
      gate.sandbox.state.faults = new Set([]);
      return answer;
    };
    const started = performance.now();
    assert.equal((await list(ci)).length, 5);
    assert.ok(performance.now() - started > 990);
    assert.deepEqual(asked(), ['GET', 'GET']);
  });
});
