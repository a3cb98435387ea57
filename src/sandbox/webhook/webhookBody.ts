import { type CallResult, webhookEnvelope } from '../../model/deliveries/webhookEnvelope.ts';

/**
 * The longest body of a webhook, envelope included: what `runhook.listener.maxBodyBytes` takes by default. The
 * document states no limit.
 */
export const maxWebhookBytes = 10 * 1024 * 1024;

/** What an app answered. */
export type AppResult = {
  /** How long it was, in bytes. */
  bytes: number;
  /** Whether all of it is here. */
  isWhole: boolean;
} & ({ kind: 'json' | 'text'; text: string } | { kind: 'bytes'; content: Buffer });

/** The body of a webhook. */
export interface WebhookBody {
  body: Buffer;
  /** How long the app's answer was, in bytes, where the webhook has no room for all of it. */
  cutFrom?: number;
}

type Call = Pick<CallResult, 'runId' | 'appName' | 'status' | 'error'>;

/**
 * The envelope of a call. An answer that leaves no room for it is cut, and the envelope says so; JSON that is cut is
 * JSON no longer, and goes in as text.
 * @param now Unix milliseconds
 */
export function webhookBody(call: Call, answer: AppResult, now: number): WebhookBody {
  const encoding = answer.kind === 'bytes' ? ({ resultEncoding: 'base64' } as const) : {};
  if (answer.isWhole) {
    const body = Buffer.from(webhookEnvelope({ ...call, ...encoding, result: wholeResult(answer) }, now));
    if (body.byteLength <= maxWebhookBytes) return { body };
  }
  const cut = { ...call, ...encoding, truncated: true, resultBytes: answer.bytes } as const;
  const room = maxWebhookBytes - Buffer.byteLength(webhookEnvelope({ ...cut, result: '""' }, now));
  const beginning =
    answer.kind === 'bytes'
      ? answer.content.subarray(0, Math.floor(room / 4) * 3).toString('base64')
      : beginningOf(answer.text, room);
  const body = Buffer.from(webhookEnvelope({ ...cut, result: JSON.stringify(beginning) }, now));
  return { body, cutFrom: answer.bytes };
}

function wholeResult(answer: AppResult): string {
  switch (answer.kind) {
    case 'json':
      return answer.text;
    case 'text':
      return JSON.stringify(answer.text);
    case 'bytes':
      return JSON.stringify(answer.content.toString('base64'));
  }
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
