import * as v from 'valibot';
import * as vscode from 'vscode';
import type { Transport } from '../../client/transport.ts';
import type { FormApp } from '../../model/formProtocol.ts';
import type { Commands } from '../commands.ts';
import { appSettingsViewType, commandIds } from '../ids.ts';
import type { Log } from '../log.ts';
import { userAgent } from '../transport.ts';
import { ProjectQuestions } from '../projects/projectQuestions.ts';
import type { Projects } from '../projects/projects.ts';
import { TokenQuestions } from '../projects/tokenQuestions.ts';
import type { Prompts } from '../prompts.ts';
import { askForApp } from './appQuestion.ts';
import type { AppliedSettings } from './appliedSettings.ts';
import { AppSettingsPanels } from './appSettingsPanels.ts';
import { formContent } from './formContent.ts';
import { formHandlers } from './formHandlers.ts';
import { HistoryPicker } from './historyPicker.ts';
import { Presets } from './presets.ts';
import { SettingsApplier } from './settingsApplier.ts';
import { SettingsDocuments } from './settingsDocuments.ts';
import { SettingsFiles } from './settingsFiles.ts';
import { SeveralApps } from './severalApps.ts';

/** What the settings form is made of. */
export interface AppSettingsFeature {
  context: vscode.ExtensionContext;
  commands: Commands;
  projects: Projects;
  prompts: Prompts;
  transport: Transport;
  applied: AppliedSettings;
  log: Log;
}

const app = { projectId: v.exactOptional(v.string()), appId: v.exactOptional(v.string()) };

/** The settings form, its commands and its panels. */
export function registerAppSettings(feature: AppSettingsFeature): vscode.Disposable {
  const { context, commands, projects, prompts, transport, applied, log } = feature;
  const questions = new ProjectQuestions(projects, prompts);
  const tokenQuestions = new TokenQuestions(projects, questions, prompts);
  const applier = new SettingsApplier(projects, tokenQuestions, applied, transport, userAgent(context));
  const content = (of: FormApp) => formContent(of, projects, applied);
  const documents = new SettingsDocuments();
  const files = new SettingsFiles(projects, prompts);
  const services = {
    projects,
    applier,
    applied,
    presets: new Presets(context.globalState, prompts),
    history: new HistoryPicker(applied, documents, prompts),
    several: new SeveralApps(projects, applier, applied, prompts, log),
    files,
    content,
    log,
  };
  const handlers = (of: FormApp) => formHandlers(of, services);
  const panels = new AppSettingsPanels({ extensionUri: context.extensionUri, content, handlers, log });

  commands.register(commandIds.editAppSettings, v.object(app), async (given) => {
    const title = vscode.l10n.t('Edit App Settings');
    panels.open(await askForApp(given, projects, questions, title));
  });
  commands.register(
    commandIds.applyAppSettings,
    v.object({ ...app, settings: v.optional(v.unknown()), confirmed: v.exactOptional(v.boolean()) }),
    async (given) => {
      const title = vscode.l10n.t('Apply App Settings');
      const target = await askForApp(given, projects, questions, title);
      const settings = given?.settings ?? (await askForSettings(questions, title));
      const confirmed = given?.confirmed === undefined ? {} : { confirmed: given.confirmed };
      const interactive = given?.settings === undefined;
      return { applied: await applier.apply({ ...target, settings, ...confirmed, interactive }) };
    },
  );

  const file = v.object({ file: v.exactOptional(v.string()) });
  commands.register(commandIds.applySettingsFile, file, async (given) => {
    const { target, settings } = await files.read(given?.file);
    return { applied: await applier.apply({ ...target, settings, interactive: true }) };
  });
  commands.register(commandIds.openSettingsFile, file, async (given) => {
    const { target, settings } = await files.read(given?.file);
    panels.open(target, settings);
  });

  return vscode.Disposable.from(
    applied,
    panels,
    documents.register(),
    files.register(),
    vscode.window.registerWebviewPanelSerializer(appSettingsViewType, panels),
    applied.onDidChange((changed) => panels.show(changed)),
    projects.onDidChange(() => panels.show()),
    // Another window may have applied something meanwhile: its memory is shared, and tells nobody.
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) panels.show();
    }),
  );
}

async function askForSettings(questions: ProjectQuestions, title: string): Promise<unknown> {
  const read = (text: string): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  };
  const text = await questions.input({
    title,
    prompt: vscode.l10n.t('Settings as a JSON object'),
    placeHolder: '{"minReplicaCount": 1}',
    validate: (typed) => (read(typed) === undefined ? vscode.l10n.t('Enter a JSON object.') : undefined),
  });
  return read(text);
}
