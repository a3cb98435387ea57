import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Control } from '../../../../src/listener/program/control.ts';
import { controlFileName, readControlFile } from '../../../../src/listener/attach/controlFile.ts';
import type { Handlers } from '../../../../src/shared/rpc/rpc.ts';
import type { ProgramCalls } from '../../../../src/deliveries/listenerProtocol.ts';

describe('the way to the listener program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'runhook-control-'));
  const open: Control[] = [];
  afterEach(() => {
    for (const control of open.splice(0)) void control.close();
  });
  after(() => rmSync(folder, { recursive: true }));

  async function opened(): Promise<Control> {
    const handlers = () => ({}) as Handlers<ProgramCalls>;
    const control = new Control({ folder, version: '1.2.3', lock: () => '1:2', handlers });
    await control.open();
    open.push(control);
    return control;
  }
  const path = join(folder, controlFileName);
  const file = () => readControlFile(readFileSync(path, 'utf8'))!;
  async function isReached(): Promise<void> {
    const socket = connect(file().socket);
    await once(socket, 'connect');
    socket.destroy();
  }

  it('is left where it leads to the program that has taken its place', async () => {
    const first = await opened();
    await opened();
    const { key } = file();
    await first.close();
    assert.equal(file().key, key);
    await isReached();
  });

  it('is made anew where socket or file have gone, and stays as it is otherwise', async () => {
    const control = await opened();
    const before = file();
    await control.stayReachable();
    assert.deepEqual(file(), before);
    rmSync(path);
    await control.stayReachable();
    assert.deepEqual(file(), before);
    rmSync(before.socket);
    await control.stayReachable();
    assert.notEqual(file().socket, before.socket);
    await isReached();
  });

  it('is tried again where it could not be made', async () => {
    const control = await opened();
    renameSync(folder, `${folder}-aside`);
    await assert.rejects(control.stayReachable());
    await assert.rejects(control.stayReachable());
    renameSync(`${folder}-aside`, folder);
    rmSync(path);
    await control.stayReachable();
    await isReached();
  });
});
