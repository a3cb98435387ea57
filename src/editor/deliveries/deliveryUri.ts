import * as vscode from 'vscode';
import type { Attempt, Delivery } from '../../model/deliveries/delivery.ts';
import { clockTime } from '../../model/deliveries/deliveryLine.ts';
import { t } from '../../model/text/l10n.ts';
import { schemes } from '../ids.ts';
import { nameOf } from './view/deliveryItem.ts';

/**
 * What a document shows of a delivery: all of it, a draft to edit, its raw body, its side of a comparison, or an
 * answer to it.
 */
export type Part = (typeof parts)[number];

const parts = ['delivery', 'draft', 'body', 'compared', 'answer'] as const;

/** The first folder of all these URIs. The manifest matches it to recognize JSON, and no file on a disk matches. */
const root = 'runhook';

/** The URI of a document of a delivery. The tab shows the last segment; the id keeps two of one second apart. */
export function deliveryUri(delivery: Delivery, part: Exclude<Part, 'answer'>): vscode.Uri {
  const name = nameOf(delivery);
  const titles: Record<typeof part, string> = {
    delivery: name,
    draft: t('Edit {0}', name),
    body: t('Body of {0}', name),
    compared: name,
  };
  return addressOf(delivery, part, titles[part]);
}

function addressOf({ id }: Delivery, part: Part, title: string): vscode.Uri {
  const path = `/${root}/${encodeURIComponent(id)}/${part}/${title.replaceAll('/', '∕')}`;
  return vscode.Uri.from({ scheme: schemes.delivery, path });
}

/** The URI of one side of a comparison. @param first the delivery whose key order the document follows */
export function comparedUri(delivery: Delivery, first: Delivery): vscode.Uri {
  return deliveryUri(delivery, 'compared').with({ query: first.id });
}

/** The URI of the local app's answer to an attempt. */
export function answerUri(delivery: Delivery, { at, status }: Attempt): vscode.Uri {
  const time = clockTime(new Date(at)).slice(0, 8);
  return addressOf(delivery, 'answer', t('Answer {0} {1}', status ?? '–', time)).with({ query: at });
}

/** The delivery and the part that a document shows; undefined for any other document. */
export function shownIn({ scheme, path }: vscode.Uri): { id: string; part: Part } | undefined {
  const [, , id = '', name] = path.split('/');
  const part = parts.find((one) => one === name);
  return scheme === schemes.delivery && part ? { id: decodeURIComponent(id), part } : undefined;
}

/** Whether a document shows this part of the delivery. Ignores the title, which may predate its app name. */
export function shows(uri: vscode.Uri, id: string, part: Part): boolean {
  const shown = shownIn(uri);
  return shown?.id === id && shown.part === part;
}

/** The URI of an open tab that shows this part of a delivery. */
export function openTab(id: string, part: Part): vscode.Uri | undefined {
  const inputs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
  return inputs
    .flatMap((input) => (input instanceof vscode.TabInputText ? input.uri : []))
    .find((uri) => shows(uri, id, part));
}

/** The command argument for a menu of a delivery's document. */
export function argumentOf(uri: vscode.Uri): { id: string } | undefined {
  const shown = shownIn(uri);
  return shown && { id: shown.id };
}
