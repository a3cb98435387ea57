import { type AppSettings, type FieldName, fields } from '../model/settings/appSettings.ts';
import type { TypedTexts } from '../model/settings/formProtocol.ts';
import { type SettingsWarning, settingsWarnings } from '../model/settings/settingsWarning.ts';
import { readTyped } from '../model/settings/typedField.ts';

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
    return { changes, same: new Set(same), problems, warnings: settingsWarnings(this.#known, changes) };
  }
}

function only(settings: AppSettings, names: readonly FieldName[]): AppSettings {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => names.includes(name as FieldName)));
}
