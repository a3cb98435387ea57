import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import * as fs from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createMessageConnection, SocketMessageReader, SocketMessageWriter } from 'vscode-jsonrpc/node';
import type { Handlers } from '../../model/processes/channel.ts';
import { type ControlFile, controlFileName, readControlFile } from '../../model/processes/controlFile.ts';
import {
  type ProgramCalls,
  protocolVersion,
  type WindowCalls,
} from '../../model/processes/listenerProtocol.ts';
import { Peer } from '../../model/processes/peer.ts';
import { newSocketPath } from './socketPath.ts';

/** How long a connection has to present itself, in milliseconds, and how many may be about to at a time. */
const helloWithinMs = 5000;
const strangersAtOnce = 64;

/** How long what was said last has to get through, in milliseconds. */
export const lastWordsMs = 50;

/** Windows has pipes instead of sockets, which are no files. */
const isPipe = process.platform === 'win32';

/** A connection that somebody has opened. */
export interface WindowConnection {
  peer: () => Peer<WindowCalls, ProgramCalls>;
  /** @throws Error where that is not the key of the program; the connection ends then */
  mayAsk: (key: string) => void;
}

export interface ControlOptions {
  folder: string;
  version: string;
  /** What a connection may ask: only `hello` and `handOver` before it has shown the key. */
  handlers: (connection: WindowConnection) => Handlers<ProgramCalls>;
}

/** The local socket by which windows reach the program, and the file that leads them to it. */
export class Control {
  readonly #options: ControlOptions;
  readonly #key = randomBytes(32).toString('base64url');
  readonly #sockets = new Set<Socket>();
  /** Those that have not shown the key yet. */
  readonly #strangers = new Set<Socket>();
  #server: Server | undefined;
  #path = '';

  readonly #file: string;

  constructor(options: ControlOptions) {
    this.#options = options;
    this.#file = join(options.folder, controlFileName);
  }

  /** @throws Error where there can be no socket or no file */
  async open(): Promise<void> {
    await this.#listen();
    this.#writeFile();
  }

  /**
   * Makes socket and file anew where they have gone.
   * @throws Error where that cannot be; both are as they were then, or nearer to what they have to be
   */
  async stayReachable(): Promise<void> {
    if (!isPipe && !fs.existsSync(this.#path)) await this.#listen();
    else if (this.#leadsHere()) return;
    this.#writeFile();
  }

  async #listen(): Promise<void> {
    const server = createServer((socket) => this.#welcome(socket));
    const path = newSocketPath(this.#options.folder);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
    server.on('error', () => undefined);
    // Who is connected stays so.
    this.#server?.close();
    this.#server = server;
    this.#path = path;
  }

  /** Whether the file of the folder leads to this program. */
  #leadsHere(): boolean {
    try {
      const file = readControlFile(fs.readFileSync(this.#file, 'utf8'));
      return file?.key === this.#key && file.socket === this.#path;
    } catch {
      return false;
    }
  }

  /** Writes the way to the program, whole or not at all. */
  #writeFile(): void {
    const { version } = this.#options;
    const content: ControlFile = { protocol: protocolVersion, version, socket: this.#path, key: this.#key };
    // guard: whoever connects has to show the key of a file that you alone can read
    fs.writeFileSync(`${this.#file}.new`, JSON.stringify(content), { mode: 0o600 });
    fs.renameSync(`${this.#file}.new`, this.#file);
  }

  close(): void {
    this.#server?.close();
    // Last words are still on their way.
    setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, lastWordsMs);
    // Another program may have taken the place of this one.
    if (this.#leadsHere()) fs.rmSync(this.#file, { force: true });
    if (!isPipe) fs.rmSync(this.#path, { force: true });
  }

  #welcome(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    if (this.#strangers.size >= strangersAtOnce) {
      socket.destroy();
      return;
    }
    this.#strangers.add(socket);
    this.#sockets.add(socket);
    const tooLate = setTimeout(() => socket.destroy(), helloWithinMs);
    const known = (): void => {
      this.#strangers.delete(socket);
      clearTimeout(tooLate);
    };
    socket.once('close', () => {
      known();
      this.#sockets.delete(socket);
    });
    const mayAsk = (key: string): void => {
      if (!this.#isKey(key)) {
        setTimeout(() => socket.destroy(), lastWordsMs);
        throw new Error('That is not the key of this program.');
      }
      known();
    };
    const handlers = this.#options.handlers({ peer: () => peer, mayAsk });
    const mayAskFor = (name: string): void => {
      // guard: whoever connects has to show the key of a file that you alone can read
      if (this.#strangers.has(socket) && name !== 'hello' && name !== 'handOver')
        throw new Error('The key has to come first.');
    };
    const reader = new SocketMessageReader(socket);
    // A message that is broken off must leave no timer behind.
    reader.partialMessageTimeout = 0;
    const connection = createMessageConnection(reader, new SocketMessageWriter(socket));
    const peer = new Peer<WindowCalls, ProgramCalls>(connection, handlers, mayAskFor);
  }

  /** In constant time, whatever is given. */
  #isKey(given: unknown): boolean {
    const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
    return typeof given === 'string' && timingSafeEqual(digest(given), digest(this.#key));
  }
}
