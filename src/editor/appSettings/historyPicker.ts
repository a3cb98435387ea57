import * as vscode from 'vscode';
import type { AppSettings } from '../../model/settings/appSettings.ts';
import { settingsText } from '../../model/settings/applied.ts';
import type { FormApp } from '../../model/settings/formProtocol.ts';
import { changeSummary } from '../../model/settings/settingsSummary.ts';
import { t } from '../../model/text/l10n.ts';
import { UserError } from '../../model/text/userError.ts';
import type { Prompts } from '../prompts/prompts.ts';
import { appliedDate } from './appliedDate.ts';
import type { Applied, AppliedSettings } from './appliedSettings.ts';
import type { SettingsDocuments } from './settingsDocuments.ts';

/** What to do with an apply of the past: `apply` gives its settings back to the caller. */
export type HistoryChoice = { kind: 'none' } | { kind: 'apply' | 'fill'; settings: AppSettings };

/** The last applies of an app: what each changed, and again. */
export class HistoryPicker {
  readonly #applied: AppliedSettings;
  readonly #documents: SettingsDocuments;
  readonly #prompts: Prompts;

  constructor(applied: AppliedSettings, documents: SettingsDocuments, prompts: Prompts) {
    this.#applied = applied;
    this.#documents = documents;
    this.#prompts = prompts;
  }

  /** @throws UserError where nothing was applied yet */
  async pick(app: FormApp): Promise<HistoryChoice> {
    const history = this.#applied.history(app);
    if (history.length === 0) throw new UserError(t('Nothing has been applied from this machine yet.'));
    const applied = await this.#prompts.pick(
      t('Last applies'),
      history.map((one) => ({
        label: appliedDate(one.at),
        description: changeSummary(one.before, one.sent),
        value: one,
      })),
    );
    return applied === undefined ? { kind: 'none' } : this.#act(applied);
  }

  async #act(applied: Applied): Promise<HistoryChoice> {
    const action = await this.#prompts.pick<'diff' | 'apply' | 'fill'>(appliedDate(applied.at), [
      { label: t('Show Changes'), value: 'diff' },
      { label: t('Apply Again'), value: 'apply' },
      { label: t('Put into the Form'), value: 'fill' },
    ]);
    if (action === undefined) return { kind: 'none' };
    if (action !== 'diff') return { kind: action, settings: applied.sent };
    const date = appliedDate(applied.at);
    const before = this.#documents.uri(t('before {0}', date), settingsText(applied.before));
    const after = this.#documents.uri(t('after {0}', date), settingsText(applied.after));
    await vscode.commands.executeCommand('vscode.diff', before, after, t('Applied on {0}', date));
    return { kind: 'none' };
  }
}
