import { t } from '../text/l10n.ts';
import { plainText } from '../text/plainText.ts';
import { UserError } from '../text/userError.ts';

/** The environment, and what must not be read from it. */
export interface EnvironmentParts {
  environment: Readonly<Record<string, unknown>>;
  /** The variables that Runhook sets in terminals, besides those that begin with its name. */
  handedOut: readonly string[];
  /** Every token and webhook secret that Runhook holds. */
  held: readonly string[];
}

/** A shorter secret, in characters, may be an everyday word that a value contains by chance. */
const shortest = 4;

/**
 * Reads an environment variable for a payload.
 * @throws UserError if it is not set, is one of Runhook's own, or contains a token or secret that Runhook holds
 */
export function readEnvironment(name: string, { environment, handedOut, held }: EnvironmentParts): string {
  const shown = plainText(`\${env:${name}}`);
  const isOurs = /^runhook_/i.test(name) || handedOut.some((one) => isSameName(one, name));
  const value = environment[name];
  // guard S55: No token and no secret of Runhook is read, under whatever name.
  if (isOurs || (typeof value === 'string' && holds(value, held))) {
    throw new UserError(t('{0} is not read: a payload gets no token and no secret of Runhook.', shown));
  }
  // Inherited members, such as `toString`, are not variables.
  if (typeof value !== 'string') {
    throw new UserError(t('{0} is not set in the environment that the editor was started with.', shown));
  }
  return value;
}

function holds(value: string, held: readonly string[]): boolean {
  return held.some((one) => one.length >= shortest && value.includes(one));
}

/** Ignores case, as some systems do. */
function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
