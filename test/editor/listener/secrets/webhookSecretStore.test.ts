import assert from 'node:assert/strict';
import { WebhookSecretStore } from '../../../../src/editor/listener/secrets/webhookSecretStore.ts';
import type { Project } from '../../../../src/service/projects/project.ts';
import { verifiesAt } from '../../../../src/service/signature/webhookSecret.ts';
import { MemorySecrets } from '../../../support/editor/memorySecrets.ts';

const minute = 60_000;

describe('the store of webhook secrets', () => {
  const acme = { projectId: 'p-1' };
  const hello = { projectId: 'p-1', appName: 'hello' };
  const other = { projectId: 'p-1', appName: 'other' };
  let storage: MemorySecrets;
  let projects: Project[];
  let now: number;
  let store: WebhookSecretStore;

  beforeEach(() => {
    storage = new MemorySecrets();
    now = Date.UTC(2026, 0, 1);
    projects = [
      {
        id: 'p-1',
        name: 'Acme',
        serviceAccounts: [],
        apps: [{ id: 'app-1', name: 'hello' }, { id: 'other' }],
      },
    ];
    store = new WebhookSecretStore(storage, { all: () => projects }, () => now);
  });

  const secretOf = async (scope: object) => (await store.ensure(scope)).secret;
  /** Whose they are, and which of them verifies. */
  const held = async () =>
    (await store.held()).map((one) => {
      const { kind } = one.owner;
      const whose = 'name' in one.owner ? `${kind} ${one.owner.name}` : kind;
      return `${whose}: ${one.secret}${verifiesAt(one, now) ? '' : ', verifies no more'}`;
    });

  it('signs with the app’s, else the project’s, else the one for all, which is made once', async () => {
    const [made, again] = await Promise.all([secretOf(hello), secretOf(acme)]);
    assert.equal(made, again);
    assert.match(made, /^[\w-]{43}$/);
    await store.set('project', acme);
    await store.set('app', hello);
    assert.equal(await secretOf({}), made);
    assert.deepEqual(await store.ensure(hello), { secret: 'app', scope: hello });
    assert.deepEqual(await store.ensure(other), { secret: 'project', scope: acme });
    await store.remove(hello);
    assert.equal(await secretOf(hello), 'project');
  });

  it('tells all that verify, those of projects that this window does not know too', async () => {
    await store.set('first');
    await store.set('second');
    await store.set('elsewhere', { projectId: 'p-2' });
    store.holdOnce('once', hello);
    assert.deepEqual((await store.verifying()).sort(), ['elsewhere', 'first', 'once', 'second']);
    now += 10 * minute;
    assert.deepEqual((await store.verifying()).sort(), ['elsewhere', 'once', 'second']);
  });

  it('is of the app that has the name, not of one whose project and name run together', async () => {
    await store.set('app', { projectId: 'p', appName: '1","x' });
    await store.set('project', { projectId: 'p","1' });
    assert.equal((await store.find({ projectId: 'p', appName: '1","x' }))?.secret, 'app');
    assert.equal((await store.find({ projectId: 'p","1', appName: 'x' }))?.secret, 'project');
    assert.equal(await store.find({ projectId: 'p', appName: '1' }), undefined);
  });

  it('rotates each by itself: what was replaced verifies for ten minutes, the last one alone', async () => {
    await store.set('first');
    await store.set('app-first', hello);
    await store.set('app-second', hello);
    now += 9 * minute;
    await store.set('second');
    assert.deepEqual(await held(), [
      'default: second',
      'default: first',
      'app hello: app-second',
      'app hello: app-first',
    ]);
    now += minute;
    assert.equal((await held()).at(-1), 'app hello: app-first, verifies no more');
    await store.set('third');
    assert.deepEqual((await held()).slice(0, 3), [
      'default: third',
      'default: second',
      'default: first, verifies no more',
    ]);
    await store.set('second');
    assert.deepEqual((await held()).slice(0, 2), ['default: second', 'default: third']);
  });

  it('holds those of the projects and apps that are there, and names them as the user does', async () => {
    await store.set('project', acme);
    await store.set('gone', { projectId: 'p-gone' });
    await store.set('app', hello);
    assert.deepEqual(await held(), ['project Acme: project', 'app hello: app']);
    projects = [{ id: 'p-1', serviceAccounts: [], apps: [] }];
    assert.deepEqual(await held(), ['project p-1: project']);
    assert.equal((await store.ownScopes()).length, 3);
  });

  it('tries first what a run has used last', async () => {
    await store.set('default');
    await store.set('project', acme);
    await store.set('app', hello);
    await secretOf(other);
    assert.equal((await held())[0], 'project Acme: project');
    await secretOf(hello);
    assert.deepEqual((await held()).slice(0, 2), ['app hello: app', 'project Acme: project']);
  });

  it('keeps what is asked for once in memory alone: four of them, an hour each', async () => {
    for (const secret of ['one', 'two', 'three', 'four', 'five', 'five']) store.holdOnce(secret, hello);
    assert.deepEqual(
      await held(),
      ['five', 'four', 'three', 'two'].map((secret) => `once hello: ${secret}`),
    );
    assert.deepEqual(await storage.keys(), []);
    now += 60 * minute;
    assert.deepEqual(await held(), []);
  });

  it('removes those of a project and of its apps, and no others', async () => {
    await store.set('default');
    await store.set('project', acme);
    await store.set('app', hello);
    await store.set('near', { projectId: 'p-11' });
    await store.removeProject('p-1');
    assert.deepEqual(await store.ownScopes(), [{ projectId: 'p-11' }]);
    assert.equal(await secretOf(hello), 'default');
  });

  it('keeps no more than 50 of projects and apps: each costs a try', async () => {
    for (let index = 0; index < 50; index += 1) await store.set('s', { projectId: `p-${index}` });
    await assert.rejects(store.set('s', { projectId: 'p-50' }), /No more than 50 .* Remove one first/);
    await store.set('another', { projectId: 'p-49' });
    await store.set('default');
    await store.remove({ projectId: 'p-0' });
    await store.rotate({ projectId: 'p-50' });
  });

  it('takes what a window before it has stored, and counts what is damaged as none', async () => {
    const key = 'runhook.webhookSecrets';
    const until = now + minute;
    await storage.store(key, JSON.stringify({ current: 'kept', earlier: [{ secret: 'before', until }] }));
    assert.deepEqual(await held(), ['default: kept', 'default: before']);
    await storage.store(key, '{"current":');
    assert.deepEqual(await held(), []);
    assert.notEqual(await secretOf({}), 'kept');
  });

  it('erases all of them, and nothing else', async () => {
    await store.set('default');
    await store.set('app', hello);
    store.holdOnce('once', hello);
    await storage.store('runhook.token:x', 'a token');
    await store.erase();
    assert.deepEqual(await held(), []);
    assert.deepEqual(await storage.keys(), ['runhook.token:x']);
  });
});
