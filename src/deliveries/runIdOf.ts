import { mostBodyBytes } from './listenerProtocol.ts';
import { runIdIn, runIdNames } from '../service/runs/runId.ts';

/**
 * The id of the run that a JSON body names. A body without any of the field names is not even decoded, nor is one that
 * no listener takes: its text might not fit into a string.
 */
export function runIdOf(body: Uint8Array): string | undefined {
  if (body.byteLength > mostBodyBytes) return undefined;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return runIdNames.some((name) => bytes.includes(name)) ? runIdIn(bytes.toString('utf8')) : undefined;
}
