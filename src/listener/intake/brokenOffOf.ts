import type { BrokenOff } from '../../model/processes/listenerProtocol.ts';
import { runIdOf } from '../../webhooks/deliveries/runIdOf.ts';
import type { CutBody } from './incomingBody.ts';

/** The report of a request whose body was cut off. @param announced the Content-Length; 0 if there was none */
export function brokenOffOf(
  { length, beginning, wasLate }: CutBody,
  announced: number,
  now: number,
): BrokenOff {
  const runId = runIdOf(beginning);
  return {
    at: new Date(now).toISOString(),
    bytes: length,
    ...(announced > 0 && { announced }),
    ...(wasLate && { wasLate }),
    ...(runId !== undefined && { runId }),
  };
}
