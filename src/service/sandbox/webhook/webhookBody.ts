import { type CallResult, webhookEnvelope } from '../../webhookEnvelope.ts';

/**
 * The maximum size of a webhook body, envelope included: the default of `runhook.listener.maxBodyBytes`. The
 * interface document states no limit.
 */
export const maxWebhookBytes = 10 * 1024 * 1024;

/** The answer of an app. */
export interface AppResult {
  /** Its full length, in bytes. */
  bytes: number;
  /** The whole answer as JSON text; absent if it is larger than a webhook. */
  whole?: string;
  /** The captured part: its text, or its bytes if it is not text. */
  content: string | Buffer;
}

/** The body of a webhook. */
export interface WebhookBody {
  body: Buffer;
  /** The full length of the app's answer in bytes; set only if the webhook holds just a part of it. */
  cutFrom?: number;
}

type Call = Pick<CallResult, 'runId' | 'appName' | 'status' | 'error'>;

/**
 * Builds the envelope of a call. An answer that is too large is truncated. Truncated JSON is no longer JSON, so it is
 * included as text; a field of the envelope says so.
 * @param now Unix milliseconds
 */
export function webhookBody(call: Call, answer: AppResult, now: number): WebhookBody {
  const { bytes, whole, content } = answer;
  const encoding = typeof content === 'string' ? {} : ({ resultEncoding: 'base64' } as const);
  if (whole !== undefined) {
    const body = Buffer.from(webhookEnvelope({ ...call, ...encoding, result: whole }, now));
    if (body.byteLength <= maxWebhookBytes) return { body };
  }
  const cut = { ...call, ...encoding, truncated: true, resultBytes: bytes } as const;
  const room = maxWebhookBytes - Buffer.byteLength(webhookEnvelope({ ...cut, result: '""' }, now));
  const beginning =
    typeof content === 'string'
      ? beginningOf(content, room)
      : content.subarray(0, Math.floor(room / 4) * 3).toString('base64');
  const body = Buffer.from(webhookEnvelope({ ...cut, result: JSON.stringify(beginning) }, now));
  return { body, cutFrom: bytes };
}

/** The longest prefix of a text that fits as a JSON string. @param room in bytes, quotes not counted */
function beginningOf(text: string, room: number): string {
  let end = 0;
  let left = room;
  for (let step = 64 * 1024; step >= 1 && end < text.length;) {
    // Does not split a surrogate pair.
    const isHalf = /[\ud800-\udbff]/.test(text[end + step - 1] ?? '');
    const piece = text.slice(end, end + step + (isHalf ? 1 : 0));
    const bytes = Buffer.byteLength(JSON.stringify(piece)) - 2;
    if (bytes <= left) {
      end += piece.length;
      left -= bytes;
    } else {
      step = Math.floor(step / 2);
    }
  }
  return text.slice(0, end);
}
