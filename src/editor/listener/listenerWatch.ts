import { connect } from 'node:net';
import * as vscode from 'vscode';
import { clockTime } from '../../model/deliveryLine.ts';
import { config, onConfigChange } from '../config.ts';
import { settingIds } from '../ids.ts';
import type { Listener } from './listener.ts';
import { machineClock, SleepWatch } from './sleepWatch.ts';

/** How long a connection on this machine may take, in milliseconds. */
const connectMs = 2000;

/**
 * Looks after what a listener depends on while it listens: tells, in a line of the output each, that the local app
 * is not up and that the machine was asleep. Loaded with the first start.
 */
export class ListenerWatch implements vscode.Disposable {
  readonly #listener: Listener;
  readonly #say: (line: string) => void;
  readonly #owned: readonly { dispose(): unknown }[];

  /** @param say writes a line into the output */
  constructor(listener: Listener, say: (line: string) => void) {
    this.#listener = listener;
    this.#say = say;
    this.#owned = [
      new SleepWatch(machineClock, (from, to) => void this.#awake(from, to)),
      onConfigChange([settingIds.listenerForwardTo], () => void this.#lookForApp()),
    ];
    void this.#lookForApp();
  }

  dispose(): void {
    for (const one of this.#owned) one.dispose();
  }

  async #lookForApp(): Promise<void> {
    const url = URL.parse(config.forwardTo());
    if (url === null || (await isUp(url))) return;
    this.#say(
      vscode.l10n.t('Nothing listens on {0} yet: deliveries are kept, and Replay sends them.', url.host),
    );
  }

  async #awake(from: number, to: number): Promise<void> {
    const [since, until] = [clockTime(new Date(from)), clockTime(new Date(to))];
    this.#say(
      vscode.l10n.t(
        'This machine was asleep from {0} to {1}: what was sent meanwhile did not arrive, and the service tries three times at most.',
        since,
        until,
      ),
    );
    const { state } = this.#listener;
    if (state.kind === 'listening' && !(await isUp(new URL(state.url)))) this.#listener.markUnreachable();
  }
}

/** Whether somebody takes connections there. */
function isUp(url: URL): Promise<boolean> {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  return new Promise((resolve) => {
    const socket = connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port, timeout: connectMs });
    const end = (up: boolean): void => {
      socket.destroy();
      resolve(up);
    };
    socket
      .once('connect', () => end(true))
      .once('timeout', () => end(false))
      .once('error', () => end(false));
  });
}
