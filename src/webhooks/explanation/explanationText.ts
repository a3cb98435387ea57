import {
  type ExplanationPicture,
  receiverSteps,
  type Run,
  type ShownSignatures,
  type SignedBlock,
} from '../../model/explanations/explanationPicture.ts';
import { masked } from '../../model/masking/masking.ts';
import { t } from '../../model/text/l10n.ts';
import { padded, textWidth } from '../../model/text/textWidth.ts';
import { visible } from './visible.ts';

/** What the page of an explanation draws, as text. */
export function explanationText(picture: ExplanationPicture): string {
  const { about, headline, reasons, blocks, signatures, notes } = picture;
  const sections = [
    about,
    [headline, ...reasons],
    blocks.length === 0 ? [] : signedContent(blocks),
    signatures === undefined ? [] : signatureLines(signatures, notes),
    [t('What a receiver does'), ...receiverSteps().map((step, at) => `  ${at + 1}. ${step}`)],
  ];
  const texts = sections.filter(({ length }) => length > 0).map((lines) => lines.join('\n'));
  return `${texts.join('\n\n')}\n`;
}

function signedContent(blocks: readonly SignedBlock[]): string[] {
  return [
    t('What was signed'),
    `  ${t('Request id, timestamp and raw body, joined with dots.')}`,
    ...columns(blocks.map((block) => [block.label, summary(block)])),
    '',
    ...visible(blocks.map(startOf).join('.'))
      .split('\n')
      .map((line) => `  | ${line}`),
  ];
}

function summary({ part, note = '', start }: SignedBlock): string {
  if (part === 'body') return note;
  return visible(textOf(start)) + (note === '' ? '' : ` (${note})`);
}

/** Of a long block its start alone: what it leaves out may name a secret that follows. */
function startOf({ as, start, omitted, end }: SignedBlock): string {
  const [first, last] = [start, end].map((runs) =>
    as === 'hex' ? Buffer.from(textOf(runs).replaceAll(' ', ''), 'hex') : Buffer.from(textOf(runs)),
  );
  const more = omitted + (last?.length ?? 0);
  return `${first?.toString() ?? ''}${more === 0 ? '' : `\n${t('… and {0} more bytes', more)}`}`;
}

function textOf(runs: readonly Run[]): string {
  return runs.map(({ text }) => text).join('');
}

/** The two signatures, one below the other. */
function signatureLines({ expected, received }: ShownSignatures, notes: readonly string[]): string[] {
  return [
    t('Signature'),
    `  ${t('The hexadecimal HMAC-SHA256 of what was signed, keyed with the secret.')}`,
    ...columns([
      [t('secret'), masked],
      [t('expected'), expected ?? t('hidden')],
      [t('received'), received ?? t('hidden')],
    ]),
    ...notes.map((note) => `  ${note}`),
  ];
}

/** Names and values in two aligned columns, however long the translated names are. */
function columns(rows: readonly (readonly [name: string, value: string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => textWidth(name)));
  return rows.map(([name, value]) => `  ${padded(name, width)}  ${value}`);
}
