import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Projects } from '../../../src/editor/projects/projects.ts';
import { Tokens } from '../../../src/editor/projects/tokens.ts';
import { showSandboxProject } from '../../../src/editor/sandbox/feature.ts';
import type { Sandbox } from '../../../src/editor/sandbox/sandbox.ts';
import { AnsweredPrompts } from '../../support/editor/answeredPrompts.ts';
import { MemoryMemento } from '../../support/editor/memoryMemento.ts';
import { MemorySecrets } from '../../support/editor/memorySecrets.ts';
import { sandboxOfItsOwn } from './sandboxOfItsOwn.ts';

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

  it('stays away where it was stopped while it started', async () => {
    const before = inWindow();
    await Promise.all([before.start(), before.stop()]);
    const after = inWindow();
    await after.resume();
    assert.equal(after.state.kind, 'stopped');
  });
});
