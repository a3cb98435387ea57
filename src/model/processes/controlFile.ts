import * as v from 'valibot';

/** The folder, within the storage folder, of all that a program keeps beside its store, and its files in there. */
export const programFolder = 'listener';
export const controlFileName = 'control.json';

const schema = v.object({
  /** The version of the protocol. */
  protocol: v.number(),
  /** The version of Runhook. */
  version: v.string(),
  /** The path of the socket, or the name of the pipe. */
  socket: v.string(),
  key: v.string(),
});

/** The way to a listener program, for those who may read the user's files. */
export type ControlFile = v.InferOutput<typeof schema>;

const textSchema = v.pipe(v.string(), v.parseJson(), schema);

/** Undefined where the text is none, such as one that is being written. */
export function readControlFile(text: string): ControlFile | undefined {
  const read = v.safeParse(textSchema, text);
  return read.success ? read.output : undefined;
}
