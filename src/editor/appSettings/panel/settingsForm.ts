import * as v from 'valibot';
import { command } from '../../commands.ts';
import * as vscode from 'vscode';
import { isJson } from '../../../model/json/jsonScanner.ts';
import { t } from '../../../model/text/l10n.ts';
import { commandIds } from '../../ids.ts';
import { showBriefly } from '../../showBriefly.ts';
import { userAgent } from '../../transport.ts';
import { AppSettingsPanels } from './appSettingsPanels.ts';
import { UnseenOutcomes } from './unseenOutcomes.ts';
import { SettingsApplier } from '../settingsApplier.ts';
import { readSettingsFile } from '../settingsFiles.ts';
import type { Transport } from '../../../client/transport.ts';
import type { Log } from '../../log.ts';
import type { ProjectQuestions, Projects } from '../../projects/feature.ts';
import type { Prompts } from '../../prompts/prompts.ts';
import type { AppliedSettings } from '../appliedSettings.ts';

/** What the settings form and its commands need. */
export interface AppSettingsFeature {
  context: vscode.ExtensionContext;
  projects: Projects;
  prompts: Prompts;
  transport: Transport;
  applied: AppliedSettings;
  log: Log;
}

const app = { projectId: v.exactOptional(v.string()), appId: v.exactOptional(v.string()) };

const file = v.object({ file: v.exactOptional(v.string()) });

/** The `AbortSignal` of a caller within the editor. */
const signalArg = { signal: v.optional(v.unknown()) };

/** The panels of the settings form and the commands about settings. Loaded when first needed. */
export function settingsForm(feature: AppSettingsFeature, questions: ProjectQuestions) {
  const { context, projects, prompts, transport, applied, log } = feature;
  const applier = new SettingsApplier({
    ...{ projects, questions, applied, transport },
    userAgent: userAgent(context),
  });
  const panels = new AppSettingsPanels({
    ...{ projects, applier, applied, prompts, log },
    extensionUri: context.extensionUri,
    drafts: new Map(),
    unseen: new UnseenOutcomes(),
  });
  const subscriptions = vscode.Disposable.from(
    panels,
    applied.onDidChange((changed) => panels.show(changed)),
    projects.onDidChange(() => panels.show()),
    // Another window may have applied settings: the state is shared, but has no change event.
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) panels.show();
    }),
  );
  const commands = {
    [commandIds.editAppSettings]: command(v.object(app), async (given) => {
      panels.open(await questions.app(given, t('Edit App Settings')));
    }),
    [commandIds.applyAppSettings]: command(
      v.object({
        ...app,
        settings: v.optional(v.unknown()),
        confirmed: v.exactOptional(v.boolean()),
        ...signalArg,
      }),
      async (given) => {
        const title = t('Apply App Settings');
        const target = await questions.app(given, title);
        const settings = given?.settings ?? (await askForSettings(questions, title));
        const interactive = given?.settings === undefined;
        const { confirmed = false } = given ?? {};
        const call = { ...target, settings, confirmed, interactive };
        return { applied: await applier.apply({ ...call, ...signalOf(given) }) };
      },
    ),
    [commandIds.applySettingsFile]: command(v.object({ ...file.entries, ...signalArg }), async (given) => {
      const { target, settings } = await readSettingsFile(given?.file, feature);
      const sent = await applier.apply({ ...target, settings, interactive: true, ...signalOf(given) });
      showBriefly(appliedText(Object.keys(sent).length, applier.appName(target)));
      return { applied: sent };
    }),
    [commandIds.openSettingsFile]: command(file, async (given) => {
      const { target, settings } = await readSettingsFile(given?.file, feature);
      panels.open(target, settings);
    }),
  };
  return { commands, panels, dispose: () => void subscriptions.dispose() };
}

function signalOf(given: { signal?: unknown } | undefined): { signal?: AbortSignal } {
  return given?.signal instanceof AbortSignal ? { signal: given.signal } : {};
}

function appliedText(count: number, name: string): string {
  return count === 1 ? t('Applied 1 setting to {0}.', name) : t('Applied {0} settings to {1}.', count, name);
}

async function askForSettings(questions: ProjectQuestions, title: string): Promise<unknown> {
  const text = await questions.input({
    title,
    prompt: t('Settings as a JSON object'),
    placeHolder: '{"minReplicaCount": 1}',
    validate: (typed) => (isJson(typed) ? undefined : t('Enter a JSON object.')),
  });
  return JSON.parse(text);
}
