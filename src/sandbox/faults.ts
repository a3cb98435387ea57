import type { IncomingMessage } from 'node:http';
import { isSandboxFault, type SandboxFault, sandboxFaults } from '../model/sandboxFault.ts';
import { Refusal } from './refusal.ts';

/** The header of a call that asks for faults: their names, separated by commas, or `none`. */
export const faultHeader = 'x-sandbox-fault';

/** What a call asks for, in the place of the faults that are switched on for all. @throws Refusal 400 */
export function faultsOf(
  request: IncomingMessage,
  switchedOn: ReadonlySet<SandboxFault>,
): ReadonlySet<SandboxFault> {
  const header = request.headers[faultHeader];
  if (header === undefined) return switchedOn;
  const names = [header]
    .flat()
    .join(',')
    .split(',')
    .map((name) => name.trim().toLowerCase());
  const faults = new Set<SandboxFault>();
  for (const name of names) {
    if (isSandboxFault(name)) faults.add(name);
    else if (name !== 'none') {
      throw new Refusal(400, `There is no fault "${name}". Choose of ${sandboxFaults.join(', ')}, or none.`);
    }
  }
  return faults;
}
