import type { PayloadVariable } from './payloads/payload.ts';
import type { RunInput } from '../../model/runs/run.ts';

/** A call as the question before it shows it, which somebody else may have written. */
export interface ShownCall {
  /** The file or document that holds the call. */
  source: string | undefined;
  /** The origin of the service. */
  origin: string;
  /** The call as it is written: variables stand in it, not their values, which the user gives or owns. */
  written: RunInput;
  /** The environment variables that it reads. */
  reads: readonly PayloadVariable[];
}

/**
 * The key of what a user agrees to: each part of the call but its body, so that another one is asked for again. No two
 * calls that differ in one of these have the same key.
 */
export function agreementOf({ source, origin, written, reads }: ShownCall): string {
  const { projectId, appName, method, path, query = {}, headers, webhook, signing = null } = written;
  const byName = (one: readonly unknown[], other: readonly unknown[]) =>
    JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
  // guard S53: A run is asked for again if any part of the call but the body has changed.
  return JSON.stringify([
    source ?? null,
    method.toUpperCase(),
    [origin, projectId, appName, path, Object.entries(query)],
    Object.entries(headers).sort(byName),
    [webhook, signing],
    reads.map(({ name, place }) => [name, place]).sort(byName),
  ]);
}
