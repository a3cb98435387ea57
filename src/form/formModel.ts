import { type AppSettings, type FieldName, fields } from '../model/settings/appSettings.ts';
import type { TypedTexts } from '../model/settings/formProtocol.ts';
import { type SettingsWarning, settingsWarnings } from '../model/settings/settingsWarning.ts';
import { readTyped } from '../model/settings/typedField.ts';

/** What the fields say now. */
export interface Reading {
  /** What would be sent: the fields that were touched and hold a valid value. */
  changes: AppSettings;
  /** Those of them that say what was last applied from here: it may have been changed elsewhere since. */
  same: ReadonlySet<FieldName>;
  /** What is wrong with the others, in words. */
  problems: ReadonlyMap<FieldName, string>;
  warnings: readonly SettingsWarning[];
}

/**
 * What is typed into the form. A field starts with the value that was last applied from here, or empty where none
 * was. One that is typed into is sent, whatever it started with: the dashboard may have changed it since. One that
 * nobody touched, or that is empty, is not.
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

  /** What stands in a field that nobody touched. */
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

  /** Takes the text that an undo of typing led to: back at the start, the field was not touched. */
  untype(name: FieldName, text: string): void {
    if (text === this.start(name)) this.reset(name);
    else this.type(name, text);
  }

  /** Whether the field has a value to send again: the one that was last applied, which nobody touched. */
  canSendAgain(name: FieldName): boolean {
    return !this.isTouched(name) && this.start(name) !== '';
  }

  /** Sends what was last applied once more. */
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
   * Starts from what is known now. What was typed stays.
   * @returns the fields whose known value became another one
   */
  learn(known: AppSettings): FieldName[] {
    const before = this.#known;
    this.#known = known;
    return fields.map(({ name }) => name).filter((name) => before[name] !== known[name]);
  }

  /** Forgets what was typed and has been sent; what was typed on meanwhile stays. */
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
