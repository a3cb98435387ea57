import * as vscode from 'vscode';
import type { AppSettings } from '../../service/settings/appSettings.ts';
import type { FormApp } from '../../pages/form/formProtocol.ts';
import { changeSummary, settingsSummary, settingsText } from '../../service/settings/settingsText.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Prompts } from '../kit/prompts.ts';
import { momentText } from '../kit/localeFormat.ts';
import { type Applied, type AppliedSettings } from './appliedSettings.ts';
import { settingsAddresses } from './settingsDocuments.ts';
import { type NamedSettings, settingsInWorkspace } from './settingsFiles.ts';

/** What to do with an earlier apply. For `apply` and `fill` the caller gets its settings. */
export type HistoryChoice = { kind: 'none' } | { kind: 'apply' | 'fill'; settings: AppSettings };

/** Asks for one of the last applies of an app, then whether to show its changes, apply it again or fill the form. */
export async function pickFromHistory(
  app: FormApp & { name: string },
  { applied: known, prompts }: { applied: AppliedSettings; prompts: Prompts },
): Promise<HistoryChoice> {
  const choices = known.history(app).map((one) => {
    const summary = changeSummary(one.before, one.sent);
    const applied = one.undoes === true ? t('Undo: {0}', summary) : summary;
    const description = one.isUnsure === true ? t('Possibly applied: {0}', applied) : applied;
    return { label: momentText(one.at), description, value: one };
  });
  const picked = await prompts.pick(t('History of {0}', app.name), choices);
  if (picked === undefined) return { kind: 'none' };
  const again = settingsSummary(picked.sent);
  const action = await prompts.pick<'diff' | 'apply' | 'fill'>(`${app.name} · ${momentText(picked.at)}`, [
    { label: t('Show Changes'), value: 'diff' },
    { label: t('Apply Again'), description: t('Sends {0}', again), value: 'apply' },
    { label: t('Load into Form'), value: 'fill' },
  ]);
  if (action === 'diff') await showChanges(picked);
  return action === 'apply' || action === 'fill' ? { kind: action, settings: picked.sent } : { kind: 'none' };
}

async function showChanges({ at, before, after }: Applied): Promise<void> {
  const date = momentText(at);
  const [left, right] = [
    settingsAddresses.uri({ title: t('before {0}', date), text: settingsText(before) }),
    settingsAddresses.uri({ title: t('after {0}', date), text: settingsText(after) }),
  ];
  await vscode.commands.executeCommand('vscode.diff', left, right, t('Applied on {0}', date));
}

/** The built-in presets. Each sets only the fields that its name needs. */
function builtIn(): NamedSettings[] {
  return [
    { name: t('Scale to zero'), settings: { minReplicaCount: 0, cooldownPeriodSeconds: 60 } },
    { name: t('Always on'), settings: { minReplicaCount: 1 } },
    {
      name: t('Burst'),
      settings: { minReplicaCount: 0, maxReplicaCount: 20, cooldownPeriodSeconds: 300 },
    },
  ];
}

/**
 * Asks for settings to put into a form: a built-in preset, or a settings file of the workspace, whichever app
 * the file names. Undefined if none was picked.
 */
export async function pickPreset(prompts: Prompts): Promise<AppSettings | undefined> {
  const presets = [...builtIn(), ...(await settingsInWorkspace())];
  return prompts.pick(
    t('Presets'),
    presets.map(({ name, settings }) => ({
      label: name,
      description: settingsSummary(settings),
      value: settings,
    })),
  );
}
