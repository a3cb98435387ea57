import type { WholeDelivery } from '../contract/delivery.ts';
import { fewJsonTokens, indentedJson } from '../shared/json/jsonText.ts';
import { mostTokens } from '../shared/json/keyOrder.ts';
import { isCredentialHeader, masked } from '../shared/masking/likelySecrets.ts';
import { signatureName } from '../service/signature/signature.ts';
import { bodyFirst, withoutSecrets } from './deliveryDocument.ts';
import { isMadeAnew } from './editedDelivery.ts';

/** The parts of a delivery that can be edited. */
export type Drafted = Pick<WholeDelivery, 'headers' | 'body' | 'bodyEncoding'>;

/**
 * A delivery as a JSON document to be edited and sent again: what can be edited of the delivery's own document. The
 * shape is the same whatever the body is, even a list or no JSON at all: JSON is laid out, and a string is a text body
 * that is sent as it reads. Credentials, signatures and the held secrets are masked. Headers that are made anew for each
 * connection are left out.
 */
export function draftText(delivery: Drafted, secrets: readonly string[]): string {
  const { bodyEncoding } = delivery;
  const headers = Object.fromEntries(draftHeaders(delivery, secrets));
  const body = indentedJson(draftTokens(delivery, secrets)) ?? '';
  return bodyFirst(body, { ...(bodyEncoding && { bodyEncoding }), headers });
}

/** The headers as a draft shows them, by their names in lower case. */
export function draftHeaders({ headers }: Drafted, secrets: readonly string[]): Map<string, string> {
  const shown = Object.entries(headers).filter(([name]) => !isMadeAnew(name));
  return new Map(
    shown.map(([name, value]) => {
      // guard S99: A draft contains neither a credential nor a signature.
      const isHidden = isCredentialHeader(name) || signatureName.test(name);
      return [name, isHidden ? masked : withoutSecrets(value, secrets)];
    }),
  );
}

/** The tokens of the body as a draft shows it: JSON tokens as written, anything else as one string. */
export function draftTokens({ body, bodyEncoding }: Drafted, secrets: readonly string[]): string[] {
  const tokens = bodyEncoding === undefined ? fewJsonTokens(body, mostTokens) : undefined;
  const isLaidOut = Array.isArray(tokens) && indentedJson(tokens) !== undefined;
  // A body that is a single JSON string is quoted once more: a plain string in a draft means a text body.
  const isText = !isLaidOut || (tokens.length === 1 && tokens[0]?.startsWith('"') === true);
  const shown = isText ? [JSON.stringify(body)] : tokens;
  return shown.map((token) => maskedToken(token, secrets));
}

/** Masks secrets in a token, and escapes U+2028 and U+2029, which an editor takes for line ends. */
function maskedToken(token: string, secrets: readonly string[]): string {
  if ('{}[],:'.includes(token)) return token;
  const value = token.startsWith('"') ? (JSON.parse(token) as string) : token;
  const safe = withoutSecrets(value, secrets);
  const written = safe === value ? token : JSON.stringify(safe);
  return written.replaceAll('\u2028', String.raw`\u2028`).replaceAll('\u2029', String.raw`\u2029`);
}
