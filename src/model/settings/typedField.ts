import { t } from '../text/l10n.ts';
import { digits, type Field, problemOf } from './appSettings.ts';

/** What a person typed into a field: nothing (leave it as it is), a wire value, or a problem. */
export type Typed =
  | { kind: 'unchanged' }
  | { kind: 'value'; value: string | number }
  | { kind: 'problem'; text: string };

/** The length of the longest safe integer, sign included. A longer number may lose digits when parsed. */
const longest = 17;

/** The zeros of the scripts whose digits people type: Arabic, Persian, Devanagari, Bengali, Thai. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50];

/**
 * Parses the text of a field. White space around it is trimmed; a number must be in plain ASCII digits. Other
 * spellings (`1e3`, `0x10`, `１２`, `٣`, `007`, `0,5`) are refused, and the problem shows the plain spelling, so
 * that nobody has to guess what is sent. For an integer too large for JSON (`1e20`), the problem says so.
 */
export function readTyped(field: Field, typed: string): Typed {
  const trimmed = typed.trim();
  if (trimmed === '') return { kind: 'unchanged' };
  const value = wireValue(field, trimmed);
  const text = problemOf(field, value);
  if (text === undefined) return { kind: 'value', value };
  const ascii = inAscii(trimmed);
  const instead = plainDigits(ascii);
  if (instead !== undefined && problemOf(field, wireValue(field, instead)) === undefined) {
    return { kind: 'problem', text: t('Enter it in plain digits: {0}.', instead) };
  }
  // Doubles cannot tell whole numbers of that size apart.
  const isTooLarge = /[0-9]/.test(ascii) && Math.abs(Number(ascii)) > Number.MAX_SAFE_INTEGER;
  const tooLarge = field.kind === 'integer' && isTooLarge ? problemOf(field, Number(ascii)) : undefined;
  return { kind: 'problem', text: tooLarge ?? text };
}

function wireValue(field: Field, text: string): string | number {
  return field.kind === 'integer' && digits.test(text) ? Number(text) : text;
}

/** Rewrites a number in other digits and spellings so that `Number` can parse it. Other text stays unparsable. */
function inAscii(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, digitValue)
    .replace(/[\s_'’]/g, '')
    .replace(/^([^.,]*),([^.,]*)$/, '$1.$2')
    .replace(/^\+/, '')
    .replace(/^(-?)0+(?=[0-9][0-9.]*$)/, '$1');
}

/** The number in plain digits; undefined if the text is not a number, or is too long to be exact. */
function plainDigits(ascii: string): string | undefined {
  const number = ascii === '' || ascii.length > longest ? NaN : Number(ascii);
  return Number.isSafeInteger(number) || Math.abs(number) < 1e15 ? plain(number) : undefined;
}

/** Formats a number without an exponent; `-0` becomes `0`. */
function plain(number: number): string {
  const text = (number === 0 ? 0 : number).toString();
  return text.includes('e') ? number.toFixed(20).replace(/0+$/, '') : text;
}

/** Converts a decimal digit of another script to ASCII. A digit of a script not in `zeros` stays as it is. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  const zero = zeros.find((one) => code >= one && code <= one + 9);
  return zero === undefined ? digit : (code - zero).toString();
}
