import { prettyJson } from '../../model/json/jsonText.ts';
import type { AnswerRecord, KeptAnswer, KeptBody } from '../../model/runs/keptAnswer.ts';
import { bytesText } from '../../model/text/bytesText.ts';
import { t } from '../../model/text/l10n.ts';
import { isBinary } from './bodyKind.ts';

/** How much of a body is shown, in bytes. */
export const shownBytes = 2 * 1024 * 1024;

/** What is shown of a body: complete JSON is laid out, a binary body has only a note. */
export interface ShownBody {
  text: string;
  bytes: number;
  note?: string;
}

/** An answer as its document shows it. */
export interface ShownAnswer extends AnswerRecord {
  body?: ShownBody;
  /** The file that has more of the body than is shown. */
  file?: string;
}

export function shownAnswer({ body, ...record }: KeptAnswer): ShownAnswer {
  if (body === undefined) return record;
  const shown = shownBody(body, record.head?.headers['content-type']);
  const isAll = shown.note === undefined || body.file === undefined;
  return { ...record, body: shown, ...(!isAll && { file: body.file }) };
}

/** @param contentType the header */
function shownBody(body: KeptBody, contentType = ''): ShownBody {
  const { beginning, bytes, isComing = false } = body;
  const isText = !isBinary(contentType, beginning);
  const text = isText ? textOf(beginning, bytes, isComing) : '';
  const notes = [placeOf(body, isText), problemOf(body)].filter((one) => one !== undefined);
  return { text, bytes, ...(notes.length > 0 && { note: notes.join('\n') }) };
}

function textOf(beginning: Uint8Array, bytes: number, isComing: boolean): string {
  const isAll = bytes <= shownBytes && !isComing;
  // A character that is cut in two at the end is left out if more follows.
  const text = new TextDecoder().decode(beginning.subarray(0, shownBytes), { stream: !isAll });
  return (isAll ? prettyJson(text) : undefined) ?? text;
}

/** Says where the rest of a body is. Not while it arrives, since the sizes change with every piece. */
function placeOf({ bytes, kept, file, isComing }: KeptBody, isText: boolean): string | undefined {
  if (isComing === true || (isText && bytes <= shownBytes && kept === bytes)) {
    return isText ? undefined : t('Binary');
  }
  if (file === undefined) return isText ? undefined : t('Binary, {0}', bytesText(bytes));
  if (kept < bytes) {
    return t('The body has {0}. Its first {1} are kept in {2}', bytesText(bytes), bytesText(kept), file);
  }
  return isText
    ? t('The beginning. The whole body is in {0}', file)
    : t('Binary, {0}, saved to {1}', bytesText(bytes), file);
}

function problemOf({ problem }: KeptBody): string | undefined {
  return problem === undefined ? undefined : t('This answer could not be kept on the disk: {0}', problem);
}
