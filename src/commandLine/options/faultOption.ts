import { isSandboxFault, type SandboxFault } from '../../model/service/sandboxFault.ts';
import { UsageError } from './readArguments.ts';

/** Faults that need a signature to spoil. */
const ofSignature: readonly SandboxFault[] = [
  'bad-signature',
  'stale-timestamp',
  'missing-header',
  'body-changed',
];

/** The faults that `send` supports. It sends one webhook, so faults of answers, or of two webhooks, are left out. */
export const sentFaults: readonly SandboxFault[] = [...ofSignature, 'repeat', 'slow', 'hang'];

/**
 * The fault of that name, as a set.
 * @param isSigned whether the webhook is signed anew
 * @throws UsageError if there is no such fault, or it needs a signature and there is none
 */
export function readFault(name: string | undefined, isSigned: boolean): ReadonlySet<SandboxFault> {
  if (name === undefined) return new Set();
  if (!isSandboxFault(name) || !sentFaults.includes(name)) {
    throw new UsageError(`The fault is none of ${sentFaults.join(', ')}.`);
  }
  if (ofSignature.includes(name) && !isSigned) {
    throw new UsageError(
      `The fault ${name} needs the secret that signs the webhook: --secret-env or --secret-file.`,
    );
  }
  return new Set([name]);
}
