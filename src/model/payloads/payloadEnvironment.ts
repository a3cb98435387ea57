import { t } from '../text/l10n.ts';
import { plainText } from '../text/plainText.ts';
import { UserError } from '../text/userError.ts';

/** Where a variable of the environment is read. */
export interface EnvironmentParts {
  environment: Readonly<Record<string, unknown>>;
  /** The variables that Runhook gives to terminals, besides those that begin with its name. */
  handedOut: readonly string[];
  /** Every token and webhook secret that it holds. */
  held: readonly string[];
}

/** A shorter value may be a word of every day that is a secret by chance. */
const shortest = 4;

/**
 * A variable of the environment, for a payload.
 * @throws UserError where it is not set, or holds what Runhook keeps secret
 */
export function readEnvironment(name: string, { environment, handedOut, held }: EnvironmentParts): string {
  const shown = plainText(`\${env:${name}}`);
  const isOurs = /^runhook_/i.test(name) || handedOut.some((one) => isSame(one, name));
  const value = environment[name];
  // guard: no token and no secret of Runhook, under whatever name
  if (isOurs || (typeof value === 'string' && holds(value, held))) {
    throw new UserError(t('{0} is not read: a payload gets no token and no secret of Runhook.', shown));
  }
  // What every object has is no variable.
  if (typeof value !== 'string') {
    throw new UserError(t('{0} is not set in the environment that the editor was started with.', shown));
  }
  return value;
}

function holds(value: string, held: readonly string[]): boolean {
  return held.some((one) => one.length >= shortest && value.includes(one));
}

/** Some systems do not tell capitals apart. */
function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
