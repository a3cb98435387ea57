import * as vscode from 'vscode';
import { replayWordIn } from '../../../model/deliveries/forwardText.ts';
import { t } from '../../../model/text/l10n.ts';
import { type CommandId, commandIds } from '../../ids.ts';
import type { LineIndex } from './lineIndex.ts';

/** Lines from the end of the output that get links. */
const linked = 5000;

/** Makes links of the lines of the output: to the delivery, to its explanation, to its replay. */
export class DeliveryLinks implements vscode.DocumentLinkProvider {
  readonly #lines: LineIndex;

  constructor(lines: LineIndex) {
    this.#lines = lines;
  }

  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    const seen = new Map<string, number>();
    const links: vscode.DocumentLink[] = [];
    for (let at = Math.max(0, document.lineCount - linked); at < document.lineCount; at += 1) {
      const { text } = document.lineAt(at);
      const occurrence = seen.get(text) ?? 0;
      const id = this.#lines.idOf(text, occurrence);
      if (id === undefined) continue;
      seen.set(text, occurrence + 1);
      links.push(...linksOf(text, at, id));
    }
    return links;
  }
}

function linksOf(text: string, line: number, id: string): vscode.DocumentLink[] {
  const link = (start: number, length: number, command: CommandId, tooltip: string): vscode.DocumentLink => {
    const range = new vscode.Range(line, start, line, start + length);
    const target = vscode.Uri.parse(`command:${command}?${encodeURIComponent(JSON.stringify([{ id }]))}`);
    return Object.assign(new vscode.DocumentLink(range, target), { tooltip });
  };
  const open = t('Open the delivery');
  const links = [link(0, '00:00:00.000'.length, commandIds.openDelivery, open)];
  // The columns of deliveryLine: time, mark and verdict, app, run.
  const run = /^\S+ {2}\S (?:\S+ )+ +.{12} {2}(\S+)/.exec(text);
  if (run?.[1] !== undefined && run[1] !== '–') {
    links.push(link(run[0].length - run[1].length, run[1].length, commandIds.openDelivery, open));
  }
  const explain = t('(Explain)');
  const explainAt = text.lastIndexOf(explain);
  if (explainAt !== -1) {
    links.push(link(explainAt, explain.length, commandIds.explainDelivery, t('Why it does not verify')));
  }
  const replay = replayWordIn(text);
  if (replay !== undefined) {
    const again = t('Send it to your app again');
    links.push(link(replay.start, replay.length, commandIds.replayDelivery, again));
  }
  return links;
}
