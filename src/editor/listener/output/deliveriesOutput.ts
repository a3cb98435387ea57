import { clockTime } from '../../../shared/text/durationText.ts';
import * as vscode from 'vscode';
import { lossesText } from '../../../deliveries/relayProtocol.ts';
import { listenerLines, type ListenerState } from '../../../deliveries/listenerState.ts';
import { t } from '../../../shared/text/l10n.ts';
import { deliveriesLanguageId } from '../../kit/ids.ts';
import type { Listener } from '../listener.ts';
import type { DeliveryLinks } from './deliveryLinks.ts';
import { DeliveryLines, type OutputLine } from './deliveryLines.ts';

/** The output channel *Runhook Deliveries*: one line per delivery. */
export class DeliveriesOutput implements vscode.Disposable {
  readonly #channel = vscode.window.createOutputChannel('Runhook Deliveries', deliveriesLanguageId);
  readonly #links: DeliveryLinks;
  readonly #lines: DeliveryLines;
  readonly #owned: vscode.Disposable;
  #told: ListenerState | undefined;

  constructor(listener: Listener, links: DeliveryLinks) {
    this.#links = links;
    this.#lines = new DeliveryLines(listener, (lines) => this.#write(lines));
    this.#owned = vscode.Disposable.from(
      this.#lines,
      this.#channel,
      listener.onDidMiss((count) => {
        this.#lines.add(
          count === 1
            ? t('A delivery arrived while no window was open.')
            : t('{0} deliveries arrived while no window was open.', count),
        );
      }),
      listener.onDidLoseAtRelay((losses) => this.say(lossesText(losses))),
      listener.onDidChangeState(() => this.#tellState(listener)),
      listener.tunnel.onDidEndOpening(() => this.#tellState(listener)),
    );
  }

  show(): void {
    this.#lines.flush();
    this.#channel.show(true);
  }

  /** Writes a line that is not about a delivery. */
  say(line: string): void {
    this.#lines.add(`${clockTime(new Date())}  ${line}`);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #tellState({ state, tunnel }: Listener): void {
    if (tunnel.isBeingOpened) return;
    // Of one that did not start, nothing has been said.
    if (this.#told === undefined && state.kind === 'stopped') return;
    for (const line of listenerLines(state, this.#told)) this.#lines.add(line);
    this.#told = state;
  }

  #write(lines: readonly OutputLine[]): void {
    for (const { text, of } of lines) if (of !== undefined) this.#links.add(text, of);
    this.#channel.append(lines.map(({ text }) => `${text}\n`).join(''));
  }
}
