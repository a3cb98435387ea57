import { addressOfApp } from '../service/runs/appAddress.ts';
import type { Run } from '../service/runs/run.ts';
import { isLoopback } from '../shared/http/loopback.ts';
import { t } from '../shared/text/l10n.ts';
import { sentences } from '../shared/text/sentences.ts';
import { UserError } from '../shared/text/userError.ts';

/** The running listener program. */
export interface RunningProgram {
  pid: number;
  /** How long it keeps running after the last window has closed, in seconds. */
  staysSeconds: number;
}

/** Where a running listener can be reached. */
export interface Listening {
  port: number;
  url: string;
  publicUrl?: string;
}

export interface ListeningState extends Listening {
  kind: 'listening';
  /** Why deliveries currently cannot be stored, and so get no answer. */
  problem?: string;
  /** The public URL is that of a relay; `problem` says why that cannot be reached at the moment. */
  relay?: { problem?: string };
  /** Why the program of the tunnel ended: it is being started again. */
  tunnelProblem?: string;
}

/** How strangers reach the listener, as far as they do. */
export type Reach = { [Key in 'publicUrl' | 'relay' | 'tunnelProblem']?: ListeningState[Key] | undefined };

/** The state of the listener. */
export type ListenerState =
  | { kind: 'stopped' }
  /** `reason` says why it has to be restarted. */
  | { kind: 'starting'; reason?: string }
  | ListeningState
  | { kind: 'failed'; reason: string };

/** @param reach how strangers reach it: `ListenerTunnel` has it */
export function listeningState(
  port: number,
  problem?: string,
  { publicUrl, relay, tunnelProblem }: Reach = {},
): ListeningState {
  return {
    kind: 'listening',
    port,
    url: `http://127.0.0.1:${port}/`,
    ...(publicUrl && { publicUrl }),
    ...(problem && { problem }),
    ...(relay && { relay }),
    ...(tunnelProblem && { tunnelProblem }),
  };
}

/** The part of the state that the contract exposes (design: section 4). */
export function whereItListens({ port, url, publicUrl }: ListeningState): Listening {
  return { port, url, ...(publicUrl !== undefined && { publicUrl }) };
}

/** Where a service on that host sends the webhooks of an app's runs; undefined if it cannot reach the listener. */
export function endpointFor(
  hostname: string,
  appName: string,
  listening: Pick<Listening, 'url' | 'publicUrl'>,
): string | undefined {
  const endpoint = isLoopback(hostname) ? listening.url : listening.publicUrl;
  return endpoint && addressOfApp(endpoint, appName);
}

/** Like `endpointFor`. @throws UserError if the service cannot reach the listener */
export function reachableEndpoint(
  hostname: string,
  appName: string,
  listening: Pick<Listening, 'url' | 'publicUrl'>,
): string {
  const endpoint = endpointFor(hostname, appName, listening);
  if (endpoint !== undefined) return endpoint;
  throw new UserError(
    t('The service cannot reach {0}. Open a tunnel, or set "runhook.listener.publicUrl".', listening.url),
    {
      brief: t('The service cannot reach this machine.'),
      remedies: [
        ...([{ kind: 'deliverHere' }, { kind: 'openTunnel' }] as const),
        ...([{ kind: 'setPublicUrl' }, { kind: 'runWithoutWebhook' }] as const),
      ],
    },
  );
}

/** Describes the program in a sentence. */
export function programText({ pid, staysSeconds }: RunningProgram): string {
  return staysSeconds === 0
    ? t('Process {0}; stops with the last window.', pid)
    : t('Process {0}; keeps running for {1} seconds after the last window.', pid, staysSeconds);
}

/** What to say while the relay or the tunnel lets nothing through; undefined if there is none, or it does. */
export function awayText({ relay, tunnelProblem }: ListeningState): string | undefined {
  if (relay?.problem !== undefined) {
    return sentences(
      t('The relay is not available: {0}', relay.problem),
      t('Runhook keeps trying; deliveries that the relay has accepted wait there.'),
    );
  }
  return tunnelProblem === undefined
    ? undefined
    : sentences(
        t('The tunnel broke off: {0}', tunnelProblem),
        t('Runhook opens it again. Its address may change.'),
      );
}

/**
 * Why the delivery of a run does not reach the listener at the moment, where there is little room; undefined if it does, or
 * goes elsewhere.
 * @param addresses where it goes
 */
export function awayFrom(
  { input }: Pick<Run, 'input'>,
  addresses: readonly string[],
  state: ListenerState,
): string | undefined {
  if (state.kind !== 'listening' || input.webhook !== true) return undefined;
  const leadTo = (place = ''): boolean => {
    const origin = URL.parse(place)?.origin;
    return addresses.every((address) => URL.parse(address)?.origin === origin);
  };
  if (leadTo(state.url)) return undefined;
  if (state.relay?.problem !== undefined) return t('the relay is not available');
  if (state.tunnelProblem !== undefined) return t('the tunnel broke off');
  return leadTo(state.publicUrl) ? undefined : t('the address of the run is gone');
}

/**
 * The lines that an output shows when the state has changed: what is new.
 * @param before the state of which the lines are there already
 */
export function listenerLines(state: ListenerState, before?: ListenerState): string[] {
  const told = before === undefined ? [] : linesOf(before);
  const lines = linesOf(state).filter((line) => !told.includes(line));
  if (state.kind !== 'listening' || before?.kind !== 'listening') return lines;
  const isBack = before.relay?.problem !== undefined && state.relay?.problem === undefined;
  const isStored = before.problem !== undefined && state.problem === undefined;
  return [
    ...lines,
    ...(isBack && state.relay !== undefined ? [t('The relay can be reached again.')] : []),
    ...(isStored ? [t('Deliveries can be stored again.')] : []),
  ];
}

function linesOf(state: ListenerState): string[] {
  switch (state.kind) {
    case 'listening': {
      const away = awayText(state);
      return [
        ...(state.tunnelProblem === undefined ? [reachedText(state)] : []),
        ...(away === undefined ? [] : [`✗ ${away}`]),
        ...(state.problem === undefined
          ? []
          : [
              `✗ ${t('Deliveries cannot be stored, so the listener does not respond to them: {0}', state.problem)}`,
            ]),
      ];
    }
    case 'stopped':
      return [t('The listener has stopped.')];
    case 'failed':
      return [`✗ ${state.reason}`];
    case 'starting':
      return state.reason === undefined ? [] : [state.reason];
  }
}

function reachedText({ url, publicUrl, relay }: ListeningState): string {
  if (publicUrl === undefined) {
    return t(
      'Runhook listens on {0} (this machine only). To let the service reach it, run "Runhook: Open Tunnel" or set a public URL.',
      url,
    );
  }
  return relay === undefined
    ? t('Runhook listens on {0}, public as {1}.', url, publicUrl)
    : t('Runhook listens on {0}, public as {1} via relay.', url, publicUrl);
}
