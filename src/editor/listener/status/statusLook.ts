import {
  type ListenerState,
  type ListeningState,
  awayText,
  programText,
  type RunningProgram,
} from '../../../deliveries/listenerState.ts';
import { toLookAtText } from '../../../deliveries/toLookAt.ts';
import { t } from '../../../shared/text/l10n.ts';

/** How the status bar shows the listener: an icon and words, the tooltip, and the colour behind them. */
export interface StatusLook {
  text: string;
  tooltip: string;
  background?: 'error' | 'warning';
}

/** How many deliveries there are. */
export interface StatusCounts {
  /** Those that arrived since the listener started. */
  arrived: number;
  /** Those that need a look. */
  toLookAt: number;
}

/**
 * How the status bar shows a state of the listener; undefined if the listener is stopped, which is not shown.
 * @param program the running listener program
 * @param target where deliveries go: `→ localhost:3000`
 */
export function statusLook(
  state: ListenerState,
  counts: StatusCounts,
  program?: RunningProgram,
  target = '',
): StatusLook | undefined {
  switch (state.kind) {
    case 'stopped':
      return undefined;
    case 'starting':
      return {
        text: `$(loading~spin) ${t('Listener')}`,
        tooltip: t('The webhook listener is starting.'),
      };
    case 'failed':
      return {
        text: `$(error) ${t('Listener')}`,
        tooltip: t('{0}\nClick to start the listener again.', state.reason),
        background: 'error',
      };
    case 'listening':
      return listeningLook(state, counts, program, target);
  }
}

function listeningLook(
  state: ListeningState,
  { arrived, toLookAt }: StatusCounts,
  program: RunningProgram | undefined,
  target: string,
): StatusLook {
  const { port, url, publicUrl, problem, relay } = state;
  const away = awayText(state);
  const look = toLookAt === 0 ? '' : ` $(warning) ${toLookAt}`;
  const place = relay === undefined ? `${port}` : t('{0} via relay', port);
  const numbers = `${place}${arrived === 0 ? '' : ` · ${arrived}`}${look}`;
  const reached =
    publicUrl === undefined
      ? t('Webhooks are received on {0}, from this machine only.', url)
      : relay === undefined
        ? t('Webhooks are received on {0}, public as {1}.', url, publicUrl)
        : t('Webhooks are received on {0}, public as {1} via relay.', url, publicUrl);
  const where = [
    reached,
    ...(target === '' ? [] : [target]),
    ...(away === undefined ? [] : [away]),
    ...(program === undefined ? [] : [programText(program)]),
    ...(toLookAt === 0 ? [] : [toLookAtText(toLookAt)]),
  ].join('\n');
  if (problem !== undefined) {
    const why = t('Deliveries cannot be stored, so the listener does not respond to them: {0}', problem);
    return { text: `$(error) ${numbers}`, tooltip: `${where}\n${why}`, background: 'error' };
  }
  if (away !== undefined) {
    return { text: `$(debug-disconnect) ${numbers}`, tooltip: where, background: 'warning' };
  }
  // Nobody reaches this machine through a relay.
  if (relay !== undefined) return { text: `$(globe) ${numbers}`, tooltip: where };
  // guard S78: The status bar shows an open tunnel in the warning colours.
  return publicUrl === undefined
    ? { text: `$(radio-tower) ${numbers}`, tooltip: where }
    : { text: `$(globe) ${numbers}`, tooltip: where, background: 'warning' };
}
