import { runIdIn, runIdNames } from '../../model/runs/runId.ts';

/** The id of the run that a JSON body names. A body without any of the field names is not even decoded. */
export function runIdOf(body: Uint8Array): string | undefined {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return runIdNames.some((name) => bytes.includes(name)) ? runIdIn(bytes.toString('utf8')) : undefined;
}
