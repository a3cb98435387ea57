import type * as vscode from 'vscode';
import { type AppSettings, validate } from '../../model/settings/appSettings.ts';
import { builtInPresets, type Preset } from '../../model/settings/preset.ts';
import { settingsSummary } from '../../model/settings/settingsSummary.ts';
import { t } from '../../model/text/l10n.ts';
import type { Choice, Prompts } from '../prompts/prompts.ts';

const key = 'appSettingsPresets';

/** Settings that are used again and again: those that everybody has, and the user's own. */
export class Presets {
  readonly #state: vscode.Memento;
  readonly #prompts: Prompts;

  constructor(state: vscode.Memento, prompts: Prompts) {
    this.#state = state;
    this.#prompts = prompts;
  }

  /** Undefined where none was picked. */
  async pick(): Promise<AppSettings | undefined> {
    const own = this.#own();
    const remove = { name: '', settings: {} };
    const picked = await this.#prompts.pick(t('Presets'), [
      ...builtInPresets().map(choiceOf),
      ...own.map(choiceOf),
      ...(own.length > 0 ? [{ label: t('Delete a Preset…'), value: remove }] : []),
    ]);
    if (picked !== remove) return picked?.settings;
    await this.#delete();
    return undefined;
  }

  /** @returns the name that it was saved under; undefined where the user gave none */
  async save(settings: AppSettings): Promise<string | undefined> {
    const builtIn = builtInPresets().map(({ name }) => name);
    const typed = await this.#prompts.input({
      title: t('Save as Preset'),
      prompt: t('Name of the preset'),
      validate(text) {
        if (text.trim() === '') return t('Enter a name.');
        return builtIn.includes(text.trim()) ? t('This name is taken.') : undefined;
      },
    });
    const name = typed?.trim();
    if (name === undefined || name === '') return undefined;
    const others = this.#own().filter((preset) => preset.name !== name);
    await this.#state.update(key, [...others, { name, settings }]);
    return name;
  }

  async #delete(): Promise<void> {
    const doomed = await this.#prompts.pick(t('Delete which preset?'), this.#own().map(choiceOf));
    if (doomed === undefined) return;
    const others = this.#own().filter((preset) => preset.name !== doomed.name);
    await this.#state.update(key, others);
  }

  /** An older version may have kept what is no valid setting any more. */
  #own(): Preset[] {
    return this.#state.get<Preset[]>(key, []).filter(({ settings }) => validate(settings).ok);
  }
}

function choiceOf(preset: Preset): Choice<Preset> {
  return { label: preset.name, description: settingsSummary(preset.settings), value: preset };
}
