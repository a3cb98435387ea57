import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { DeliveryEdit } from '../contract/deliveryEdit.ts';
import { endToEndHeaders, headerPairs } from '../shared/http/endToEndHeaders.ts';
import { t } from '../shared/text/l10n.ts';
import { plainText } from '../shared/text/plainText.ts';
import { UserError } from '../shared/text/userError.ts';
import type { KeptDelivery } from './keptDelivery.ts';
import { madeAnew } from './sendRequest.ts';

/** The most that header names and values may take together, in bytes: Node's own limit for requests that arrive. */
const mostHeaderBytes = 16 * 1024;

type Request = Pick<KeptDelivery, 'method' | 'rawHeaders' | 'body'>;

/**
 * Applies an edit to a kept delivery. Headers that belong to one connection are never taken from an edit: they are
 * made anew when the delivery is sent.
 * @param mostBytes the largest body allowed
 * @throws UserError if a header cannot be sent, or the body or the headers are too long
 */
export function editedDelivery(kept: Request, edit: DeliveryEdit, mostBytes: number): Request {
  const { method } = kept;
  const body = edit.body === undefined ? kept.body : Buffer.from(edit.body, edit.bodyEncoding ?? 'utf8');
  // guard S118: An edited delivery has the bounds of an arriving one.
  if (body.length > mostBytes) {
    throw new UserError(
      t('The body has {0} bytes. A delivery may have at most {1}.', body.length, mostBytes),
    );
  }
  const rawHeaders = editedHeaders(kept.rawHeaders, edit.headers ?? {});
  if (edit.headers !== undefined && rawHeaders.join('').length > mostHeaderBytes) {
    throw new UserError(t('All headers together may have {0} bytes.', mostHeaderBytes));
  }
  return { method, rawHeaders, body };
}

/** Why a header cannot be sent; undefined if it can. */
export function headerProblem(name: string, value: string): string | undefined {
  const shown = plainText(name, 60);
  try {
    validateHeaderName(name);
  } catch {
    return t('"{0}" is not a header name: use letters, digits and hyphens.', shown);
  }
  try {
    // A line feed in a value would begin another header.
    validateHeaderValue(name, value);
  } catch {
    return t('The value of the header "{0}" contains a line break or a character outside Latin-1.', shown);
  }
  return undefined;
}

/** Whether a header belongs to one connection, and so is made anew for the next one. */
export function isMadeAnew(name: string): boolean {
  return endToEndHeaders([name, ''], madeAnew).length === 0;
}

/** An edited header takes the place and the spelling of the first header of that name; new headers come last. */
function editedHeaders(
  rawHeaders: readonly string[],
  edit: Readonly<Record<string, string | null>>,
): readonly string[] {
  const edited = new Map<string, { name: string; value: string | null }>();
  for (const [name, value] of Object.entries(edit)) {
    const problem = headerProblem(name, value ?? '');
    if (problem !== undefined) throw new UserError(problem);
    // guard S118: Headers that frame the request are never taken from an edit.
    if (!isMadeAnew(name)) edited.set(name.toLowerCase(), { name, value });
  }
  const seen = new Set<string>();
  const kept = headerPairs(rawHeaders).flatMap(([name, original]) => {
    const key = name.toLowerCase();
    const found = edited.get(key);
    if (found === undefined) return [name, original];
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst && found.value !== null ? [name, found.value] : [];
  });
  const added = [...edited].flatMap(([key, { name, value }]) =>
    seen.has(key) || value === null ? [] : [name, value],
  );
  return [...kept, ...added];
}
