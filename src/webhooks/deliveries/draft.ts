import type { Delivery } from '../../model/deliveries/delivery.ts';
import { fewJsonTokens, layOut } from '../../model/json/jsonText.ts';
import { mostTokens } from '../../model/json/keyOrder.ts';
import { isCredentialHeader, masked } from '../../model/masking/masking.ts';
import { signatureName } from '../signature/signature.ts';
import { withoutSecrets } from './deliveryDocument.ts';
import { isMadeAnew } from './editedDelivery.ts';

/** Under which key of a draft stands what is no body. */
export const blockKey = '$delivery';

/** What is edited of a delivery. */
export type Drafted = Pick<Delivery, 'headers' | 'body' | 'bodyEncoding'>;

/**
 * A delivery as a JSON document to be edited and sent again: `{"body": …, "$delivery": {"headers": …}}`. It is of one
 * shape whatever the body is, which may be a list or no JSON at all: JSON stands there laid out, and a string is a body
 * that is sent as it reads. Credentials, signatures and the held secrets are masked. Headers that are made anew for
 * each connection are not there.
 */
export function draftText(delivery: Drafted, secrets: readonly string[]): string {
  const { bodyEncoding } = delivery;
  const headers = Object.fromEntries(draftHeaders(delivery, secrets));
  const block = JSON.stringify({ ...(bodyEncoding && { bodyEncoding }), headers }, undefined, 2);
  const tokens = draftTokens(delivery, secrets);
  const body = layOut(tokens, 'indented', '  ') ?? '';
  return `{\n  "body": ${indented(body)},\n  "${blockKey}": ${indented(block)}\n}\n`;
}

/** The headers as a draft shows them, by their names in lower case. */
export function draftHeaders({ headers }: Drafted, secrets: readonly string[]): Map<string, string> {
  const shown = Object.entries(headers).filter(([name]) => !isMadeAnew(name));
  return new Map(
    shown.map(([name, value]) => {
      // guard: neither a credential nor a signature stands in a draft
      const isHidden = isCredentialHeader(name) || signatureName.test(name);
      return [name, isHidden ? masked : withoutSecrets(value, secrets)];
    }),
  );
}

/** The tokens of the body as a draft shows it: of JSON each as it is written, of anything else one string. */
export function draftTokens({ body, bodyEncoding }: Drafted, secrets: readonly string[]): string[] {
  const tokens = bodyEncoding === undefined ? fewJsonTokens(body, mostTokens) : undefined;
  const isLaidOut = Array.isArray(tokens) && layOut(tokens, 'indented') !== undefined;
  // A string of JSON would read as a text.
  const isText = !isLaidOut || (tokens.length === 1 && tokens[0]?.startsWith('"') === true);
  const shown = isText ? [JSON.stringify(body)] : tokens;
  return shown.map((token) => maskedToken(token, secrets));
}

/** What an editor takes for the end of a line is written as JSON can write it too. */
function maskedToken(token: string, secrets: readonly string[]): string {
  if ('{}[],:'.includes(token)) return token;
  const value = token.startsWith('"') ? (JSON.parse(token) as string) : token;
  const safe = withoutSecrets(value, secrets);
  const written = safe === value ? token : JSON.stringify(safe);
  return written.replaceAll('\u2028', String.raw`\u2028`).replaceAll('\u2029', String.raw`\u2029`);
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ');
}
