import type { Shape } from '../../model/deliveries/envelopeShape.ts';
import { type CallResult, webhookEnvelope } from '../../model/deliveries/webhookEnvelope.ts';
import { shapedEnvelope } from './shapedEnvelope.ts';

/**
 * The longest body of a webhook, envelope included: what `runhook.listener.maxBodyBytes` takes by default. The
 * document states no limit.
 */
export const maxWebhookBytes = 10 * 1024 * 1024;

/** What an app answered. */
export interface AppResult {
  /** How long it was, in bytes. */
  bytes: number;
  /** All of it, as the text of a value of JSON; absent where there is more of it than a webhook holds. */
  whole?: string;
  /** As much of it as there is: its text, or its bytes where it is none. */
  content: string | Buffer;
}

/** The body of a webhook. */
export interface WebhookBody {
  body: Buffer;
  /** How long the app's answer was, in bytes, where the webhook has no room for all of it. */
  cutFrom?: number;
}

type Call = Pick<CallResult, 'runId' | 'appName' | 'status' | 'error'>;

/**
 * The envelope of a call. An answer that leaves no room for it is cut, and the envelope says so; JSON that is cut is
 * JSON no longer, and goes in as text. Then it is the sandbox's own envelope, which has a field to say so.
 * @param now Unix milliseconds
 * @param shape that of a real delivery, for the envelope to have
 */
export function webhookBody(call: Call, answer: AppResult, now: number, shape?: Shape): WebhookBody {
  const { bytes, whole, content } = answer;
  const encoding = typeof content === 'string' ? {} : ({ resultEncoding: 'base64' } as const);
  if (whole !== undefined) {
    const result = { ...call, ...encoding, result: whole };
    const body = Buffer.from(shape ? shapedEnvelope(shape, result, now) : webhookEnvelope(result, now));
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

/** The longest beginning of a text that has room in a string of JSON. @param room in bytes, quotes not counted */
function beginningOf(text: string, room: number): string {
  let end = 0;
  let left = room;
  for (let step = 64 * 1024; step >= 1 && end < text.length;) {
    // Half a character is none.
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
