import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { hasTokenOf, hasWork, whenLeakIsPossible } from '../../src/editor/activation/hasWork.ts';
import { tokenPrefix } from '../../src/editor/projects/tokens.ts';
import { KnownKeysStore } from '../../src/editor/projects/knownKeys.ts';
import { RememberedPort } from '../../src/editor/listener/program/rememberedPort.ts';
import { contextIds, rememberedSandbox } from '../../src/editor/kit/ids.ts';
import { MemoryMemento } from '../support/editor/memoryMemento.ts';
import { MemorySecrets } from '../support/editor/memorySecrets.ts';
import { doneBefore, remember } from '../../src/editor/walkthrough/doneSteps.ts';
import { eventually, setSetting } from '../support/editor/inEditor.ts';

const now = Date.UTC(2026, 0, 1);
const dayMs = 24 * 60 * 60 * 1000;

describe('activation', () => {
  it('ends with the extension active', async () => {
    const extension = vscode.extensions.getExtension('runhook.runhook');
    assert.ok(extension, 'the extension is not there');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  describe('loads the features before anybody asks', () => {
    const workspaceState = new MemoryMemento();
    const globalState = new MemoryMemento();
    const folder = vscode.Uri.file('/no/such/folder');
    const context = {
      workspaceState,
      globalState,
      storageUri: folder,
      globalStorageUri: folder,
    } as unknown as vscode.ExtensionContext;

    before(async () => setSetting('baseUrl', undefined));
    afterEach(async () => {
      for (const memento of [workspaceState, globalState]) {
        for (const key of memento.keys()) await memento.update(key, undefined);
      }
      for (const id of ['baseUrl', 'projects']) await setSetting(id, undefined);
    });

    it('only where something is remembered or set', () => assert.equal(hasWork(context, now), false));

    it('where the listener was not stopped', async () => {
      const port = new RememberedPort(workspaceState);
      await port.listening(8787);
      assert.equal(hasWork(context, now), true);
      await port.stopped();
      assert.equal(hasWork(context, now), false);
    });

    it('where the badge counts a token: it expires soon, has expired, or was refused', async () => {
      for (const [days, expected, refused] of [
        [-1, true],
        [13, true],
        [15, false],
        [15, true, 401],
      ] as const) {
        await globalState.update(`${tokenPrefix}["https://api.example","p","sa"]`, {
          expiresAt: now + days * dayMs,
          refused,
        });
        assert.equal(hasWork(context, now), expected, `${days} days`);
      }
    });

    it('where a key that is remembered expires soon', async () => {
      const keys = [{ fields: [] }, { id: 'k', fields: [], expiresAt: now + dayMs }];
      await new KnownKeysStore(globalState).set('sa', { list: { kind: 'keys', keys }, at: now });
      assert.equal(hasWork(context, now), true);
      assert.equal(hasWork(context, now + 2 * dayMs), false);
    });

    it('where tokens would go out unencrypted, and not to this machine', async () => {
      await setSetting('baseUrl', 'http://127.0.0.1:8080/');
      assert.equal(hasWork(context, now), false);
      await setSetting('projects', [
        { id: 'p', baseUrl: 'http://api.example/', serviceAccounts: [], apps: [] },
      ]);
      assert.equal(hasWork(context, now), true);
    });
  });

  describe('tells the walkthrough', () => {
    const context = { globalState: new MemoryMemento(), workspaceState: new MemoryMemento() };

    it('what was done in another window, and nothing else', async () => {
      assert.deepEqual(doneBefore(context), []);
      await remember(context.globalState, contextIds.deliveryExplained);
      assert.deepEqual(doneBefore(context), [contextIds.deliveryExplained]);
    });

    it('of a sandbox that a version before has remembered by its port', async () => {
      await context.workspaceState.update(rememberedSandbox.port, 4100);
      assert.deepEqual(doneBefore(context), [contextIds.sandboxTried, contextIds.deliveryExplained]);
    });

    it('of a token that was set for a project, and not of those of the sandbox', async () => {
      const state = new MemoryMemento();
      const tokenOf = (projectId: string) =>
        state.update(`${tokenPrefix}${JSON.stringify(['https://api.example', projectId, 'sa'])}`, {});
      await state.update('appliedSettings:["p","hello"]', {});
      await tokenOf('p-sandbox');
      assert.equal(hasTokenOf(['p'], state), false);
      assert.equal(hasTokenOf([undefined], state), false);
      await tokenOf('p');
      assert.equal(hasTokenOf(['p'], state), true);
    });
  });

  it('looks for leaks once a file is open while something is held', async () => {
    const [{ uri: folder } = assert.fail('no folder is open')] = vscode.workspace.workspaceFolders ?? [];
    const file = (name: string) => vscode.Uri.joinPath(folder, `activation-${name}.txt`);
    const open = async (name: string) => {
      await vscode.workspace.fs.writeFile(file(name), Buffer.from(name));
      await vscode.workspace.openTextDocument(file(name));
    };
    const secrets = new MemorySecrets();
    let calls = 0;
    const watch = whenLeakIsPossible(secrets, () => (calls += 1));
    try {
      await open('before');
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(calls, 0);
      await secrets.store('a', 'secret');
      await open('after');
      await eventually(() => (calls > 0 ? calls : undefined));
      await open('again');
      assert.equal(calls, 1);
    } finally {
      watch.dispose();
      for (const name of ['before', 'after', 'again']) await vscode.workspace.fs.delete(file(name));
    }
  });
});
