import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { GateRequest } from '../../../support/service/sandboxGate.ts';
import { answerPrompts, command } from '../../../support/editor/inEditor.ts';
import { SandboxGate } from '../../../support/service/sandboxGate.ts';
import { TreeRig } from '../treeRig.ts';

const keysOf = (account: string) => `/v2/p-sandbox/service-accounts/${account}/keys`;
const sent = ({ url, headers }: GateRequest) => [url, headers.authorization];

describe("the keys of an account that has no token, by another account's token", () => {
  const service = new SandboxGate();
  const two = { projectId: 'p-sandbox', serviceAccountId: 'sa-two' };
  const set = async (id: string, value: unknown) =>
    vscode.workspace.getConfiguration('runhook').update(id, value, vscode.ConfigurationTarget.Global);
  /** As a click on its line does. */
  const refresh = async () => command('refreshServiceAccount', { argument: two });

  before(async () => {
    await set('baseUrl', (await service.start()).baseUrl);
    const serviceAccounts = [{ id: 'sa-ci', name: 'ci' }, { id: 'sa-two', name: 'two' }, { id: 'sa-three' }];
    await set('projects', [{ id: 'p-sandbox', serviceAccounts }]);
    service.change = (answer) => ({ ...answer, status: 200, body: '{"keys":[{"id":"k-2","revoked":true}]}' });
    await command('setToken', { projectId: 'p-sandbox', serviceAccountId: 'sa-ci', token: 'token-of-ci' });
    await command('setToken', { projectId: 'p-sandbox', serviceAccountId: 'sa-three', token: 'of-three' });
  });
  after(async () => {
    await command('removeAllTokens', { confirmed: true });
    for (const id of ['projects', 'baseUrl']) await set(id, undefined);
    await service.stop();
  });
  beforeEach(() => {
    service.requests.length = 0;
  });

  it('are not read unasked, by no caller and in no background', async () => {
    await assert.rejects(command('listKeys', two), /No token is stored for the service account two/);
    await command('refreshProjects');
    assert.ok(service.requests.every(({ url }) => url !== keysOf('sa-two')));
  });

  it('are not read where the user says no', async () => {
    await answerPrompts(false);
    await refresh();
    assert.deepEqual(service.requests, []);
    assert.deepEqual(await answerPrompts(), []);
  });

  it('are read where the user agrees, who is asked once', async () => {
    const asked: string[] = [];
    await answerPrompts((question: string, detail: string) => {
      asked.push(question, detail);
      return true;
    });
    await refresh();
    assert.deepEqual(service.requests.map(sent), [[keysOf('sa-two'), 'Bearer token-of-ci']]);
    assert.equal(asked[0], 'Read the keys of two with the token of ci?');
    await refresh();
    assert.deepEqual(await command('listKeys', two), [{ id: 'k-2', status: 'unknown', state: 'revoked' }]);
    await command('refreshProjects');
    assert.equal(service.requests.filter(({ url }) => url === keysOf('sa-two')).length, 4);
  });

  it('are asked for again with the token of a third account', async () => {
    await command('deleteToken', { projectId: 'p-sandbox', serviceAccountId: 'sa-ci' });
    await assert.rejects(command('listKeys', two), /No token is stored/);
    await answerPrompts(true);
    await refresh();
    assert.deepEqual(service.requests.map(sent), [[keysOf('sa-two'), 'Bearer of-three']]);
  });

  it('are read with its own token as soon as it has one', async () => {
    await command('setToken', { ...two, token: 'token-of-two' });
    await command('listKeys', two);
    assert.deepEqual(service.requests.map(sent).at(-1), [keysOf('sa-two'), 'Bearer token-of-two']);
  });
});

describe('an account whose keys are read with the token of another one', () => {
  let rig: TreeRig;
  beforeEach(async () => {
    rig = new TreeRig();
    await rig.start();
    await rig.projects.deleteToken('p-sandbox', 'sa-gone');
    rig.service.change = (answer) => ({ ...answer, status: 200, body: '{"keys":[{"id":"k-2"}]}' });
  });
  afterEach(() => rig.stop());

  it('offers that, and says whose token it is once the user has agreed', async () => {
    assert.deepEqual(await rig.lines(rig.gone), ['No token yet: set it', 'Read with the token of ci…']);
    assert.equal((await rig.account(rig.gone)).item.description, 'no token');
    await rig.draw();
    await rig.keyLists.loadAll();
    assert.ok(rig.service.requests.every(({ url }) => !url.includes('sa-gone')));
    const lender = await rig.keyLists.lenders.find(rig.gone);
    await rig.keyLists.lenders.allow(rig.gone, lender!);
    await rig.keyLists.load(rig.gone);
    assert.deepEqual(await rig.lines(rig.gone), ['Read with the token of ci', 'k-2 | no expiry known']);
    const { item } = await rig.account(rig.gone);
    assert.equal(item.description, 'no token · keys read with the token of ci');
    assert.match(item.accessibilityInformation?.label ?? '', /keys read with the token of ci$/);
    await rig.projects.setToken('p-sandbox', 'sa-gone', rig.service.address.token);
    assert.deepEqual(await rig.lines(rig.gone), ['k-2 | no expiry known']);
    assert.match((await rig.account(rig.gone)).item.description as string, /^token \d+ days left$/);
  });

  it('says so where the service refuses that token', async () => {
    rig.service.change = (answer) => ({ ...answer, status: 403, body: '{"message":"not yours"}' });
    const lender = await rig.keyLists.lenders.find(rig.gone);
    await rig.keyLists.lenders.allow(rig.gone, lender!);
    await rig.keyLists.load(rig.gone).catch(() => undefined);
    assert.deepEqual(await rig.lines(rig.gone), [
      'Read with the token of ci',
      'The token of ci may not read these keys: set one | the service answered 403',
    ]);
  });

  it('lends nothing to an account behind another address', async () => {
    const lender = await rig.keyLists.lenders.find(rig.gone);
    await rig.keyLists.lenders.allow(rig.gone, lender!);
    await vscode.workspace
      .getConfiguration('runhook')
      .update('baseUrl', 'http://127.0.0.1:1', vscode.ConfigurationTarget.Global);
    assert.equal(await rig.keyLists.lenders.find(rig.gone), undefined);
    await rig.tokens.set(rig.projects.tokenOwner('p-sandbox', 'sa-ci'), 'of-the-other-address');
    assert.equal((await rig.keyLists.lenders.find(rig.gone))?.isAllowed, false);
  });
});
