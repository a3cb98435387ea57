import { isUtf8 } from 'node:buffer';
import type { Run, SignedBlock } from '../../model/explanations/explanationPicture.ts';
import { masked } from '../../model/masking/masking.ts';
import type { SecretMask } from '../../model/masking/secretMask.ts';
import { t } from '../../model/text/l10n.ts';
import type { SignatureHeaders } from '../signature/signature.ts';
import { visible } from './visible.ts';

/** How much of a part is shown, in bytes; a longer part is shown without its middle. */
const shownBytes = 2048;
const endBytes = 512;

/** The signed content in parts: joined with dots, their runs are the signed bytes, unless masked or shortened. */
export function signedBlocks(
  { requestId, timestamp }: SignatureHeaders,
  body: Uint8Array,
  mask: SecretMask,
): SignedBlock[] {
  const date = new Date(Number(timestamp) * 1000);
  const isDate = !Number.isNaN(date.getTime());
  const isText = isUtf8(body);
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return [
    { part: 'requestId', label: t('request id'), as: 'text', ...shortened(headerText(requestId), mask) },
    {
      ...{ part: 'timestamp', label: t('timestamp'), ...(isDate && { note: date.toISOString() }) },
      ...{ as: 'text', ...shortened(headerText(timestamp), mask) },
    },
    {
      ...{ part: 'body', label: t('body'), note: t('{0} bytes', body.byteLength) },
      ...{ as: isText ? 'text' : 'hex', ...shortened(isText ? textOf(bytes) : hexOf(bytes), mask) },
    },
  ];
}

/** Bytes, and how to decode and draw them. */
interface Shown {
  bytes: Buffer;
  read: (bytes: Buffer) => string;
  runs: (text: string) => Run[];
  /** Moves an offset back to the beginning of a character. */
  align: (at: number) => number;
}

/** One character a byte, as headers come. */
function headerText(text: string): Shown {
  const bytes = Buffer.from(text, 'latin1');
  return { bytes, read: (part) => part.toString('latin1'), runs: visibleRuns, align: (at) => at };
}

function textOf(bytes: Buffer): Shown {
  const align = (at: number) => {
    let place = at;
    while (((bytes[place] ?? 0) & 0xc0) === 0x80) place -= 1;
    return place;
  };
  return { bytes, read: (part) => part.toString(), runs: visibleRuns, align };
}

function hexOf(bytes: Buffer): Shown {
  const runs = (text: string): Run[] => {
    const plain = Buffer.from(text.replaceAll(masked, '*'.repeat(masked.length)), 'latin1');
    const digits = plain.toString('hex').replace(/..(?!$)/g, '$& ');
    return digits === '' ? [] : [{ kind: 'text', text: digits }];
  };
  return { bytes, read: (part) => part.toString('latin1'), runs, align: (at) => at };
}

function shortened(
  { bytes, read, runs, align }: Shown,
  mask: SecretMask,
): Pick<SignedBlock, 'start' | 'omitted' | 'end'> {
  if (bytes.length <= shownBytes) return { start: runs(mask.text(read(bytes))), omitted: 0, end: [] };
  const startsTo = align(shownBytes - endBytes);
  const start = runs(mask.start(read(bytes.subarray(0, startsTo))));
  const endsFrom = align(bytes.length - endBytes);
  // The shown end may begin inside a secret. If a secret is near it, nothing of the end is shown.
  const around = read(bytes.subarray(align(Math.max(0, endsFrom - 4 * mask.margin))));
  if (mask.text(around) !== around) return { start, omitted: bytes.length - startsTo, end: [] };
  return { start, omitted: endsFrom - startsTo, end: runs(read(bytes.subarray(endsFrom))) };
}

/** Splits a text into runs: white space, line ends and control characters get runs of their own. */
export function visibleRuns(text: string): Run[] {
  return [
    ...text.matchAll(/(\r?\n)|( +|\t)|([\p{Cc}\p{Cf}\p{Zl}\p{Zp}])|[^ \p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu),
  ].map(([run, lineEnd, space, control]): Run => {
    if (lineEnd !== undefined) return { kind: 'lineEnd', text: run, mark: run === '\n' ? '⏎' : 'CR⏎' };
    if (space !== undefined) {
      return { kind: 'space', text: run, mark: run.replaceAll(' ', '·').replaceAll('\t', '→') };
    }
    return control === undefined
      ? { kind: 'text', text: run }
      : { kind: 'control', text: run, mark: visible(run) };
  });
}
