import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { type Server, type Socket, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { clearTheWay, readSmallFile } from '../../shared/files/regularFile.ts';
import { isKey } from '../../shared/rpc/isKey.ts';
import {
  type ControlFile,
  controlFileName,
  mostControlBytes,
  readControlFile,
} from '../attach/controlFile.ts';
import { type ProgramCalls, type WindowCalls, protocolVersion } from '../../deliveries/listenerProtocol.ts';
import type { Handlers } from '../../shared/rpc/rpc.ts';
import { newSocketPath, removeSocket } from '../../shared/rpc/socketPath.ts';
import { type SocketRpc, connectSocketRpc } from '../../shared/rpc/socketRpc.ts';

/** How long a connection has to show the key, in milliseconds, and how many may be unauthenticated at a time. */
const helloWithinMs = 5000;
const strangersAtOnce = 64;
/** The longest message of one that has not shown the key, in characters: settings and the texts of a language. */
const strangersSay = 1024 * 1024;

/** How long the last messages have to get through before the socket is closed, in milliseconds. */
export const lastWordsMs = 50;
/** How long the windows have to reply that they know of the end, in milliseconds. */
const toldWithinMs = 2000;

/** Windows has named pipes instead of sockets; they are not files. */
const isPipe = process.platform === 'win32';

/** An open connection, which may not have shown the key yet. */
export interface WindowConnection {
  peer: () => SocketRpc<WindowCalls>;
  /** Rejects if `key` is not the program's key, which closes the connection, or if the window has left. */
  mayAsk: (key: string) => Promise<void>;
}

export interface ControlOptions {
  folder: string;
  version: string;
  /** Identifies the lock file of the program. */
  lock: () => string | undefined;
  /** The calls of a connection: only `hello` and `handOver` are allowed before it has shown the key. */
  handlers: (connection: WindowConnection) => Handlers<ProgramCalls>;
}

/** The local socket by which windows reach the program, and the control file that tells them its path. */
export class Control {
  readonly #options: ControlOptions;
  readonly #key = randomBytes(32).toString('base64url');
  readonly #sockets = new Set<Socket>();
  /** Sockets that have not shown the key yet. */
  readonly #strangers = new Set<Socket>();
  #server: Server | undefined;
  #path = '';

  readonly #file: string;

  constructor(options: ControlOptions) {
    this.#options = options;
    this.#file = join(options.folder, controlFileName);
  }

  /** @throws Error if the socket or the control file cannot be made */
  async open(): Promise<void> {
    await this.#listen();
    this.#writeFile();
  }

  /**
   * Recreates the socket and the control file if they were removed.
   * @throws Error if that fails; neither is worse than before then
   */
  async stayReachable(): Promise<void> {
    if (!isPipe && !fs.existsSync(this.#path)) await this.#listen();
    else if (this.#pointsHere()) return;
    this.#writeFile();
  }

  async #listen(): Promise<void> {
    const server = createServer((socket) => this.#welcome(socket));
    const path = newSocketPath(this.#options.folder, this.#options.lock());
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
    server.on('error', () => undefined);
    // Open connections stay open.
    this.#server?.close();
    this.#server = server;
    this.#path = path;
  }

  /** Whether the control file points to this program. */
  #pointsHere(): boolean {
    try {
      const file = readControlFile(readSmallFile(this.#file, mostControlBytes));
      return file?.key === this.#key && file.socket === this.#path && file.lock === this.#options.lock();
    } catch {
      return false;
    }
  }

  /** Writes the control file atomically. */
  #writeFile(): void {
    const { version } = this.#options;
    const lock = this.#options.lock();
    const content: ControlFile = {
      protocol: protocolVersion,
      version,
      socket: this.#path,
      key: this.#key,
      pid: process.pid,
      ...(lock !== undefined && { lock }),
    };
    for (const path of [this.#file, `${this.#file}.new`]) clearTheWay(path);
    // guard S27: A client has to present the key from a file that only the user can read.
    fs.writeFileSync(`${this.#file}.new`, JSON.stringify(content), { mode: 0o600 });
    fs.renameSync(`${this.#file}.new`, this.#file);
  }

  /**
   * Takes the way to this program away at once. Open connections end once the windows were told why, as far as they
   * reply in time.
   */
  async close(told: Promise<unknown> = Promise.resolve()): Promise<void> {
    this.#server?.close();
    this.#removeFile();
    removeSocket(this.#path);
    await Promise.race([told, pause(toldWithinMs, undefined, { ref: false })]);
    // The last messages may still be in transit.
    setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, lastWordsMs);
  }

  #removeFile(): void {
    // Another program may have replaced this one; its file stays.
    if (!this.#pointsHere()) return;
    try {
      fs.rmSync(this.#file, { force: true });
    } catch {
      // guard S38: The program ends when it is asked to, whatever the folder contains.
      // Whoever reads it finds that nobody is there any more.
    }
  }

  #welcome(socket: Socket): void {
    if (this.#strangers.size >= strangersAtOnce) {
      socket.destroy();
      return;
    }
    this.#strangers.add(socket);
    this.#sockets.add(socket);
    const timeout = setTimeout(() => socket.destroy(), helloWithinMs);
    const authenticated = (): void => {
      this.#strangers.delete(socket);
      clearTimeout(timeout);
    };
    socket.once('close', () => {
      authenticated();
      this.#sockets.delete(socket);
    });
    const mayAsk = async (key: string): Promise<void> => {
      if (!isKey(key, this.#key)) {
        setTimeout(() => socket.destroy(), lastWordsMs);
        throw new Error('That is not the key of this program.');
      }
      // It may have given up while this program stood still, which is read after what it said before: a hand-over would
      // leave nobody who listens.
      await turn();
      await turn();
      if (socket.destroyed || socket.readableEnded) throw new Error('The window has left.');
      authenticated();
    };
    const handlers = this.#options.handlers({ peer: () => peer, mayAsk });
    const isStranger = (): boolean => this.#strangers.has(socket);
    const peer = connectSocketRpc<WindowCalls, ProgramCalls>(socket, handlers, {
      check: (name, takes) => {
        // guard S27: A client has to present the key from a file that only the user can read.
        if (isStranger() && name !== 'hello' && name !== 'handOver')
          throw new Error('The key has to come first.');
        return takes;
      },
      longest: () => (isStranger() ? strangersSay : undefined),
    });
  }
}
