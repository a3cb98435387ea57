import type { WholeDelivery } from '../contract/delivery.ts';
import { isCredentialHeader, masked } from '../shared/masking/likelySecrets.ts';
import { fewJsonTokens, indentedJson } from '../shared/json/jsonText.ts';
import { t } from '../shared/text/l10n.ts';
import { mostTokens } from '../shared/json/keyOrder.ts';

/** The fields with a fixed place in the document; all other fields follow them. */
type Request = Pick<WholeDelivery, 'method' | 'path' | 'headers' | 'body' | 'bodyEncoding'> &
  Partial<Pick<WholeDelivery, 'verdict' | 'madeHere' | 'reason'>>;

/**
 * A delivery as a JSON document for reading: first the body, then the headers, the verdict and all other fields. A
 * JSON body is laid out as part of the document, its numbers and strings written as they arrived. Credentials in
 * headers and the held secrets are masked.
 */
export function deliveryDocument(delivery: Request, secrets: readonly string[]): string {
  const { verdict, madeHere, reason, method, path, headers, body, bodyEncoding, ...about } = delivery;
  const text = bodyText(body, bodyEncoding);
  const request = {
    ...(bodyEncoding && { bodyEncoding }),
    ...(text.note !== undefined && { bodyNote: text.note }),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, shown(name, value)])),
    verdict,
    madeHere,
    reason,
    method,
    path,
  };
  return withoutSecrets(bodyFirst(text.json, { ...request, ...about }), secrets);
}

/** A JSON object with the body in front. @param body as JSON */
export function bodyFirst(body: string, rest: object): string {
  return `{\n  "body": ${body.replaceAll('\n', '\n  ')},${JSON.stringify(rest, undefined, 2).slice(1)}\n`;
}

/** The text with the held secrets masked, as they are and as JSON writes them. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== '')
    .flatMap(secretForms)
    .reduce((safe, secret) => safe.replaceAll(secret, masked), text);
}

/** A secret in its plain form and as JSON escapes it. */
export function secretForms(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1)];
}

function shown(name: string, value: string): string {
  return isCredentialHeader(name) ? masked : value;
}

/** The body as JSON. @returns as well why JSON is not laid out */
function bodyText(body: string, encoding: WholeDelivery['bodyEncoding']): { json: string; note?: string } {
  const tokens = encoding === undefined ? fewJsonTokens(body, mostTokens) : undefined;
  const pretty = Array.isArray(tokens) ? indentedJson(tokens) : undefined;
  return {
    json: pretty ?? JSON.stringify(body),
    ...(tokens === 'tooMany' && {
      note: t('It has too many values to be laid out: it stands here as text.'),
    }),
  };
}
