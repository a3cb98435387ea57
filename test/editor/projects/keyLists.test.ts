import assert from 'node:assert/strict';
import { createFetchTransport } from '../../../src/service/client/fetchTransport.ts';
import type { TransportRequest } from '../../../src/service/client/transport.ts';
import { KeyLists } from '../../../src/editor/projects/keyLists.ts';
import { KnownKeysStore } from '../../../src/editor/projects/knownKeys.ts';
import { Projects } from '../../../src/editor/projects/projects.ts';
import { AnsweredPrompts } from '../../support/editor/answeredPrompts.ts';
import { eventually, setSetting } from '../../support/editor/inEditor.ts';
import { TreeRig } from './treeRig.ts';

/** The stores are in memory: whatever follows an answer has happened by then. */
const settled = async () => new Promise((resolve) => setImmediate(resolve));

describe('the lists of keys', () => {
  let rig: TreeRig;
  const remembered = () => rig.state.keys().filter((key) => key.startsWith('keys:'));

  beforeEach(async () => {
    rig = new TreeRig();
    await rig.start();
  });
  afterEach(() => rig.stop());

  /** From then on an answer of the service waits. @returns lets it pass */
  function hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    rig.service.change = async (answer) => {
      await promise;
      return answer;
    };
    return () => resolve(undefined);
  }

  it('reject nothing where the secret store cannot be read', async () => {
    rig.secrets.get = () => Promise.reject(new Error('the keyring is locked'));
    await rig.keyLists.loadAll();
  });

  it('are erased wherever they were read, though their project has gone with its address', async () => {
    await rig.keyLists.load(rig.ci);
    await eventually(() => Promise.resolve(remembered()[0]));
    const { baseUrl } = rig.service.address;
    await setSetting('baseUrl', 'http://127.0.0.1:9');
    await rig.projects.remove({ projectId: 'p-sandbox' });
    for (const ref of [rig.ci, rig.gone]) await rig.keyLists.erase(ref);
    await setSetting('baseUrl', baseUrl);
    assert.deepEqual(
      rig.state.keys().filter((key) => /^keys:/.test(key)),
      [],
    );
  });

  it('are not those of another address, though only its path is another', async () => {
    const { baseUrl } = rig.service.address;
    await rig.keyLists.load(rig.ci);
    await setSetting('baseUrl', `${baseUrl}/v2`);
    assert.deepEqual(rig.keyLists.state(rig.ci), { kind: 'unknown' });
    assert.deepEqual(rig.keyLists.knownKeys(rig.ci), []);
    await assert.rejects(rig.keyLists.load(rig.ci), /404/);
    await setSetting('baseUrl', baseUrl);
    assert.deepEqual(rig.keyLists.state(rig.ci), { kind: 'unknown' });
  });

  it('are said to be loaded no more once they are forgotten', async () => {
    const pass = hold();
    const loading = rig.keyLists.load(rig.ci);
    const told: string[] = [];
    rig.keyLists.onDidChange(() => told.push(rig.keyLists.state(rig.ci).kind));
    rig.keyLists.forget();
    await assert.rejects(loading, /Cancelled/);
    assert.deepEqual(told, ['unknown']);
    pass();
  });

  it('are not remembered of a project that is gone when the answer comes', async () => {
    const pass = hold();
    const loading = rig.keyLists.load(rig.ci);
    await eventually(() => rig.service.requests[0]);
    await setSetting('projects', []);
    pass();
    assert.equal((await loading).kind, 'keys');
    await settled();
    assert.deepEqual(remembered(), []);
  });

  it('are not remembered of an account whose token another window has deleted when the answer comes', async () => {
    const pass = hold();
    const loading = rig.keyLists.load(rig.ci);
    await eventually(() => rig.service.requests[0]);
    for (const key of await rig.secrets.keys()) await rig.secrets.delete(key);
    pass();
    assert.equal((await loading).kind, 'keys');
    await settled();
    assert.deepEqual(remembered(), []);
  });

  it('forget why they could not be read with the token that they were asked with, however another one is set', async () => {
    const typed = async (): Promise<void> => {
      const prompts = new AnsweredPrompts();
      prompts.input = () => Promise.resolve(rig.service.address.token);
      const call = { action: 'Run', verb: 'Run', detail: () => [] };
      const { tokens, state, log } = rig;
      const projects = new Projects({ tokens, prompts, workspaceState: state, log });
      await projects.access('p-sandbox', call);
      projects.dispose();
    };
    for (const set of [() => rig.projects.setToken(rig.ci, rig.service.address.token), typed]) {
      rig.service.answers(429, 'slow down', { 'retry-after': '3600' });
      await assert.rejects(rig.keyLists.load(rig.ci), /429/);
      await rig.tokens.deleteAll(() => true);
      const said: string[] = [];
      const drawn = rig.projects.onDidChange(() => said.push(rig.keyLists.state(rig.ci).kind));
      await set();
      drawn.dispose();
      assert.ok(said.length > 0);
      assert.ok(!said.includes('failed'), said.join());
    }
  });

  it('are said to be out of reach no more once another call has reached the service', async () => {
    const access = await rig.projects.accountAccess('p-sandbox', rig.projects.serviceAccount(rig.ci));
    const answered = () => rig.projects.noteAnswer('p-sandbox', access, undefined);
    const unreachable = () => undefined;
    for (const [change, left] of [[unreachable, 'unknown'] as const, [429, 'failed'] as const]) {
      if (change === 429) rig.service.answers(429, 'slow down');
      else rig.service.change = change;
      await assert.rejects(rig.keyLists.load(rig.ci));
      assert.equal(rig.keyLists.state(rig.ci).kind, 'failed');
      await answered();
      assert.equal(rig.keyLists.state(rig.ci).kind, left);
    }
  });

  it('are forgotten for good with their project', async () => {
    await rig.keyLists.load(rig.ci);
    await eventually(() => remembered()[0]);
    await rig.keyLists.erase(rig.ci);
    assert.deepEqual(remembered(), []);
    assert.deepEqual(rig.keyLists.state(rig.ci), { kind: 'unknown' });
  });

  it('are forgotten with the token: nothing says of an account without one that its keys expire', async () => {
    await rig.keyLists.load(rig.ci);
    await eventually(() => remembered()[0]);
    await rig.projects.deleteToken(rig.ci);
    await eventually(() => (remembered().length === 0 ? true : undefined));
    assert.deepEqual(rig.keyLists.knownKeys(rig.ci), []);
  });

  it('are not read where the answer is too long, and the line says so and what to do', async () => {
    rig.service.answers(200, { keys: Array.from({ length: 100_000 }, () => ({ id: 'x'.repeat(90) })) });
    await assert.rejects(
      rig.keyLists.load(rig.ci),
      /larger than 8 MiB, so it was not read\. Delete unused keys/,
    );
    assert.match((await rig.lines(rig.ci))[0] ?? '', /^The list of keys is larger .* \| Try Again$/);
    assert.equal(rig.service.requests.length, 1, 'and it is not asked for again');
  });

  it('are shown as a shape that is not known where they are lists in lists, however deep', async () => {
    for (const depth of [100, 1_000_000]) {
      rig.service.answers(200, `{"keys":${'['.repeat(depth)}${']'.repeat(depth)}}`);
      assert.equal((await rig.keyLists.load(rig.ci)).kind, 'unrecognised');
      assert.match((await rig.lines(rig.ci))[0] ?? '', /^Unreadable/);
    }
  });

  it('are not there where the response is empty: there is nothing to open, and it can be asked for again', async () => {
    rig.service.answers(200, '');
    await rig.keyLists.load(rig.ci);
    assert.deepEqual(await rig.lines(rig.ci), ['Empty response | Try Again']);
  });

  for (const [what, response, row] of [
    ['empty', '', 'Empty response | Try Again'],
    ['odd', [{ alpha: 1 }, { alpha: 2 }], 'Unreadable | Open Response'],
  ] as const) {
    it(`are as last known where the response is ${what}, and so are those that expire`, async () => {
      await rig.keyLists.load(rig.ci);
      const known = await rig.lines(rig.ci);
      rig.service.answers(200, response);
      await rig.keyLists.load(rig.ci);
      const [first, age, ...keys] = await rig.lines(rig.ci);
      assert.deepEqual([first, keys], [row, known]);
      assert.match(age ?? '', /^As last known, \d\d:\d\d:\d\d$/);
      assert.equal(rig.keyLists.knownKeys(rig.ci).length, known.length);
      const { description } = (await rig.account(rig.ci)).item;
      assert.equal(String(description).split(' · ')[0], `● ${row.split(' | ')[0]!.toLowerCase()}`);
      assert.match(String(description), /key expires$/);
    });
  }

  it('are not there where a page to sign in came in place of them: the token was not accepted', async () => {
    await rig.keyLists.load(rig.ci);
    rig.service.answers(401, { message: 'revoked' });
    await assert.rejects(rig.keyLists.load(rig.ci));
    rig.service.answers(200, '<!doctype html><title>Sign in</title>');
    await assert.rejects(rig.keyLists.load(rig.ci), /returned a web page: Sign in\. A proxy may/);
    const [rejected, row, age] = await rig.lines(rig.ci);
    assert.equal(rejected, 'Token rejected | Set Token…');
    assert.equal(row, '200: web page | Set Address…');
    assert.match(age ?? '', /^As last known/);
    assert.match(String((await rig.account(rig.ci)).item.description), /^● rejected · 200: web page · /);
  });

  it('are asked for where the token belongs, though the address is set anew meanwhile', async () => {
    const [address, read] = [rig.service.address.baseUrl, rig.secrets.get.bind(rig.secrets)];
    const sent: TransportRequest[] = [];
    const send = createFetchTransport(globalThis.fetch);
    const spy = async (request: TransportRequest) => {
      sent.push(request);
      return send(request);
    };
    const keyLists = new KeyLists({
      projects: rig.projects,
      transport: spy,
      userAgent: 'test',
      store: new KnownKeysStore(rig.state),
      log: rig.log,
    });
    rig.secrets.get = async (key) => {
      await setSetting('baseUrl', 'http://127.0.0.1:1');
      return read(key);
    };
    await keyLists.load(rig.ci);
    assert.deepEqual(
      sent.map(({ url }) => url.origin),
      [address],
    );
    keyLists.dispose();
  });
});

describe('the token of a call', () => {
  it('is that of the address, though another is set while a question stands there', async () => {
    const rig = new TreeRig();
    await rig.start();
    const [first, second] = [rig.service.address.baseUrl, 'http://127.0.0.1:1'];
    const prompts = new AnsweredPrompts();
    prompts.confirm = async () => {
      await setSetting('baseUrl', second);
      return true;
    };
    const projects = new Projects({ tokens: rig.tokens, workspaceState: rig.state, prompts, log: rig.log });
    try {
      await projects.change({ projectId: 'p-sandbox', serviceAccountId: 'sa-ci' }, { environment: 'prod' });
      const owner = { projectId: 'p-sandbox', serviceAccountId: 'sa-ci' };
      await rig.tokens.set({ origin: first, ...owner }, 'token-of-the-first');
      await rig.tokens.set({ origin: second, ...owner }, 'token-of-the-second');
      const { service, token } = await projects.access('p-sandbox', {
        ...{ action: 'Run', verb: 'Run', detail: () => [] },
      });
      assert.deepEqual([service.baseUrl, token], [second, 'token-of-the-second']);
    } finally {
      projects.dispose();
      await rig.stop();
    }
  });
});

describe('tokens', () => {
  it('are deleted as far as they can be', async () => {
    const rig = new TreeRig();
    await rig.start();
    const remove = rig.secrets.delete.bind(rig.secrets);
    rig.secrets.delete = (key) =>
      key.includes('sa-ci') ? Promise.reject(new Error('the keyring is locked')) : remove(key);
    try {
      await assert.rejects(
        rig.tokens.deleteAll(() => true),
        /keyring is locked/,
      );
      assert.equal(await rig.projects.storedToken(rig.gone), undefined);
      assert.equal((await rig.secrets.keys()).length, 1);
    } finally {
      await rig.stop();
    }
  });
});
