import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { Projects } from '../../src/editor/projects/projects.ts';
import { Tokens } from '../../src/editor/projects/tokens.ts';
import { rememberedSandbox } from '../../src/editor/kit/ids.ts';
import { sandboxLine, showSandboxProject } from '../../src/editor/sandbox/feature.ts';
import { Sandbox } from '../../src/editor/sandbox/sandbox.ts';
import type { SandboxAddress } from '../../src/service/sandbox/sandboxProtocol.ts';
import type { KeyLists } from '../../src/editor/projects/keyLists.ts';
import type { ProjectsTree } from '../../src/editor/projects/projectsTree.ts';
import { createTransport } from '../../src/editor/kit/transport.ts';
import type { AppSettings } from '../../src/service/settings/appSettings.ts';
import { AnsweredPrompts } from '../support/editor/answeredPrompts.ts';
import { MemoryMemento } from '../support/editor/memoryMemento.ts';
import { MemorySecrets } from '../support/editor/memorySecrets.ts';
import { answerPrompts, command, expectMessage, setSetting } from '../support/editor/inEditor.ts';
import { ownTree } from '../support/editor/ownTree.ts';
import { waitFor } from '../support/time/waitFor.ts';
import { kindOf } from './projects/treeRig.ts';

/** The bundle of the sandbox's thread. */
function sandboxWorker(): string {
  const { extensionUri } = vscode.extensions.getExtension('runhook.runhook')!;
  return vscode.Uri.joinPath(extensionUri, 'dist', 'sandbox.worker.js').fsPath;
}

/**
 * The sandbox as the extension builds it, in a thread of its own. Unlike the window's it is in no tree and no
 * store, and its token is the test's to use.
 */
function sandboxOfItsOwn(
  log: vscode.LogOutputChannel,
  worker = sandboxWorker(),
  memento: vscode.Memento = new MemoryMemento(),
  secrets: vscode.SecretStorage = new MemorySecrets(),
): Sandbox {
  return new Sandbox({ workerPath: worker, apps: () => ({}), memento, secrets, log });
}

describe('a sandbox after a reload of its window', () => {
  let log: vscode.LogOutputChannel;
  let memento: MemoryMemento;
  let secrets: MemorySecrets;
  const made: Sandbox[] = [];
  const inWindow = (): Sandbox => {
    const sandbox = sandboxOfItsOwn(log, undefined, memento, secrets);
    made.push(sandbox);
    return sandbox;
  };
  beforeEach(() => {
    log = vscode.window.createOutputChannel('Sandbox of a Reload', { log: true });
    memento = new MemoryMemento();
    secrets = new MemorySecrets();
  });

  /** The sandbox of a window, with the projects of that window. */
  async function open(): Promise<{ sandbox: Sandbox; projects: Projects; leave: () => Promise<void> }> {
    const sandbox = inWindow();
    const tokens = new Tokens(secrets, memento);
    const projects = new Projects({ tokens, workspaceState: memento, prompts: new AnsweredPrompts(), log });
    const shown = showSandboxProject(sandbox, projects);
    await sandbox.resume();
    const leave = async () => {
      await sandbox.end();
      await projects.stored();
      for (const one of [shown, projects, tokens]) one.dispose();
    };
    return { sandbox, projects, leave };
  }
  const accountOf = (serviceAccountId: string) => ({ projectId: 'p-sandbox', serviceAccountId });
  const accounts = ['sa-ci', 'sa-preview', 'sa-production'].map(accountOf);

  it('has its tokens as they were: set, deleted, or its own; and those it issued are valid', async () => {
    const before = await open();
    await before.sandbox.start();
    const { token } = await before.sandbox.ask((thread) =>
      thread.newToken({ serviceAccountId: 'sa-production' }),
    );
    await before.projects.setToken(accountOf('sa-production'), token);
    await before.projects.deleteToken(accountOf('sa-preview'));
    const stored = async ({ projects }: typeof before) =>
      Promise.all(accounts.map((ref) => projects.storedToken(ref)));
    const left = await stored(before);
    assert.deepEqual([left[1], left[2]], [undefined, token]);
    await before.leave();
    let after = await open();
    for (const _ of [1, 2]) {
      assert.deepEqual(await stored(after), left);
      const { baseUrl } = after.sandbox.running().address;
      const answer = await fetch(`${baseUrl}/v2/p-sandbox/service-accounts/sa-production/keys`, {
        headers: { authorization: `Bearer ${token}` },
      });
      assert.equal(answer.status, 200);
      await after.sandbox.setFaults([]);
      await after.leave();
      after = await open();
    }
    await after.sandbox.stop();
    await after.projects.stored();
    assert.deepEqual(await secrets.keys(), []);
    await after.sandbox.start();
    const anew = await stored(after);
    assert.ok(anew.every((one, index) => one !== undefined && one !== left[index]));
    await after.leave();
  });

  it('has tokens of its own where the store has lost them', async () => {
    const before = await open();
    await before.sandbox.start();
    await before.leave();
    for (const key of await secrets.keys()) await secrets.delete(key);
    const lost = await open();
    for (const ref of accounts) assert.notEqual(await lost.projects.storedToken(ref), undefined);
    await lost.leave();
  });
  afterEach(async () => {
    await Promise.all(made.map((sandbox) => sandbox.end()));
    for (const sandbox of made.splice(0)) sandbox.dispose();
    log.dispose();
  });

  it('runs again, at the same address', async () => {
    const before = inWindow();
    const { baseUrl } = await before.start();
    await before.end();
    const after = inWindow();
    await after.resume();
    assert.equal(after.running().address.baseUrl, baseUrl);
  });

  it('misbehaves as before, until it is started anew', async () => {
    const before = inWindow();
    await before.start();
    await before.setFaults(['500']);
    await before.end();
    const after = inWindow();
    await after.resume();
    const { address, faults } = after.running();
    assert.deepEqual(faults, ['500']);
    const keys = `${address.baseUrl}/v2/p-sandbox/service-accounts/sa-ci/keys`;
    const { status } = await fetch(keys, { headers: { authorization: `Bearer ${address.token}` } });
    assert.equal(status, 500);
    await after.stop();
    await after.start();
    assert.deepEqual(after.running().faults, []);
  });

  it('has its port in its name where another window of its folder has one too', async () => {
    const first = await open();
    await first.sandbox.start();
    const named = ({ projects }: typeof first) => projects.find('p-sandbox')?.name;
    assert.equal(named(first), 'Sandbox');
    await memento.update(rememberedSandbox.ran, undefined);
    let second = await open();
    await second.sandbox.start();
    const name = named(second);
    assert.equal(name, `Sandbox :${new URL(second.sandbox.running().address.baseUrl).port}`);
    await second.leave();
    second = await open();
    assert.equal(named(second), name);
    for (const one of [second, first]) await one.leave();
  });

  it('stays away where it was stopped, or never ran', async () => {
    const never = inWindow();
    await never.resume();
    assert.equal(never.state.kind, 'stopped');
    await never.start();
    await never.stop();
    const after = inWindow();
    await after.resume();
    assert.equal(after.state.kind, 'stopped');
  });

  it('is as if it had never run once it is erased, and tells so', async () => {
    const sandbox = inWindow();
    await sandbox.start();
    const used: boolean[] = [];
    sandbox.onDidChangeState(() => used.push(sandbox.wasUsed));
    await sandbox.erase();
    assert.deepEqual([sandbox.state.kind, used.at(-1)], ['stopped', false]);
  });

  it('stays away where it was stopped while it started', async () => {
    const before = inWindow();
    await Promise.all([before.start(), before.stop()]);
    const after = inWindow();
    await after.resume();
    assert.equal(after.state.kind, 'stopped');
  });
});

type Started = Omit<SandboxAddress, 'token'>;

const start = (argument?: object) => command<Started>('startSandbox', argument);
const stop = () => command('stopSandbox');
const listKeys = ({ projectId, serviceAccountId }: Started) =>
  command<{ name: string; status: string }[]>('listKeys', {
    projectId,
    serviceAccountId,
  });
const run = async ({ projectId }: Started, appName: string): Promise<{ status: number; body: unknown }> =>
  command('runApp', { projectId, appName, body: { n: 1 }, quiet: true });

function isServed(address: Started): Promise<boolean> {
  return fetch(`${address.baseUrl}/openapi.json`).then(
    (answer) => answer.ok,
    () => false,
  );
}

describe('the sandbox in the editor', () => {
  afterEach(async () => {
    await stop();
    await setSetting('sandbox.apps', undefined);
  });

  it('starts the whole service and says where, without its token', async () => {
    const address = await start();
    assert.equal(await isServed(address), true);
    assert.equal(new URL(address.proxyUrl).hostname, '127.0.0.1');
    assert.deepEqual(
      address.apps.map(({ name }) => name),
      ['hello', 'echo', 'sleep', 'fail', 'stream'],
    );
    assert.ok(!JSON.stringify(address).includes('token'));
  });

  it('is a project like any other: its keys are listed with its token', async () => {
    const keys = await listKeys(await start());
    assert.deepEqual(
      new Set(keys.map(({ status }) => status)),
      new Set(['valid', 'expiring', 'expired', 'unknown']),
    );
  });

  it('has an account an environment: of the others one token has expired, and one was revoked', async () => {
    const address = await start();
    const [, staging, prod] = address.serviceAccounts;
    const { projectId } = address;
    await assert.rejects(async () => listKeys({ ...address, serviceAccountId: staging!.id }), /401.*expired/);
    await assert.rejects(async () => listKeys({ ...address, serviceAccountId: prod!.id }), /401.*revoked/);
    for (const { id } of [staging!, prod!]) {
      const given = { projectId, serviceAccountId: id };
      const made = await command('copyNewSandboxToken', given);
      assert.deepEqual(Object.keys(made as object), ['expiresAt']);
      const token = await vscode.env.clipboard.readText();
      await command('setToken', { ...given, token });
      assert.ok((await listKeys({ ...address, serviceAccountId: id })).length > 0);
    }
  });

  it('asks before a run with the account of prod, and refuses its token then', async () => {
    const { projectId, serviceAccounts } = await start();
    const id = serviceAccounts.at(-1)!.id;
    const call = { projectId, appName: 'echo', body: {}, quiet: true };
    const runEcho = async (more = {}) => command<{ status: number }>('runApp', { ...call, ...more });
    await command('useServiceAccount', { projectId, serviceAccountId: id });
    try {
      await answerPrompts(false);
      await assert.rejects(runEcho(), /not confirmed/);
      assert.equal((await runEcho({ confirmed: true })).status, 401);
    } finally {
      const ci = { projectId, serviceAccountId: serviceAccounts[0]!.id };
      await command('useServiceAccount', ci);
    }
  });

  it('stays as it is when it is started again', async () => {
    const [first, second] = await Promise.all([start(), start()]);
    assert.deepEqual(first, second);
    assert.deepEqual(await start(), first);
  });

  it('stops, takes its project away, and starts again', async () => {
    const first = await start();
    await stop();
    assert.equal(await isServed(first), false);
    await assert.rejects(async () => run(first, 'echo'), /The sandbox is not running/);
    const second = await start();
    assert.equal((await run(second, 'echo')).status, 200);
  });

  it('starts on the port that it had before, as long as that is free', async () => {
    const { baseUrl } = await start();
    const port = Number(new URL(baseUrl).port);
    await stop();
    assert.equal((await start()).baseUrl, baseUrl);
    await stop();
    const other = await listen(undefined, port);
    const elsewhere = await start();
    assert.notEqual(elsewhere.baseUrl, baseUrl);
    await stop();
    await new Promise((resolve) => other.close(resolve));
    assert.equal((await start()).baseUrl, elsewhere.baseUrl);
    await stop();
    assert.notEqual((await start({ port: 0 })).baseUrl, elsewhere.baseUrl);
  });

  it('takes the port that it is given, and does not move', async () => {
    const free = await listen();
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    const address = await start({ port });
    assert.equal(address.baseUrl, `http://127.0.0.1:${port}`);
    await assert.rejects(async () => start({ port: port === 65535 ? 1024 : port + 1 }), /already running at/);
  });

  it('names a port that is taken, and starts at the next try', async () => {
    const taken = await listen();
    const { port } = taken.address() as AddressInfo;
    await assert.rejects(async () => start({ port }), new RegExp(`${port} is in use`));
    await new Promise((resolve) => taken.close(resolve));
    assert.equal((await start({ port })).baseUrl, `http://127.0.0.1:${port}`);
  });

  it('refuses a port that is none', async () => {
    for (const port of [-1, 65536, 1.5, '80']) await assert.rejects(async () => start({ port }), /port/);
  });

  it("runs the user's own app behind the proxy, also one that is set while it runs", async () => {
    const app = await listen((_, response) => response.writeHead(418).end('mine'));
    const address = await start();
    const { port } = app.address() as AddressInfo;
    const apps = { mine: `http://127.0.0.1:${port}` };
    await setSetting('sandbox.apps', apps);
    const answer = await waitFor('the app', () => run(address, 'mine'));
    assert.deepEqual([answer.status, answer.body], [418, 'mine']);
    app.closeAllConnections();
    await new Promise((resolve) => app.close(resolve));
  });

  it('does not start with an app that has no address, and says which', async () => {
    await setSetting('sandbox.apps', { mine: 'ftp://localhost' });
    await expectMessage(start(), /mine .*ftp:\/\/localhost/);
    await setSetting('sandbox.apps', undefined);
    assert.equal(await isServed(await start()), true);
  });

  it('misbehaves when it is told to, until it is reset', async () => {
    const address = await start();
    const set = await command('setSandboxFaults', { faults: ['500'] });
    assert.deepEqual(set, { faults: ['500'] });
    assert.equal((await run(address, 'echo')).status, 500);
    await command('resetSandbox');
    assert.equal((await run(address, 'echo')).status, 200);
  });

  it('asks in which ways to misbehave where nothing is said', async () => {
    await start();
    await answerPrompts(['repeat', 'bad-signature']);
    assert.deepEqual(await command('setSandboxFaults'), {
      faults: ['bad-signature', 'repeat'],
    });
  });

  it('says that it is not running where that is so, and what it does not know', async () => {
    const faults = (argument: object) => Promise.resolve(command('setSandboxFaults', argument));
    await assert.rejects(faults({}), /not running/);
    await assert.rejects(faults({ faults: ['500'] }), /not running/);
    await assert.rejects(faults({ faults: ['gremlins'] }), /faults/);
  });
});

async function listen(handler?: Parameters<typeof createServer>[1], port = 0): Promise<Server> {
  const server = handler ? createServer(handler) : createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

const nothing = 'Nothing has been applied in the sandbox yet.';

describe("the sandbox's part of the tree", () => {
  let sandbox: Sandbox;
  let projects: Projects;
  let keyLists: KeyLists;
  let tree: ProjectsTree;
  let address: SandboxAddress;
  let owned: vscode.Disposable;
  /** Its thread ends at once, as by a bug of the sandbox, when it is told to have the fault `hang`. */
  let worker: string;

  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'runhook-worker-'));
    worker = join(folder, 'worker.mjs');
    await writeFile(
      worker,
      `import { parentPort } from 'node:worker_threads';
       import ${JSON.stringify(sandboxWorker())};
       parentPort.on('message', ({ m, a }) => {
         if (m === 'setFaults' && a[0].includes('hang')) throw new Error('a bug of the sandbox');
       });`,
    );
  });
  after(() => rm(dirname(worker), { recursive: true }));
  beforeEach(async () => {
    const log = vscode.window.createOutputChannel('Sandbox Tree', { log: true });
    const transport = createTransport(log);
    const appRows = { onDidChange: new vscode.EventEmitter<never>().event, of: () => [] };
    sandbox = sandboxOfItsOwn(log, worker);
    const lines = sandboxLine(sandbox);
    const own = ownTree({ log, transport, appRows, lines });
    ({ projects, keyLists, tree } = own);
    const transient = showSandboxProject(sandbox, projects);
    owned = vscode.Disposable.from(transient, sandbox, tree, keyLists, projects, own.tokens, transport, log);
    address = await sandbox.start();
  });
  afterEach(async () => {
    await sandbox.stop();
    owned.dispose();
  });

  /** What the view says of each app beside its id, in the order of the view. */
  async function notes(): Promise<[id: string, note: string][]> {
    const project = (await tree.getChildren()).find(
      (node) =>
        kindOf(node) === 'project' &&
        (node.argument as { projectId: string }).projectId === address.projectId,
    );
    const apps = (await tree.getChildren(project)).find((node) => kindOf(node) === 'apps');
    return (await tree.getChildren(apps)).map((node) => {
      const [id, note] = (tree.getTreeItem(node).tooltip as string).split('\n');
      return [id!, note!];
    });
  }

  async function patch(settings: AppSettings): Promise<void> {
    const answer = await fetch(`${address.baseUrl}/v2/projects/${address.projectId}/apps/app-echo`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${address.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(settings),
    });
    assert.equal(answer.status, 200);
  }

  const noted = async (note: string) =>
    waitFor(note, async () => (await notes()).some(([, text]) => text === note));

  it('says of each app what the sandbox holds, whoever applied it', async () => {
    const untouched = address.apps.map(({ id }) => [`App ${id}`, nothing]);
    assert.deepEqual(await notes(), untouched);
    await patch({ gpuCount: 2 });
    await patch({ memory: '16' });
    await noted('Applied in the sandbox: GPUs 2, Memory 16');
    assert.deepEqual(
      (await notes()).filter(([, note]) => note !== nothing).map(([id]) => id),
      ['App app-echo'],
    );
    await sandbox.setFaults(['repeat']);
    await noted('Applied in the sandbox: GPUs 2, Memory 16');
    await sandbox.reset();
    assert.deepEqual(await notes(), untouched);
  });

  it('says that the sandbox ended and why, until it is started again, by a click for instance', async () => {
    const roots = async () => (await tree.getChildren()).map((node) => tree.getTreeItem(node));
    const shown = async () => (await roots()).find((item) => item.contextValue === 'sandbox stopped');
    assert.equal(await shown(), undefined);
    // Its last words may come through, or not.
    await sandbox.setFaults(['hang']).catch(() => undefined);
    const line = await waitFor('the line', shown);
    assert.equal(line.description, 'failed: The sandbox stopped: see the log of Runhook for the reason');
    assert.equal(line.command?.command, 'runhook.startSandbox');
    assert.equal((await roots()).length, 1);
    const again = await sandbox.start();
    assert.equal(again.baseUrl, address.baseUrl);
    assert.equal(await shown(), undefined);
    assert.ok((await roots()).some((item) => item.label === 'Sandbox'));
  });

  it('has what was applied once more when it is started again, until it is reset', async () => {
    await patch({ gpuCount: 2 });
    await noted('Applied in the sandbox: GPUs 2');
    await sandbox.stop();
    address = await sandbox.start();
    await noted('Applied in the sandbox: GPUs 2');
    await sandbox.reset();
    await sandbox.stop();
    address = await sandbox.start();
    assert.deepEqual(new Set((await notes()).map(([, note]) => note)), new Set([nothing]));
  });

  it('knows nothing of the keys of the sandbox before: they are listed anew', async () => {
    const refs = address.serviceAccounts.map(({ id }) => ({
      projectId: address.projectId,
      serviceAccountId: id,
    }));
    const kinds = () => refs.map((ref) => keyLists.state(ref).kind);
    await keyLists.loadAll();
    assert.deepEqual(kinds(), ['known', 'failed', 'failed']);
    await sandbox.stop();
    await sandbox.start();
    assert.deepEqual(kinds(), ['unknown', 'unknown', 'unknown']);
    assert.deepEqual(
      refs.flatMap((ref) => keyLists.knownKeys(ref)),
      [],
    );
    await keyLists.loadAll(true);
    assert.deepEqual(kinds(), ['known', 'failed', 'failed']);
    await sandbox.setFaults(['repeat']);
    assert.deepEqual(kinds(), ['known', 'failed', 'failed']);
  });

  it('leaves the token as the user made it while settings are applied', async () => {
    const { projectId, serviceAccountId } = address;
    await projects.setToken({ projectId, serviceAccountId }, 'a-token-of-the-user');
    await patch({ gpuCount: 1 });
    await noted('Applied in the sandbox: GPUs 1');
    assert.equal(await projects.storedToken({ projectId, serviceAccountId }), 'a-token-of-the-user');
  });
});
