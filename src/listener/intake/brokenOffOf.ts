import type { BrokenOff } from '../../model/processes/listenerProtocol.ts';
import { runIdOf } from '../../webhooks/deliveries/runIdOf.ts';
import type { CutBody } from './incomingBody.ts';

/** What is told of a request whose body broke off. @param announced 0 where it was not said how much would come */
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
