import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createMessageConnection, SocketMessageReader, SocketMessageWriter } from 'vscode-jsonrpc/node';
import type { Handlers } from '../../model/processes/channel.ts';
import {
  type ControlFile,
  controlFileName,
  programFolder,
  readControlFile,
} from '../../model/processes/controlFile.ts';
import {
  type Hello,
  type ProgramCalls,
  protocolVersion,
  type Welcome,
  type WindowCalls,
} from '../../model/processes/listenerProtocol.ts';
import { Peer } from '../../model/processes/peer.ts';
import { t } from '../../model/text/l10n.ts';
import { UserError } from '../../model/text/userError.ts';
import { startProgram } from './startProgram.ts';

/** How long it is tried to get to a program, and how long to wait between two tries. Milliseconds. */
const triesForMs = 15_000;
const triesEveryMs = 20;
/** How long a program waits for one of another version to end, in milliseconds. */
const handOverMs = 10_000;

/** A window's side of a connection to the listener program. */
export type ProgramPeer = Peer<ProgramCalls, WindowCalls>;

export interface AttachOptions {
  /** The bundle of the command line. */
  entry: string;
  /** The storage folder, which has one program. */
  folder: string;
  version: string;
  /** Whether a program of another version has to make room. Else it is taken as it is, where it speaks the same. */
  replaces: boolean;
  /** Whether a program is started where there is none; it is unless this is false. */
  starts?: boolean;
  hello: () => Promise<Omit<Hello, 'key'>>;
  handlers: Handlers<WindowCalls>;
}

export interface Attached {
  peer: ProgramPeer;
  welcome: Welcome;
  /** The port that a program of another version has handed over, to listen there at once. */
  handedOver: number | undefined;
}

/**
 * Attaches to the listener program of a folder, and starts it where there is none.
 * @throws UserError where another version runs it, Error where it cannot be started or reached
 */
export async function attachProgram(options: AttachOptions): Promise<Attached> {
  const { entry, folder, version, replaces } = options;
  const until = performance.now() + triesForMs;
  let handedOver: number | undefined;
  let mayReplace = replaces;
  let failure: unknown = new Error('ETIMEDOUT: the listener program cannot be reached');
  while (performance.now() < until) {
    const control = controlFileIn(folder);
    if (control === undefined && options.starts === false) throw failure;
    const fits = control?.protocol === protocolVersion && (control.version === version || !mayReplace);
    try {
      if (control === undefined) {
        await startProgram(entry, folder);
      } else if (fits) {
        return { ...(await present(control, options)), handedOver };
      } else if (!mayReplace) {
        throw new UserError(
          t('Version {0} of Runhook runs the listener. Reload this window.', control.version),
          { remedies: [{ kind: 'reloadWindow' }] },
        );
      } else {
        // Whatever is there then has to do: two versions must not drive each other out.
        mayReplace = false;
        handedOver = (await replace(control, options)) ?? handedOver;
      }
      continue;
    } catch (error) {
      failure = error;
      if (!isUnreachable(error) || options.starts === false) throw error;
    }
    // Whoever wrote the file has gone, or goes: the lock of the folder says whether there is another.
    if ((await startProgram(entry, folder)) === 'taken') await pause(triesEveryMs);
  }
  throw failure;
}

async function present(
  control: ControlFile,
  { hello, handlers }: AttachOptions,
): Promise<{ peer: ProgramPeer; welcome: Welcome }> {
  const said = await hello();
  const peer = await reach(control, handlers);
  try {
    return { peer, welcome: await peer.request('hello', { ...said, key: control.key }) };
  } catch (error) {
    peer.close();
    throw error;
  }
}

/** Has a program of another version end, and one of this version take its place. Gives the port that it had. */
function replace(control: ControlFile, options: AttachOptions): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    // It starts up while the other still listens.
    const onWaiting = (): void => {
      Promise.all([handOver(control, options), successor]).then(([port]) => resolve(port), reject);
    };
    const successor = startProgram(options.entry, options.folder, { ms: handOverMs, onWaiting });
    successor.catch(reject);
  });
}

/** Connects only now: whoever says nothing for some seconds is shut out, and a start may take longer. */
async function handOver(control: ControlFile, { handlers }: AttachOptions): Promise<number | undefined> {
  const old = await reach(control, handlers);
  try {
    return (await old.request('handOver', { key: control.key })).port;
  } finally {
    old.close();
  }
}

async function reach(control: ControlFile, handlers: Handlers<WindowCalls>): Promise<ProgramPeer> {
  const socket = connect(control.socket);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject);
  });
  socket.on('error', () => socket.destroy());
  const reader = new SocketMessageReader(socket);
  // A message that is broken off must leave no timer behind.
  reader.partialMessageTimeout = 0;
  const connection = createMessageConnection(reader, new SocketMessageWriter(socket));
  return new Peer<ProgramCalls, WindowCalls>(connection, handlers);
}

function controlFileIn(folder: string): ControlFile | undefined {
  try {
    return readControlFile(readFileSync(join(folder, programFolder, controlFileName), 'utf8'));
  } catch {
    // There is none, or it is out of reach: starting a program says which.
    return undefined;
  }
}

function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'ConnectionEndedError') return true;
  const code = 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ECONNRESET' || code === 'EPIPE';
}
