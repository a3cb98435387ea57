import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { identityOf } from '../../shared/files/identityOf.ts';
import { readSmallFile } from '../../shared/files/regularFile.ts';
import {
  type ControlFile,
  controlFileName,
  lockFileName,
  mostControlBytes,
  programFolder,
  type ProgramStart,
  readControlFile,
} from './controlFile.ts';
import {
  type Hello,
  type ProgramCalls,
  protocolVersion,
  type Welcome,
  type WindowCalls,
} from '../../deliveries/listenerProtocol.ts';
import { type Handlers, revive } from '../../shared/rpc/rpc.ts';
import { ConnectionEndedError, connectSocketRpc, type SocketRpc } from '../../shared/rpc/socketRpc.ts';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';
import { noReply, programReply } from './programReply.ts';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** How long to try to reach a program, in seconds. */
const triesForSeconds = 15;
/** The pause between two tries, in milliseconds. It grows, since each starts a process. */
const firstPauseMs = 20;
const mostPauseMs = 500;
/** How long a new program waits for one of another version to end, in milliseconds. */
const handOverMs = 10_000;

/** A window's side of a connection to the listener program. */
export type ProgramPeer = SocketRpc<ProgramCalls>;

export interface AttachOptions {
  /** The bundle of the command line. */
  entry: string;
  /** The storage folder, which has one program. */
  folder: string;
  version: string;
  /** Whether to replace a program of another version. If not, it is used if its protocol is the same. */
  replaces: boolean;
  /** Whether to start a program if there is none; true by default. */
  starts?: boolean;
  /** How long the program may take to answer. */
  answerSeconds?: number;
  hello: () => Promise<Omit<Hello, 'key'>>;
  handlers: Handlers<WindowCalls>;
}

export interface Attached {
  peer: ProgramPeer;
  welcome: Welcome;
  /** The port that a replaced program of another version has handed over, for listening there at once. */
  handedOver: number | undefined;
}

/**
 * Attaches to the listener program of a folder, and starts one if there is none.
 * @throws UserError if a program of another version runs, or does not answer; Error if the program cannot be started
 * or reached
 */
export async function attachProgram(options: AttachOptions): Promise<Attached> {
  const { entry, folder, version, replaces } = options;
  const until = performance.now() + (options.answerSeconds ?? triesForSeconds) * 1000;
  let handedOver: number | undefined;
  let mayReplace = replaces;
  let pauseMs = firstPauseMs;
  let failure: unknown = new Error('ETIMEDOUT: the listener program cannot be reached');
  while (performance.now() < until) {
    const control = controlFileIn(folder);
    if (control === undefined && options.starts === false) throw failure;
    const fits = control?.protocol === protocolVersion && (control.version === version || !mayReplace);
    try {
      if (control !== undefined && fits) {
        return { ...(await present(control, options)), handedOver };
      } else if (control !== undefined && !mayReplace) {
        throw new UserError(
          t('The listener runs with version {0} of Runhook. Reload this window.', control.version),
          { remedies: [{ kind: 'reloadWindow' }] },
        );
      } else if (control !== undefined) {
        // Replaces only once: two versions must not keep replacing each other.
        mayReplace = false;
        handedOver = (await replace(control, options)) ?? handedOver;
        continue;
      }
    } catch (error) {
      failure = error;
      if (!isUnreachable(error) || options.starts === false) throw error;
    }
    // The program that wrote the control file is gone or ending. The folder's lock tells whether there is another.
    if ((await startProgram(entry, folder)) === 'ready') continue;
    await pause(pauseMs);
    pauseMs = Math.min(2 * pauseMs, mostPauseMs);
  }
  throw noReply(undefined, { cause: failure });
}

async function present(
  control: ControlFile,
  { hello, handlers, answerSeconds }: AttachOptions,
): Promise<{ peer: ProgramPeer; welcome: Welcome }> {
  const said = await hello();
  const peer = await reach(control, handlers);
  try {
    const welcome = peer.call.hello({ ...said, key: control.key });
    return { peer, welcome: await programReply(welcome, control.pid, answerSeconds) };
  } catch (error) {
    peer.close();
    throw error;
  }
}

/** Replaces a program of another version by one of this version. Resolves with the port of the old one. */
function replace(control: ControlFile, options: AttachOptions): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    // The new program starts up while the old one still listens.
    const onWaiting = (): void => {
      Promise.all([handOver(control, options), successor]).then(([port]) => resolve(port), reject);
    };
    const successor = startProgram(options.entry, options.folder, { ms: handOverMs, onWaiting });
    successor.catch(reject);
  });
}

/** Connects only now: a program drops connections that stay silent for some seconds, and a start may take longer. */
async function handOver(
  control: ControlFile,
  { handlers, answerSeconds }: AttachOptions,
): Promise<number | undefined> {
  const old = await reach(control, handlers);
  try {
    const gone = old.call.handOver({ key: control.key });
    return (await programReply(gone, control.pid, answerSeconds)).port;
  } finally {
    old.close();
  }
}

async function reach(control: ControlFile, handlers: Handlers<WindowCalls>): Promise<ProgramPeer> {
  const socket = connect(control.socket);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject);
  });
  return connectSocketRpc<ProgramCalls, WindowCalls>(socket, handlers);
}

function controlFileIn(folder: string): ControlFile | undefined {
  const own = join(folder, programFolder);
  try {
    const control = readControlFile(readSmallFile(join(own, controlFileName), mostControlBytes));
    const lock = identityOf(join(own, lockFileName));
    // guard S44: A control file counts only beside the lock file that it names.
    // In a copy of the folder it names the program of the first one, which holds another lock.
    const isOfAnother = control?.lock !== undefined && lock !== undefined && control.lock !== lock;
    return isOfAnother ? undefined : control;
  } catch {
    // Missing or not readable: an attempt to start a program tells which.
    return undefined;
  }
}

function isUnreachable(error: unknown): boolean {
  if (error instanceof ConnectionEndedError) return true;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ECONNRESET' || code === 'EPIPE';
}

/** How long a program may take to report that it has started, in milliseconds. */
const startsWithinMs = 15_000;
/** Keeps memory small, since the program runs for long: collects garbage early, and after a burst. */
const nodeOptions = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=8',
  '--heap-growing-percent=20',
  '--expose-gc',
];
/** Makes glibc return free memory to the system; other C libraries ignore these variables. */
const memoryOptions = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' };
/**
 * The environment variables that a program gets: only those that Node and its child processes need, since others may
 * reveal data of the user. cloudflared and ngrok find their configuration in the user's folders and in their own
 * variables, and need the system's proxy and certificates to connect.
 */
const passedOn = [
  'PATH',
  'HOME',
  'USERPROFILE',
  'SystemRoot',
  'TEMP',
  'TMP',
  'TMPDIR',
  'XDG_RUNTIME_DIR',
  'LANG',
  'APPDATA',
  'LOCALAPPDATA',
  'HOMEDRIVE',
  'HOMEPATH',
  'XDG_CONFIG_HOME',
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()]),
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_COMPILE_CACHE',
  'NGROK_AUTHTOKEN',
  'NGROK_CONFIG',
];

/**
 * Starts a listener program that outlives this process. The host's own Node runs it.
 * @param entry the bundle of the command line
 * @param wait how long it waits for an old program to end, in milliseconds; `onWaiting` is called when it begins to
 * @returns `taken` if the folder has another program already
 * @throws Error if it cannot be started, or reports nothing
 */
export function startProgram(
  entry: string,
  folder: string,
  wait: { ms: number; onWaiting: () => void } = { ms: 0, onWaiting: () => undefined },
): Promise<'ready' | 'taken'> {
  const args = [...nodeOptions, entry, 'program', folder, wait.ms.toString()];
  const environment = Object.fromEntries(passedOn.map((name) => [name, process.env[name]]));
  const program = spawn(process.execPath, args, {
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...environment, ELECTRON_RUN_AS_NODE: '1', ...memoryOptions },
  });
  return new Promise((resolve, reject) => {
    const lines = createInterface(program.stdout);
    const tooLate = setTimeout(
      () => settle(() => reject(new Error('ETIMEDOUT: it says nothing'))),
      startsWithinMs,
    );
    const settle = (how: () => void): void => {
      clearTimeout(tooLate);
      lines.close();
      program.stdout.destroy();
      program.unref();
      how();
    };
    program.once('error', (error) => settle(() => reject(error)));
    program.once('exit', (code) => {
      // Its last line may still be on the way.
      setTimeout(() => settle(() => reject(new Error(`It ended with code ${String(code)}.`))), 200);
    });
    lines.on('line', (line) => {
      // Not validated: the program is of the same build, so its line is a ProgramStart.
      const start = JSON.parse(line) as ProgramStart;
      if (start.kind === 'waiting') {
        wait.onWaiting();
        return;
      }
      settle(() => {
        if (start.kind === 'failed') reject(revive(start.failure));
        else resolve(start.kind);
      });
    });
  });
}
