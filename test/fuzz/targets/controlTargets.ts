import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Control } from '../../../src/listener/program/control.ts';
import type { Handlers } from '../../../src/shared/rpc/rpc.ts';
import { controlFileName, readControlFile } from '../../../src/listener/attach/controlFile.ts';
import type { ProgramCalls } from '../../../src/deliveries/listenerProtocol.ts';
import { hostileMessages } from '../../soak/hostileMessages.ts';
import { seedsOf, type Target } from '../target.ts';

const silenceMs = 20;

/** The file with the socket of a listener program: it must be read completely or not at all. */
export const controlFileTarget: Target = {
  name: 'controlFile',
  seeds: seedsOf('{"protocol":1,"version":"1.0.0","socket":"/run/user/0/runhook-0/a","key":"a"}', '{}', ''),
  tokens: ['"protocol":', '"socket":', '"key":', '"version":', '{"__proto__":', '1e999'],
  check: (input) => {
    const read = readControlFile(input.toString());
    if (read === undefined) return;
    assert.equal(typeof read.protocol, 'number');
    for (const text of [read.version, read.socket, read.key]) assert.equal(typeof text, 'string');
  },
};

/** Bytes on the socket of a listener program: without the key no call may be handled, and the program must survive. */
export async function controlTarget(): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'runhook-fuzz-'));
  const reached: string[] = [];
  const recordCall = (name: string) => () => {
    reached.push(name);
    return null;
  };
  const control = new Control({
    folder,
    version: '1.0.0',
    lock: () => undefined,
    handlers: ({ mayAsk }) => {
      const asksFirst = (name: string) => async (takes: { key: string }) => {
        await mayAsk(takes.key);
        return recordCall(name)();
      };
      const handlers = { hello: asksFirst('hello'), handOver: asksFirst('handOver') };
      const others = ['list', 'clear', 'stop', 'get'].map((name) => [name, recordCall(name)] as const);
      // Their results do not matter, because no call may get through.
      return { ...handlers, ...Object.fromEntries(others) } as unknown as Handlers<ProgramCalls>;
    },
  });
  await control.open();
  const { socket = '' } = readControlFile(readFileSync(join(folder, controlFileName), 'utf8')) ?? {};
  return {
    name: 'control',
    seeds: hostileMessages.filter(({ length }) => length > 0),
    tokens: ['\n', '{"t":"q",', '"t":"s"', '"m":"list"', '"a":[', '"key":', '"i":'],
    check: async (input) => {
      await send(socket, input);
      assert.deepEqual(reached, [], 'somebody without the key was served');
    },
    dispose: async () => {
      await control.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Resolves when the other side is silent or closes the connection; rejects if nobody listens. */
function send(path: string, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    let isThere = false;
    socket.on('connect', () => {
      isThere = true;
      socket.end(bytes);
    });
    socket.setTimeout(silenceMs, () => socket.destroy());
    socket.on('error', (error) => {
      if (!isThere) reject(error);
    });
    socket.on('close', () => resolve()).resume();
  });
}
