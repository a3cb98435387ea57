import * as v from 'valibot';
import type { Failure } from '../../shared/rpc/messageSchema.ts';

/** The folder within the storage folder for what a program keeps besides its store, and the control file in it. */
export const programFolder = 'listener';
export const controlFileName = 'control.json';
/** The file in the same folder whose lock the program holds. */
export const lockFileName = 'lock.sqlite';
/** A control file has a few hundred bytes. */
export const mostControlBytes = 64 * 1024;

/** Made on use: an activation takes only names from here, and loads no valibot. */
const schema = () =>
  v.object({
    /** The version of the protocol. */
    protocol: v.number(),
    /** The version of Runhook. */
    version: v.string(),
    /** The path of the socket, or the name of the pipe. */
    socket: v.string(),
    key: v.string(),
    /** The process; absent in the file of an older program. */
    pid: v.exactOptional(v.number()),
    /** Identifies the lock file of the program; absent in the file of an older program. */
    lock: v.exactOptional(v.string()),
  });

/** How to connect to a listener program, for anyone who may read the user's files. */
export type ControlFile = v.InferOutput<ReturnType<typeof schema>>;

/** Undefined if the text is not a control file, for example because it is still being written. */
export function readControlFile(text: string): ControlFile | undefined {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), schema()), text);
  return read.success ? read.output : undefined;
}

/** The outcome of starting a listener program. The program prints each as one line. */
export type ProgramStart =
  /** It is running, and waits for another program to end. */
  | { kind: 'waiting' }
  | { kind: 'ready' }
  /** The folder already has a program. */
  | { kind: 'taken' }
  | { kind: 'failed'; failure: Failure };
