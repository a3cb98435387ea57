import { isLoopback } from '../service/loopback.ts';
import { t } from '../text/l10n.ts';
import { UserError } from '../text/userError.ts';

/** Whether deliveries may go to an address. */
export type Leave = 'given' | 'refused' | 'unanswered';

/** What the user has answered in a workspace: whether deliveries may go there, by address. */
export type DestinationAnswers = Readonly<Record<string, boolean>>;

/** Where arriving deliveries are forwarded to, by the setting `runhook.listener.forwardTo`. */
export type ForwardTarget = { kind: 'off' } | { kind: 'invalid'; text: string } | { kind: Leave; to: string };

/**
 * Where deliveries, kept or made here, may go: to this machine, and where the user's own settings say. Any other address
 * comes from a workspace or from a caller of a command, so the user is asked: what goes there is signed with the user's
 * secret, or is what the user's apps return.
 * @param ofUser the addresses of the user's own settings
 */
export function leaveFor(to: URL, ofUser: readonly string[], answers: DestinationAnswers): Leave {
  if (isLoopback(to.hostname) || ofUser.some((address) => URL.parse(address)?.href === to.href))
    return 'given';
  const answer = answers[to.href];
  // guard: of a trusted one, an address that is not this machine is asked for before anything goes there
  if (answer === undefined) return 'unanswered';
  return answer ? 'given' : 'refused';
}

/** What is said of an address that the user has refused. */
export function refusedError(shown: string): UserError {
  return new UserError(
    t(
      'You refused to have deliveries sent to {0} from this workspace. To allow it, set "runhook.listener.forwardTo" to it in your user settings, or use "Replay Delivery…".',
      shown,
    ),
  );
}
