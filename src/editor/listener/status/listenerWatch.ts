import { clockTime } from '../../../shared/text/durationText.ts';
import * as vscode from 'vscode';
import type { ForwardTarget } from '../../../deliveries/destination.ts';
import { unusedRouteText } from '../../../deliveries/routes/routesThatCount.ts';
import { isLoopback } from '../../../shared/http/loopback.ts';
import { t } from '../../../shared/text/l10n.ts';
import { plainText } from '../../../shared/text/plainText.ts';
import { takesConnection } from '../../../suite/run/untilListening.ts';
import type { Log } from '../../kit/log.ts';
import type { Listener } from '../listener.ts';
import { systemClock } from '../../../shared/async/clock.ts';
import { watchSleep } from './sleepWatch.ts';

/** How long connecting on this machine may take, in milliseconds. */
const connectMs = 2000;

/** How many targets of a kind are looked at and told, and how many remarks: there may be one for each of many apps. */
const mostReported = 20;

/**
 * Watches what the listener depends on while it listens. Writes a line to the output if the local app is not up, and
 * if the machine was asleep. Asks whether deliveries may go to the addresses that a workspace sets.
 */
export class ListenerWatch implements vscode.Disposable {
  readonly #listener: Listener;
  readonly #say: (line: string) => void;
  readonly #log: Log;
  readonly #owned: readonly { dispose(): unknown }[];
  /** The targets and ineffective settings as last reported, in JSON. */
  #lastReported = '';
  /** Addresses that the user was already asked about. */
  readonly #askedFor = new Set<string>();

  /** @param say writes a line into the output */
  constructor(listener: Listener, say: (line: string) => void, log: Log) {
    this.#listener = listener;
    this.#say = say;
    this.#log = log;
    this.#owned = [
      watchSleep(systemClock, (from, to) => void this.#reportSleep(from, to)),
      listener.destinations.onDidChange(() => this.#reportTargets()),
    ];
    this.#reportTargets();
  }

  dispose(): void {
    for (const one of this.#owned) one.dispose();
  }

  /** Reports forward targets that the user may not expect, and settings that have no effect. */
  #reportTargets(): void {
    const { forward, unused } = this.#listener.destinations;
    const targets = [forward.rest, ...forward.apps.values()];
    const seen = JSON.stringify([targets, unused]);
    if (seen === this.#lastReported) return;
    this.#lastReported = seen;
    const distinct = new Map(targets.map((target) => [JSON.stringify(target), target]));
    // guard S48: Only a bounded part of the lists of a workspace is read.
    const told = [...Map.groupBy(distinct.values(), ({ kind }) => kind).values()].flatMap((ofKind) =>
      ofKind.slice(0, mostReported),
    );
    for (const target of told) this.#reportTarget(target);
    for (const what of unused.slice(0, mostReported)) this.#say(unusedRouteText(what));
    const overflow = distinct.size - told.length + Math.max(0, unused.length - mostReported);
    if (overflow > 0) this.#say(t('{0} more warnings about forwarding are not shown.', overflow));
  }

  #reportTarget(forward: ForwardTarget): void {
    if (forward.kind === 'off') return;
    if (forward.kind === 'untrusted') {
      this.#say(t('Deliveries are kept but not forwarded: the workspace is not trusted.'));
      return;
    }
    if (forward.kind === 'invalid') {
      this.#say(t('Deliveries are not forwarded: "{0}" is not an http or https address.', forward.text));
      return;
    }
    const to = new URL(forward.to);
    if (forward.kind === 'given') void this.#checkApp(to);
    if (forward.kind === 'refused') {
      this.#say(t('Deliveries are kept but not forwarded to {0}: you did not allow it.', to.host));
    }
    if (forward.kind === 'unanswered') {
      this.#say(t('Deliveries are kept but not forwarded to {0} until you allow it.', to.host));
      this.#ask(to).catch((error: unknown) => this.#log.error(String(error)));
    }
  }

  async #checkApp(to: URL): Promise<void> {
    if (!isLoopback(to.hostname)) {
      this.#say(t('Deliveries are forwarded to {0}, which is not on this machine.', to.host));
    }
    if (await takesConnection(to, AbortSignal.timeout(connectMs))) return;
    this.#say(t('Nothing responds at {0} yet. Until your handler runs, deliveries are only kept.', to.host));
  }

  /** Asks once per address while the listener runs, without blocking. Until the answer, deliveries are kept. */
  async #ask({ href }: URL): Promise<void> {
    if (this.#askedFor.has(href)) return;
    this.#askedFor.add(href);
    const [yes, no] = [t('Forward'), t("Don't Forward")];
    const question = t(
      'This workspace wants deliveries forwarded to an address that is not on this machine: {0}',
      plainText(href, 300),
    );
    const answer = await vscode.window.showWarningMessage(question, yes, no);
    if (answer !== undefined) await this.#listener.destinations.answer(href, answer === yes);
  }

  async #reportSleep(from: number, to: number): Promise<void> {
    const [since, until] = [clockTime(new Date(from)), clockTime(new Date(to))];
    const waits = this.#listener.tunnel.relay !== undefined;
    this.#say(
      waits
        ? t(
            'This machine was asleep from {0} to {1}. What was sent meanwhile waits at the relay.',
            since,
            until,
          )
        : t(
            'This machine was asleep from {0} to {1}. Nothing sent in the meantime arrived, and the service tries three times at most.',
            since,
            until,
          ),
    );
    const { state } = this.#listener;
    if (
      state.kind === 'listening' &&
      !(await takesConnection(new URL(state.url), AbortSignal.timeout(connectMs)))
    )
      this.#listener.markUnreachable();
  }
}
