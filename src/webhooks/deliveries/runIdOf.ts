import { runIdIn, runIdNames } from '../../model/runs/runId.ts';

/** The run that a body names, where it is JSON. One without any of the names is not even decoded. */
export function runIdOf(body: Uint8Array): string | undefined {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return runIdNames.some((name) => bytes.includes(name)) ? runIdIn(bytes.toString('utf8')) : undefined;
}
