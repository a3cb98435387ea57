import {
  type AppSettings,
  digits,
  type Field,
  type FieldName,
  fields,
  problemOf,
} from '../../service/settings/appSettings.ts';
import type { TypedTexts } from './formProtocol.ts';
import { type SettingsWarning, settingsWarnings } from '../../service/settings/settingsText.ts';
import { t } from '../../shared/text/l10n.ts';

/** The result of reading all fields. */
export interface Reading {
  /** What would be sent: the fields that were touched and hold a valid value. */
  changes: AppSettings;
  /** The changes with the value that was last applied from here: it may have been changed elsewhere since. */
  same: ReadonlySet<FieldName>;
  /** The problems of the touched fields that are not valid, in words. */
  problems: ReadonlyMap<FieldName, string>;
  warnings: readonly SettingsWarning[];
}

/**
 * The text typed into the form. A field starts with the value that was last applied from here, or empty if there is
 * none. A field that was typed into is sent, even with its start value: the dashboard may have changed it since. An
 * untouched or empty field is not sent.
 */
export class FormModel {
  #known: AppSettings;
  readonly #typed = new Map<FieldName, string>();

  constructor(known: AppSettings, typed: TypedTexts = {}) {
    this.#known = known;
    this.fill(typed);
  }

  get known(): AppSettings {
    return this.#known;
  }

  get typed(): TypedTexts {
    return Object.fromEntries(this.#typed);
  }

  /** The text of an untouched field. */
  start(name: FieldName): string {
    return this.#known[name]?.toString() ?? '';
  }

  text(name: FieldName): string {
    return this.#typed.get(name) ?? this.start(name);
  }

  /** Whether anything is typed that was not sent. */
  get isTyped(): boolean {
    return this.#typed.size > 0;
  }

  isTouched(name: FieldName): boolean {
    return this.#typed.has(name);
  }

  type(name: FieldName, text: string): void {
    if (text === '' && this.start(name) === '') this.#typed.delete(name);
    else this.#typed.set(name, text);
  }

  /** Sets the text after typing was undone. If it is the start text again, the field counts as untouched. */
  untype(name: FieldName, text: string): void {
    if (text === this.start(name)) this.reset(name);
    else this.type(name, text);
  }

  /** Whether the field is untouched and has a last applied value, which can be sent again. */
  canSendAgain(name: FieldName): boolean {
    return !this.isTouched(name) && this.start(name) !== '';
  }

  /** Touches the field, so that its last applied value is sent again. */
  sendAgain(name: FieldName): void {
    if (this.canSendAgain(name)) this.type(name, this.start(name));
  }

  reset(name: FieldName): void {
    this.#typed.delete(name);
  }

  /** Puts settings into the fields as if they were typed. */
  fill(settings: AppSettings | TypedTexts): void {
    for (const { name } of fields) {
      const value = settings[name];
      if (value !== undefined) this.type(name, value.toString());
    }
  }

  /**
   * Updates the known values. Typed text stays.
   * @returns the fields whose known value changed
   */
  learn(known: AppSettings): FieldName[] {
    const previous = this.#known;
    this.#known = known;
    return fields.map(({ name }) => name).filter((name) => previous[name] !== known[name]);
  }

  /**
   * Updates the known values after an apply that was made anywhere. Typed text stays, but for what was applied just so:
   * of that nothing is left to send.
   * @param sent what the last apply sent
   * @returns the fields whose known value changed to another than what was typed
   */
  learnApply(known: AppSettings, sent: AppSettings): FieldName[] {
    const changed = this.learn(known);
    const touched = new Set(this.#typed.keys());
    // An apply before the last may not have been told, and the outcome of the last may be unknown.
    this.applied(only(known, changed));
    this.applied(only(sent, Object.keys(known) as FieldName[]));
    return changed.filter((name) => !touched.has(name) || this.#typed.has(name));
  }

  /** Whether the value that was last applied was removed from the field. No setting can be unset. */
  isCleared(name: FieldName): boolean {
    return this.text(name).trim() === '' && this.start(name) !== '';
  }

  /** Drops the typed text that has been sent; text that was edited meanwhile stays. */
  applied(sent: AppSettings): void {
    const { changes } = this.read();
    for (const { name } of fields) {
      if (changes[name] !== undefined && changes[name] === sent[name]) this.#typed.delete(name);
    }
  }

  read(): Reading {
    const problems = new Map<FieldName, string>();
    const values: [FieldName, string | number][] = [];
    for (const field of fields) {
      const typed = readTyped(field, this.#typed.get(field.name) ?? '');
      if (typed.kind === 'problem') problems.set(field.name, typed.text);
      if (typed.kind === 'value') values.push([field.name, typed.value]);
    }
    const changes: AppSettings = Object.fromEntries(values);
    const same = values.filter(([name, value]) => value === this.#known[name]).map(([name]) => name);
    // What is wrong is to be corrected first: the value from before it would be judged in its place.
    const warnings = settingsWarnings(this.#known, changes).filter(
      ({ fields: concerned }) => !concerned.some((name) => problems.has(name)),
    );
    return { changes, same: new Set(same), problems, warnings };
  }
}

function only(settings: AppSettings, names: readonly FieldName[]): AppSettings {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => names.includes(name as FieldName)));
}

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
  // Of a whole number, "2,000" is not two: nobody guesses which of the two is meant.
  const isGrouped =
    field.kind === 'integer' && /^[-+]?\d{1,3}(?:[.,]\d{3})+$/.test(trimmed.normalize('NFKC'));
  const instead = isGrouped ? undefined : plainDigits(ascii);
  if (instead !== undefined && problemOf(field, wireValue(field, instead)) === undefined) {
    return { kind: 'problem', text: t('Write "{0}".', instead) };
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
