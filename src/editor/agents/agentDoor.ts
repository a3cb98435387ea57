import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type DoorCalls, type DoorFile, doorsFolder } from '../../agents/door.ts';
import type { Project } from '../../service/projects/project.ts';
import { isKey } from '../../shared/rpc/isKey.ts';
import { newSocketPath, removeSocket } from '../../shared/rpc/socketPath.ts';
import { connectSocketRpc } from '../../shared/rpc/socketRpc.ts';
import { t } from '../../shared/text/l10n.ts';
import { oneLine, plainText } from '../../shared/text/plainText.ts';
import { UserError } from '../../shared/text/userError.ts';
import type { Prompts } from '../kit/prompts.ts';
import type { Log } from '../kit/log.ts';
import type { Tools } from './tools.ts';

/** How many programs may be connected, and how much one may say before it has shown the key, in characters. */
const [mostConnections, strangerSays] = [16, 4096];
/** The longest call, in characters: the body of a run. */
const longestCall = 16 * 1024 * 1024;
/** How much of what is to be sent a question shows, in characters and lines. */
const [mostShown, mostLines] = [2000, 30];

interface AgentDoorParts {
  projects: { all(): readonly Project[] };
  prompts: Prompts;
  log: Log;
  tools: () => Promise<Tools>;
}

/**
 * The door by which `runhook mcp`, in any terminal of this user, asks for what a token is needed for, or the agreement of
 * the human. It opens with the first use of Runhook in a window, and closes with it.
 */
export class AgentDoor {
  readonly #parts: AgentDoorParts;
  readonly #key = randomBytes(32).toString('base64url');
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => this.#welcome(socket));
  #file = '';
  #socket = '';

  constructor(parts: AgentDoorParts) {
    this.#parts = parts;
  }

  /** @throws Error of the system */
  async open(folder = doorsFolder()): Promise<void> {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const socket = newSocketPath(folder, this.#key);
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(socket, resolve);
    });
    this.#server.on('error', (error) => this.#parts.log.warn(String(error)));
    this.#socket = socket;
    this.#file = join(folder, `${process.pid}-${this.#key.slice(0, 8)}.json`);
    const door: DoorFile = { protocol: 1, socket, key: this.#key, pid: process.pid };
    // guard S155: A program has to present the key from a file that only the user can read.
    writeFileSync(`${this.#file}.new`, JSON.stringify(door), { mode: 0o600 });
    renameSync(`${this.#file}.new`, this.#file);
  }

  dispose(): void {
    if (this.#file !== '') rmSync(this.#file, { force: true });
    this.#server.close();
    removeSocket(this.#socket);
    for (const socket of this.#sockets) socket.destroy();
  }

  #welcome(socket: Socket): void {
    if (this.#sockets.size >= mostConnections) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    const left = new vscode.CancellationTokenSource();
    socket.once('close', () => {
      this.#sockets.delete(socket);
      left.cancel();
    });
    let isKnown = false;
    connectSocketRpc<object, DoorCalls>(
      socket,
      {
        hello: ({ key }) => {
          if (!isKey(key, this.#key)) {
            setImmediate(() => socket.destroy());
            throw new Error('That is not the key of this window.');
          }
          isKnown = true;
          const { workspaceFolders = [] } = vscode.workspace;
          return {
            folders: workspaceFolders.flatMap(({ uri }) => (uri.scheme === 'file' ? [uri.fsPath] : [])),
            projectIds: this.#parts.projects.all().map(({ id }) => id),
          };
        },
        call: ({ name, input }) => this.#call(name, input, left.token),
      },
      {
        check: (name, takes) => {
          if (!isKnown && name !== 'hello') throw new Error('The key has to come first.');
          return takes;
        },
        longest: () => (isKnown ? longestCall : strangerSays),
      },
    );
  }

  async #call(name: string, input: unknown, cancellation: vscode.CancellationToken): Promise<string> {
    const tools = await this.#parts.tools();
    if (!Object.hasOwn(tools, name)) throw new UserError(`There is no tool ${plainText(name)}.`);
    const tool = tools[name as keyof Tools];
    const question = await tool.question(input);
    // guard S156: The window asks before an agent in a terminal changes, sends or runs anything.
    if (question !== undefined) {
      const { title, text, code } = question;
      const agrees = await this.#parts.prompts.confirm(
        t('An agent asks: {0}', title),
        `${text}\n\n${shown(code.text)}`,
        t('Allow'),
      );
      if (!agrees) throw new UserError('The user has declined. Do not ask for it again by yourself.');
    }
    if (cancellation.isCancellationRequested) throw new UserError('The agent has left.');
    return tool.answer(input, cancellation);
  }
}

/** What is to be sent, in plain text, as much as a dialog has room for. */
function shown(text: string): string {
  const lines = text.slice(0, mostShown).split('\n').slice(0, mostLines).map(oneLine);
  const isCut = lines.join('\n').length < text.length;
  return [...lines, ...(isCut ? ['…'] : [])].join('\n');
}
