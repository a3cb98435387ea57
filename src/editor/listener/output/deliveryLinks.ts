import * as vscode from 'vscode';
import { type CommandId, commandIds } from '../../../contract/commands.ts';
import type { LineTarget } from '../../../deliveries/forwardText.ts';
import { t } from '../../../shared/text/l10n.ts';
import type { LinkedText } from '../../../shared/text/linkedText.ts';
import { clicked } from '../../kit/commands.ts';

/** How many lines at the end of the output get links. */
const maxLinkedLines = 5000;
/** How many lines are remembered: those that a user may still scroll to. */
const maxKnownLines = 10_000;

/** The delivery or run that a line is about, and which parts of the text are links. */
interface KnownLine extends Pick<LinkedText<LineTarget>, 'links'> {
  id: string;
}

/** Adds links to the lines of the output: to the delivery, its explanation and its replay. */
export class DeliveryLinks implements vscode.DocumentLinkProvider {
  /** Lines by text. Lines with the same text are in order of arrival. */
  readonly #lines = new Map<string, KnownLine[]>();
  #count = 0;

  add(text: string, line: KnownLine): void {
    const same = this.#lines.get(text);
    if (same === undefined) this.#lines.set(text, [line]);
    else same.push(line);
    this.#count += 1;
    const [oldest] = this.#lines;
    if (this.#count <= maxKnownLines || oldest === undefined) return;
    this.#lines.delete(oldest[0]);
    this.#count -= oldest[1].length;
  }

  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    const seen = new Map<string, number>();
    const links: vscode.DocumentLink[] = [];
    for (let at = Math.max(0, document.lineCount - maxLinkedLines); at < document.lineCount; at += 1) {
      const { text } = document.lineAt(at);
      const occurrence = seen.get(text) ?? 0;
      const line = this.#lines.get(text)?.at(occurrence);
      if (line === undefined) continue;
      seen.set(text, occurrence + 1);
      links.push(...linksOf(line, at));
    }
    return links;
  }
}

function linksOf({ id, links }: KnownLine, line: number): vscode.DocumentLink[] {
  return links.map(({ to, start, length }) => {
    const { command, tooltip } = targetOf(to);
    const range = new vscode.Range(line, start, line, start + length);
    // A click on the time of a line, or on its verb, says all: it asks for no way to replay.
    const given = encodeURIComponent(JSON.stringify(clicked({ id }, true)));
    const target = vscode.Uri.parse(`command:${command}?${given}`);
    return Object.assign(new vscode.DocumentLink(range, target), { tooltip });
  });
}

function targetOf(to: LineTarget): { command: CommandId; tooltip: string } {
  switch (to) {
    case 'delivery':
      return { command: commandIds.openDelivery, tooltip: t('Open the delivery') };
    case 'explanation':
      return { command: commandIds.explainDelivery, tooltip: t('Why it does not verify') };
    case 'replay':
      return { command: commandIds.replayDelivery, tooltip: t('Send it to your handler again') };
    case 'run':
      return { command: commandIds.openRunAnswer, tooltip: t('Open the run') };
  }
}
