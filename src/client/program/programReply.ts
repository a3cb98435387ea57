import { t } from '../../model/text/l10n.ts';
import { UserError } from '../../model/text/userError.ts';

/** How long the listener program may take for a reply, in seconds: on a busy machine it takes several. */
const mostSeconds = 30;

/**
 * The reply of the listener program to a request that takes it no time.
 * @param pid the process of the program, if known
 * @throws UserError if there is none for so long. The program may still be at work, so it is left alone
 */
export function programReply<T>(
  reply: Promise<T>,
  pid: number | undefined,
  seconds = mostSeconds,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let left = seconds;
    // Second by second: time in which this process stands still as well does not count.
    const timer = setInterval(() => {
      left -= 1;
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
      ? t('The listener program does not answer.')
      : t('The listener program (process {0}) does not answer.', pid);
  const next = t('It may be busy, or have been stopped: try again, or end it. What it has kept stays.');
  return new UserError(`${brief} ${next}`, {
    ...options,
    brief,
    remedies: [{ kind: 'tryAgain' }, { kind: 'showLog' }],
  });
}
