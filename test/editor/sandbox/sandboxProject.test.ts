import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { webhookSecrets } from '../../../src/editor/listener/secrets/webhookSecrets.ts';
import { KeyLists } from '../../../src/editor/projects/keyLists.ts';
import { KnownKeysStore } from '../../../src/editor/projects/knownKeys.ts';
import { Projects } from '../../../src/editor/projects/projects.ts';
import { ProjectsTree } from '../../../src/editor/projects/projectsTree.ts';
import { Tokens } from '../../../src/editor/projects/tokens.ts';
import type { Sandbox } from '../../../src/editor/sandbox/sandbox.ts';
import { sandboxLine, showSandboxProject } from '../../../src/editor/sandbox/feature.ts';
import { createTransport } from '../../../src/editor/kit/transport.ts';
import type { AppSettings } from '../../../src/model/settings/appSettings.ts';
import type { SandboxAddress } from '../../../src/model/service/sandboxProtocol.ts';
import { waitFor } from '../../support/time/waitFor.ts';
import { AnsweredPrompts } from '../../support/editor/answeredPrompts.ts';
import { MemoryMemento } from '../../support/editor/memoryMemento.ts';
import { MemorySecrets } from '../../support/editor/memorySecrets.ts';
import { kindOf } from '../projects/treeRig.ts';
import { sandboxOfItsOwn, sandboxWorker } from './sandboxOfItsOwn.ts';

const nothing = 'Nothing has been applied in the sandbox yet.';

describe("the sandbox's part of the tree", () => {
  let sandbox: Sandbox;
  let projects: Projects;
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
    const memento = new MemoryMemento();
    const tokens = new Tokens(new MemorySecrets(), memento);
    const transport = createTransport(log);
    projects = new Projects({ tokens, workspaceState: memento, prompts: new AnsweredPrompts(), log });
    const keyLists = new KeyLists({
      projects,
      transport,
      userAgent: 'test',
      store: new KnownKeysStore(memento),
      log,
    });
    const appRows = { onDidChange: new vscode.EventEmitter<never>().event, of: () => [] };
    sandbox = sandboxOfItsOwn(log, worker);
    const lines = sandboxLine(sandbox);
    const secrets = webhookSecrets(new MemorySecrets(), projects);
    const now = Date.now;
    tree = new ProjectsTree({ projects, tokens, keyLists, secrets, appRows, lines, log, now });
    const transient = showSandboxProject(sandbox, projects);
    owned = vscode.Disposable.from(transient, sandbox, tree, keyLists, projects, tokens, transport, log);
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
    await noted('Applied in the sandbox: gpuCount 2, memory 16');
    assert.deepEqual(
      (await notes()).filter(([, note]) => note !== nothing).map(([id]) => id),
      ['App app-echo'],
    );
    await sandbox.setFaults(['repeat']);
    await noted('Applied in the sandbox: gpuCount 2, memory 16');
    await sandbox.reset();
    assert.deepEqual(await notes(), untouched);
  });

  it('says that the sandbox ended and why, until it is started again, by a click for instance', async () => {
    const roots = async () => (await tree.getChildren()).map((node) => tree.getTreeItem(node));
    const label = 'Sandbox failed: retry';
    const shown = async () => (await roots()).find((item) => item.label === label);
    assert.equal(await shown(), undefined);
    // Its last words may come through, or not.
    await sandbox.setFaults(['hang']).catch(() => undefined);
    const line = await waitFor('the line', shown);
    assert.equal(line.description, 'The sandbox ended: the log of Runhook says why');
    assert.equal(line.command?.command, 'runhook.startSandbox');
    assert.ok(!(await roots()).some((item) => item.label === 'Sandbox'));
    const again = await sandbox.start();
    assert.equal(again.baseUrl, address.baseUrl);
    assert.equal(await shown(), undefined);
    assert.ok((await roots()).some((item) => item.label === 'Sandbox'));
  });

  it('begins anew with the sandbox', async () => {
    await patch({ gpuCount: 2 });
    await noted('Applied in the sandbox: gpuCount 2');
    await sandbox.stop();
    address = await sandbox.start();
    assert.deepEqual(new Set((await notes()).map(([, note]) => note)), new Set([nothing]));
  });

  it('leaves the token as the user made it while settings are applied', async () => {
    const { projectId, serviceAccountId } = address;
    await projects.setToken({ projectId, serviceAccountId }, 'a-token-of-the-user');
    await patch({ gpuCount: 1 });
    await noted('Applied in the sandbox: gpuCount 1');
    assert.equal(await projects.storedToken({ projectId, serviceAccountId }), 'a-token-of-the-user');
  });
});
