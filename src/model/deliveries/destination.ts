import { isLoopback } from '../service/loopback.ts';
import { t } from '../text/l10n.ts';
import { UserError } from '../text/userError.ts';
import type { Routing } from '../routes/routes.ts';

/** Whether deliveries may go to an address. */
export type Leave = 'given' | 'refused' | 'unanswered';

/** What the user has answered in a workspace: whether deliveries may go there, by address. */
export type DestinationAnswers = Readonly<Record<string, boolean>>;

/** Where arriving deliveries are forwarded to. */
export type ForwardTarget =
  | { kind: 'off' }
  /** Only the user's own settings count in a workspace that is not trusted, and they say nothing. */
  | { kind: 'untrusted' }
  | { kind: 'invalid'; text: string }
  | { kind: Leave; to: string };

/** The same of each app, by `runhook.listener.routes` and `runhook.listener.forwardTo`. */
export interface ForwardTargets {
  apps: ReadonlyMap<string, ForwardTarget>;
  /** Of all other apps, and of deliveries whose app is not known. */
  rest: ForwardTarget;
}

export function targetOf(appName: string | undefined, { apps, rest }: ForwardTargets): ForwardTarget {
  return (appName === undefined ? undefined : apps.get(appName)) ?? rest;
}

/** What the listener program is told: what the user has not allowed is no address to it. */
export function routingOf({ apps, rest }: ForwardTargets): Routing {
  // guard: every address that anything is forwarded to was given leave
  const allowed = (target: ForwardTarget) => (target.kind === 'given' ? target.to : undefined);
  const forwardTo = allowed(rest);
  return {
    routes: [...apps].map(([appName, target]) => {
      const to = allowed(target);
      return { appName, ...(to !== undefined && { to }) };
    }),
    ...(forwardTo !== undefined && { forwardTo }),
  };
}

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
    { remedies: [{ kind: 'openSettings', ids: ['listener.forwardTo'] }] },
  );
}
