import type { ProgramCalls } from '../../deliveries/listenerProtocol.ts';
import type { Remote } from '../../shared/rpc/rpc.ts';
import { t } from '../../shared/text/l10n.ts';
import { sentences } from '../../shared/text/sentences.ts';
import { UserError } from '../../shared/text/userError.ts';

/** How long the listener program may answer nothing, in seconds: on a busy machine it takes several. */
const mostSeconds = 30;

/**
 * Asks the listener program. The reply may take as long as it needs, for example while an app sits at a breakpoint,
 * but the program itself must go on: halfway through the limit it is sent a ping, whose reply starts the limit anew.
 * @param pid the process of the program, if known
 * @throws UserError if the program answers nothing for so long
 */
export function askProgram<T>(
  program: Remote<ProgramCalls>,
  ask: (program: Remote<ProgramCalls>) => Promise<T>,
  pid: number | undefined,
  seconds = mostSeconds,
): Promise<T> {
  return programReply(ask(program), pid, seconds, () => program.ping());
}

/**
 * The reply of the listener program.
 * @param ping asks the program for a sign of life; without it, the reply itself must come within the limit
 * @throws UserError if there is none for so long. The program may still be at work, so it is left alone
 */
export function programReply<T>(
  reply: Promise<T>,
  pid: number | undefined,
  seconds = mostSeconds,
  ping?: () => Promise<unknown>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let left = seconds;
    const startAnew = (): void => {
      left = seconds;
    };
    // Second by second: time in which this process stands still as well does not count.
    const timer = setInterval(() => {
      left -= 1;
      // A program of another version does not know the ping, and says so, which is a sign of life too.
      if (left === Math.ceil(seconds / 2)) ping?.().then(startAnew, startAnew);
      if (left > 0) return;
      clearInterval(timer);
      reject(noReply(pid));
    }, 1000);
    void reply.then(resolve, reject).finally(() => clearInterval(timer));
  });
}

/** The error for a listener program that does not answer. */
export function noReply(pid: number | undefined, options: ErrorOptions = {}): UserError {
  const brief =
    pid === undefined
      ? t('The listener program does not respond.')
      : t('The listener program (process {0}) does not respond.', pid);
  const next = t('It may be busy or suspended: try again, or end the process. Deliveries it has kept stay.');
  return new UserError(sentences(brief, next), {
    ...options,
    brief,
    remedies: [{ kind: 'tryAgain' }, { kind: 'showLog' }],
  });
}
