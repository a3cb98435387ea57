import * as vscode from 'vscode';
import type { Attempt, Delivery } from '../../contract/delivery.ts';
import { attemptStart } from '../../deliveries/keptDelivery.ts';
import { t } from '../../shared/text/l10n.ts';
import { schemes } from '../kit/ids.ts';
import { addresses } from '../kit/documents.ts';
import { nameOf } from './view/deliveryItem.ts';

/**
 * What a document shows of a delivery: all of it, a draft to edit, its raw body, its side of a comparison, or a
 * response to it.
 */
export type Part = (typeof parts)[number];

const parts = ['delivery', 'draft', 'body', 'compared', 'response', 'comparedResponse'] as const;

/** The parts that show a response to the delivery. */
export type AnswerPart = 'response' | 'comparedResponse';

/** What the address of a delivery's document says. */
interface DeliveryDocument {
  /** The id of the delivery. It tells apart two of one second, whose titles are the same. */
  id: string;
  part: Part;
  /** The title of the tab. It may predate the name of the delivery's app. */
  title: string;
  /** For a comparison, the delivery whose key order the document follows; for an answer, the time of the attempt. */
  of?: string;
}

/** The manifest matches the first segment to recognize JSON, and no file on a disk matches. */
export const deliveryAddresses = addresses<DeliveryDocument>(
  schemes.delivery,
  '/runhook/{id}/{part}/{title}?{of}',
);

/** The URI of a document of a delivery. */
export function deliveryUri(delivery: Delivery, part: Exclude<Part, AnswerPart>): vscode.Uri {
  const name = nameOf(delivery);
  const titles = { delivery: name, draft: t('Edit {0}', name), body: t('Body of {0}', name), compared: name };
  return deliveryAddresses.uri({ id: delivery.id, part, title: titles[part] });
}

/** The URI of one side of a comparison. @param first the delivery whose key order the document follows */
export function comparedUri(delivery: Delivery, first: Delivery): vscode.Uri {
  return deliveryUri(delivery, 'compared').with({ query: first.id });
}

/** The URI of the response to an attempt. */
export function answerUri(delivery: Delivery, attempt: Attempt, part: AnswerPart = 'response'): vscode.Uri {
  const { at, status } = attempt;
  // Its attempts are told apart by their times.
  const name = nameOf({ ...delivery, receivedAt: attemptStart(attempt) });
  const title = status === undefined ? t('Handler: {0}', name) : t('Handler {0}: {1}', status, name);
  return deliveryAddresses.uri({ id: delivery.id, part, title, of: at });
}

/** The delivery and the part that a document shows; undefined for any other document. */
export function shownIn(uri: vscode.Uri): { id: string; part: Part; of?: string } | undefined {
  const { id, part, of } = deliveryAddresses.argument(uri) ?? {};
  if (id === undefined || part === undefined || !parts.includes(part)) return undefined;
  return { id, part, ...(of !== undefined && { of }) };
}

/** Whether a document shows this part of the delivery. */
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
