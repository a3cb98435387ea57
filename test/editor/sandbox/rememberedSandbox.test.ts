import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Sandbox } from '../../../src/editor/sandbox/sandbox.ts';
import { MemoryMemento } from '../../support/editor/memoryMemento.ts';
import { sandboxOfItsOwn } from './sandboxOfItsOwn.ts';

describe('a sandbox after a reload of its window', () => {
  let log: vscode.LogOutputChannel;
  let memento: MemoryMemento;
  const made: Sandbox[] = [];
  const inWindow = (): Sandbox => {
    const sandbox = sandboxOfItsOwn(log, undefined, memento);
    made.push(sandbox);
    return sandbox;
  };
  beforeEach(() => {
    log = vscode.window.createOutputChannel('Sandbox of a Reload', { log: true });
    memento = new MemoryMemento();
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
