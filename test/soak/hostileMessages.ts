import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { controlFileName, programFolder, readControlFile } from '../../src/model/processes/controlFile.ts';

/** Invalid or unauthorized messages for the local socket of a listener program. */
export const hostileMessages: readonly Buffer[] = [
  Buffer.alloc(0),
  randomBytes(2000),
  Buffer.from('POST / HTTP/1.1\r\nHost: x\r\n\r\n'),
  Buffer.from('Content-Length: 100\r\n\r\n{"jsonrpc":"2.0"'),
  Buffer.from('Content-Length: 999999999\r\n\r\n{'),
  Buffer.from('Content-Length: -5\r\n\r\n{}'),
  Buffer.from('Content-Length: x\r\n\r\n{}'),
  Buffer.from('Content-Length: 2\r\nContent-Type: application/x; charset=none\r\n\r\n{}'),
  Buffer.from('\r\n\r\n\r\n'),
  message('not json at all'),
  message('null'),
  message('[1, 2]'),
  message({ jsonrpc: '2.0', id: 1, method: 'list', params: { takes: {} } }),
  message({ jsonrpc: '2.0', id: 1, method: 'hello' }),
  message({ jsonrpc: '2.0', id: 1, method: 'hello', params: null }),
  message({ jsonrpc: '2.0', id: 1, method: 'hello', params: { takes: { key: 'a wrong key' } } }),
  message({ jsonrpc: '2.0', id: 1, method: 'handOver', params: { takes: { key: 5 } } }),
  message({ jsonrpc: '2.0', id: 1, method: 'clear', params: { takes: null } }),
  message({ jsonrpc: '2.0', id: 1, method: 'constructor', params: { takes: null } }),
  message({ jsonrpc: '2.0', id: 7, result: null }),
  message({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id: 1 } }),
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
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return Buffer.from(`Content-Length: ${Buffer.byteLength(text).toString()}\r\n\r\n${text}`);
}
