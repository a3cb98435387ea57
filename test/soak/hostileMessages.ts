import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { controlFileName, programFolder, readControlFile } from '../../src/listener/attach/controlFile.ts';

/** Invalid or unauthorized messages for the local socket of a listener program. */
export const hostileMessages: readonly Buffer[] = [
  Buffer.alloc(0),
  randomBytes(2000),
  Buffer.from('POST / HTTP/1.1\r\nHost: x\r\n\r\n'),
  Buffer.from('Content-Length: 100\r\n\r\n{"jsonrpc":"2.0"'),
  Buffer.from('{"t":"q","i":"1","m":"hello","a":['),
  Buffer.from('\r\n\r\n\r\n'),
  Buffer.from('\n\n\n'),
  // Longer than what anybody may say without the key.
  Buffer.alloc(2 * 1024 * 1024, '['),
  message('not json at all'),
  message('null'),
  message('[1, 2]'),
  message({ t: 'q', i: '1', m: 'list', a: [{}] }),
  message({ t: 'q', i: '1', m: 'hello' }),
  message({ t: 'q', i: '1', m: 'hello', a: [] }),
  message({ t: 'q', i: '1', m: 'hello', a: [null] }),
  message({ t: 'q', i: '1', m: 'hello', a: [{ key: 'a wrong key' }] }),
  message({ t: 'q', i: '1', m: 'handOver', a: [{ key: 5 }] }),
  message({ t: 'q', i: '1', m: 'clear', a: [] }),
  message({ t: 'q', m: 'clear', a: [] }),
  message({ t: 'q', i: '1', m: 'constructor', a: [] }),
  message({ t: 's', i: '7', r: null }),
  message({ t: 's', i: '7', e: 'an error' }),
];

/** Sends each message on its own connection to the program of a folder. Does nothing if the folder has no program. */
export function sendHostileMessages(folder: string, messages: readonly Buffer[]): Socket[] {
  const path = findSocket(folder);
  if (path === undefined) return [];
  return messages.map((bytes) => {
    const socket = connect(path);
    socket.on('error', () => undefined).resume();
    socket.write(bytes);
    return socket;
  });
}

function findSocket(folder: string): string | undefined {
  try {
    return readControlFile(readFileSync(join(folder, programFolder, controlFileName), 'utf8'))?.socket;
  } catch {
    return undefined;
  }
}

function message(content: object | string): Buffer {
  return Buffer.from(`${typeof content === 'string' ? content : JSON.stringify(content)}\n`);
}
