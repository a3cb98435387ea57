import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Control } from '../../../src/listener/program/control.ts';
import type { Handlers } from '../../../src/model/processes/channel.ts';
import { controlFileName, readControlFile } from '../../../src/model/processes/controlFile.ts';
import type { ProgramCalls } from '../../../src/model/processes/listenerProtocol.ts';
import { strangeMessages } from '../../soak/socketStrangers.ts';
import { seedsOf, type Target } from '../target.ts';

const patienceMs = 20;

/** The file that leads a window to its program: it is whole, or it is none. */
export const controlFileTarget: Target = {
  name: 'controlFile',
  seeds: seedsOf('{"protocol":1,"version":"1.0.0","socket":"/run/user/0/runhook-0/a","key":"a"}', '{}', ''),
  words: ['"protocol":', '"socket":', '"key":', '"version":', '{"__proto__":', '1e999'],
  read: (input) => {
    const read = readControlFile(input.toString());
    if (read === undefined) return;
    assert.equal(typeof read.protocol, 'number');
    for (const text of [read.version, read.socket, read.key]) assert.equal(typeof text, 'string');
  },
};

/** Bytes at the socket of a program: nothing is done for who does not have the key, and it goes on. */
export async function controlTarget(): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'runhook-fuzz-'));
  const reached: string[] = [];
  const noting = (name: string) => () => {
    reached.push(name);
    return null;
  };
  const control = new Control({
    folder,
    version: '1.0.0',
    handlers: ({ mayAsk }) => {
      const asksFirst = (name: string) => (takes: { key: string }) => {
        mayAsk(takes.key);
        return noting(name)();
      };
      const handlers = { hello: asksFirst('hello'), handOver: asksFirst('handOver') };
      const others = ['list', 'clear', 'stop', 'get'].map((name) => [name, noting(name)] as const);
      // What it would give is never asked for.
      return { ...handlers, ...Object.fromEntries(others) } as unknown as Handlers<ProgramCalls>;
    },
  });
  await control.open();
  const { socket = '' } = readControlFile(readFileSync(join(folder, controlFileName), 'utf8')) ?? {};
  return {
    name: 'control',
    seeds: strangeMessages.filter(({ length }) => length > 0),
    words: ['Content-Length: 40', '\r\n\r\n', '"method":"list"', '"params":', '"takes":', '"key":', '"id":'],
    read: async (input) => {
      await send(socket, input);
      assert.deepEqual(reached, [], 'somebody without the key was served');
    },
    end: async () => {
      await control.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Resolves when the other side is silent or has closed; rejects where nobody is there any more. */
function send(path: string, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    let isThere = false;
    socket.on('connect', () => {
      isThere = true;
      socket.end(bytes);
    });
    socket.setTimeout(patienceMs, () => socket.destroy());
    socket.on('error', (error) => {
      if (!isThere) reject(error);
    });
    socket.on('close', () => resolve()).resume();
  });
}
