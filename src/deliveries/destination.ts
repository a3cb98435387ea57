import { isLoopback } from '../shared/http/loopback.ts';
import { t } from '../shared/text/l10n.ts';
import { UserError } from '../shared/text/userError.ts';
import type { Routing } from './routes/routes.ts';

/** Whether deliveries may go to an address. */
export type Permission = 'given' | 'refused' | 'unanswered';

/** The user's answers in a workspace: whether deliveries may go to an address, by address. */
export type DestinationAnswers = Readonly<Record<string, boolean>>;

/** Where arriving deliveries are forwarded to. */
export type ForwardTarget =
  | { kind: 'off' }
  /** The workspace is not trusted, so only the user's own settings count, and they set no address. */
  | { kind: 'untrusted' }
  | { kind: 'invalid'; text: string }
  | { kind: Permission; to: string };

/** The forward target of each app, from `runhook.listener.routes` and `runhook.listener.forwardTo`. */
export interface ForwardTargets {
  apps: ReadonlyMap<string, ForwardTarget>;
  /** For all other apps, and for deliveries whose app is not known. */
  rest: ForwardTarget;
}

export function targetOf(appName: string | undefined, { apps, rest }: ForwardTargets): ForwardTarget {
  return (appName === undefined ? undefined : apps.get(appName)) ?? rest;
}

/** The routing for the listener program. It leaves out every address that deliveries may not go to (yet). */
export function routingOf({ apps, rest }: ForwardTargets): Routing {
  // guard S58: Only addresses that were allowed are forwarded to.
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
 * Whether deliveries, kept or made here, may go to an address. This machine and the addresses in the user's own
 * settings are allowed. Any other address comes from a workspace or from the caller of a command, so the user is
 * asked: the deliveries are signed with the user's secret, or contain what the user's apps return.
 * @param ofUser the addresses of the user's own settings, in the normal form of a URL
 */
export function permissionFor(to: URL, ofUser: ReadonlySet<string>, answers: DestinationAnswers): Permission {
  if (isLoopback(to.hostname) || ofUser.has(to.href)) return 'given';
  const answer = answers[to.href];
  // guard S58: In a trusted workspace, the user is asked before anything goes to another machine.
  if (answer === undefined) return 'unanswered';
  return answer ? 'given' : 'refused';
}

/** The error for an address that the user has refused. */
export function refusedError(shown: string): UserError {
  return new UserError(
    t(
      'You did not allow this workspace to send deliveries to {0}. To allow it, set "runhook.listener.forwardTo" to this address in your user settings, or use "Replay…".',
      shown,
    ),
    { remedies: [{ kind: 'openSettings', ids: ['listener.forwardTo'] }] },
  );
}
