import { isCredentialHeader } from '../../model/masking/masking.ts';
import { t } from '../../model/text/l10n.ts';
import { UserError } from '../../model/text/userError.ts';
import { type Piece, splitAt, type Variable } from './shellWord.ts';

/** A request that is copied to be sent by another program. */
export interface CopiedRequest {
  method: string;
  /** Exactly as it has to reach the server: nothing in it may be encoded anew. */
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

/** Environment variables that replace values that must not be written down. */
export const tokenVariable = 'RUNHOOK_TOKEN';
export const secretVariable = 'RUNHOOK_WEBHOOK_SECRET';

/** Replaces each of these secrets by the variable of the webhook secret. */
export function secretVariables(secrets: readonly string[]): Variable[] {
  return secrets.map((value) => ({ value, name: secretVariable }));
}

/** The value of a header, with variables in place of credentials. Text has one character per byte. */
export function headerPieces(name: string, value: string, variables: readonly Variable[]): Piece[] {
  if (value === '') return [];
  if (/secret/i.test(name)) return [{ kind: 'variable', name: secretVariable }];
  if (!isCredentialHeader(name)) return splitAt(value, variables);
  const scheme = /^[a-z]+ (?=\S)/i.exec(value)?.[0] ?? '';
  // guard S96: `$RUNHOOK_TOKEN` stands for the token.
  const token = { kind: 'variable', name: tokenVariable } as const;
  return scheme === '' ? [token] : [{ kind: 'text', text: scheme }, token];
}

/**
 * Throws if a library would rewrite the address, and so request another one: most decode `%7E`, write `%3a` as `%3A`,
 * or encode `|`.
 * @param by the name of the library
 */
export function refuseRewritten(url: string, by: string): void {
  const isPlain = /^(?:[\w.~!$&()*+,;=:@/?-]|%[\dA-F]{2})*$/.test(url);
  const isDecoded = /%(?:2D|2E|3\d|[46][1-9A-F]|[57][\dA]|5F|7E)/.test(url);
  if (isPlain && !isDecoded && URL.parse(url)?.href === url) return;
  throw new UserError(
    t(
      '{0} would write the address of this call in another way. Copy it as cURL, which leaves it as it is.',
      by,
    ),
  );
}
