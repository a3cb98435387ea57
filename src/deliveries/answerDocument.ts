import { STATUS_CODES } from 'node:http';
import type { Attempt } from '../contract/delivery.ts';
import { attemptText } from './outcomeText.ts';
import { prettyJson } from '../shared/json/jsonText.ts';
import { isCredentialHeader, masked } from '../shared/masking/likelySecrets.ts';
import type { AppAnswer } from './listenerProtocol.ts';
import { bytesText } from '../shared/text/bytesText.ts';
import { clockTime, durationText } from '../shared/text/durationText.ts';
import { t } from '../shared/text/l10n.ts';
import { oneLine } from '../shared/text/plainText.ts';
import { bodyOf } from './deliveryBody.ts';
import { withoutSecrets } from './deliveryDocument.ts';
import { keptBytes } from './sendRequest.ts';

/**
 * The local app's answer to an attempt as readable text: status line, headers and body. A JSON body is laid out.
 * Credentials in headers and the held secrets are masked.
 * @param kept the stored answer; undefined if only the start in the attempt itself is kept
 */
export function answerDocument(
  attempt: Attempt,
  kept: AppAnswer | undefined,
  secrets: readonly string[],
): string {
  const parts = [headOf(attempt), ...(kept === undefined ? startOf(attempt) : wholeOf(kept))];
  return withoutSecrets(`${parts.filter((part) => part !== '').join('\n\n')}\n`, secrets);
}

function headOf(attempt: Attempt): string {
  const { to, at, status, durationMs } = attempt;
  const line = status === undefined ? attemptText(attempt) : `${status} ${STATUS_CODES[status] ?? ''}`.trim();
  return `${line}\n→ ${oneLine(to)} · ${clockTime(new Date(at))} · ${durationText(durationMs)}`;
}

function wholeOf(kept: AppAnswer): string[] {
  const headers: string[] = [];
  for (let at = 0; at + 1 < kept.rawHeaders.length; at += 2) {
    const [name = '', value = ''] = kept.rawHeaders.slice(at, at + 2);
    headers.push(`${name}: ${isCredentialHeader(name) ? masked : value}`);
  }
  return [headers.join('\n'), ...bodyParts(kept)];
}

/** A note on the body (binary, cut off, empty), and as much of the body as can be shown. */
function bodyParts({ body, bodyEncoding, bytes }: AppAnswer): string[] {
  const here = bodyOf({ body, ...(bodyEncoding && { bodyEncoding }) }).length;
  if (bodyEncoding !== undefined) return [t('Binary, {0}', bytesText(bytes ?? here))];
  // What is compressed is decoded no further than that.
  if (bytes === undefined && here >= keptBytes) return [t('The first {0}.', bytesText(here)), body];
  if (bytes === undefined) return [t('The first {0}. It did not end in time.', bytesText(here)), body];
  if (here === 0) return [t('No body.')];
  return bytes > keptBytes
    ? [t('The first {0} of {1}', bytesText(here), bytesText(bytes)), body]
    : [prettyJson(body) ?? body];
}

/** For attempts from before answers were kept whole, or made when the disk was full: the start of the answer. */
function startOf({ status, answer }: Attempt): string[] {
  if (status === undefined) return [];
  return answer === undefined
    ? [t('Headers and body were not kept.')]
    : [t('Only the beginning was kept.'), answer];
}
