import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { sep } from 'node:path';
import { type DoorCalls, type DoorFile, doorFiles } from '../../agents/door.ts';
import { removeSocket } from '../../shared/rpc/socketPath.ts';
import { ConnectionEndedError, type SocketRpc, connectSocketRpc } from '../../shared/rpc/socketRpc.ts';
import { UserError } from '../../shared/text/userError.ts';

/** How long a window has to answer that it is there, in milliseconds. A question to the human has no limit. */
const helloMs = 5000;

/** A window of the editor, and the connection to it. */
export interface OpenWindow {
  folders: string[];
  projectIds: string[];
  /** @throws UserError with what the window says, or that it was closed */
  call(name: string, input: unknown, signal: AbortSignal): Promise<string>;
}

/** The windows of this user in which Runhook is used. Each call connects anew: windows come and go. */
export class Windows {
  readonly #folder: string;
  readonly #cwd: string;

  constructor(folder: string, cwd: string) {
    this.#folder = folder;
    this.#cwd = cwd;
  }

  /** Has the window that holds a project, or that of this folder, do something. */
  async use<T>(
    projectId: string | undefined,
    work: (window: OpenWindow) => Promise<T>,
  ): Promise<{ done: T } | undefined> {
    const { open, isSilent } = await this.#open();
    try {
      const holders =
        projectId === undefined ? open : open.filter(({ projectIds }) => projectIds.includes(projectId));
      const window = holders.find(({ folders }) => this.#isIn(folders)) ?? only(holders);
      if (window !== undefined) return { done: await work(window) };
      // guard S156: It may be the one that has to ask, so nothing is done without it.
      if (isSilent) throw new UserError('A window of the editor does not respond. Try again, or close it.');
      return undefined;
    } finally {
      for (const { close } of open) close();
    }
  }

  /** Has each window do something, which may not be there any more. */
  async each<T>(work: (window: OpenWindow) => Promise<T>): Promise<T[]> {
    const { open } = await this.#open();
    const done = await Promise.allSettled(open.map(work));
    for (const { close } of open) close();
    return done.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  }

  #isIn(folders: readonly string[]): boolean {
    return folders.some((folder) => this.#cwd === folder || this.#cwd.startsWith(folder + sep));
  }

  async #open(): Promise<{ open: (OpenWindow & { close: () => void })[]; isSilent: boolean }> {
    const found = await Promise.all(
      doorFiles(this.#folder).map(async ({ path, door }) => {
        const window = await knock(door);
        // It was not closed in order.
        if (window === 'nobody') {
          rmSync(path, { force: true });
          removeSocket(door.socket);
        }
        return window;
      }),
    );
    return { open: found.filter((one) => typeof one === 'object'), isSilent: found.includes('silent') };
  }
}

/** Of several windows none is taken by chance: the human would be asked where he does not look. */
function only<T>(windows: readonly T[]): T | undefined {
  return windows.length === 1 ? windows[0] : undefined;
}

/** @returns `nobody` if nothing listens there any more, `silent` if it does not answer */
async function knock(door: DoorFile): Promise<(OpenWindow & { close: () => void }) | 'nobody' | 'silent'> {
  const socket = connect(door.socket);
  const failure = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    socket.once('connect', () => resolve(undefined));
    socket.once('error', resolve);
  });
  // One that is busy may refuse a connection, too.
  if (failure !== undefined)
    return /^(?:ECONNREFUSED|ENOENT)$/.test(failure.code ?? '') ? 'nobody' : 'silent';
  const rpc: SocketRpc<DoorCalls> = connectSocketRpc<DoorCalls, object>(socket, {});
  const timer = setTimeout(rpc.close, helloMs);
  try {
    const { folders, projectIds } = await rpc.call.hello({ key: door.key });
    return { folders, projectIds, close: rpc.close, call: (...asked) => ask(rpc, ...asked) };
  } catch {
    rpc.close();
    return 'silent';
  } finally {
    clearTimeout(timer);
  }
}

async function ask(
  rpc: SocketRpc<DoorCalls>,
  name: string,
  input: unknown,
  signal: AbortSignal,
): Promise<string> {
  // The window breaks off what it does for an agent that has left.
  signal.addEventListener('abort', rpc.close);
  try {
    return await rpc.call.call({ name, input });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ConnectionEndedError)) throw error;
    throw new UserError('The window was closed before it responded. It may have done what was asked.', {
      cause: error,
    });
  } finally {
    signal.removeEventListener('abort', rpc.close);
  }
}
