import { isSandboxFault, type SandboxFault } from '../../model/service/sandboxFault.ts';
import { UsageError } from './readArguments.ts';

/** Faults that need a signature to spoil. */
const ofSignature: readonly SandboxFault[] = [
  'bad-signature',
  'stale-timestamp',
  'missing-header',
  'body-changed',
];

/** What `send` can do to the one webhook that it sends: what befalls answers, or takes two webhooks, is left out. */
export const sentFaults: readonly SandboxFault[] = [...ofSignature, 'repeat', 'slow', 'hang'];

/**
 * The fault of that name.
 * @param isSigned whether the webhook is signed anew
 * @throws UsageError where there is none, or it has nothing to spoil
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
