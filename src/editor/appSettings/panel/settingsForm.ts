import * as v from 'valibot';
import { command } from '../../commands.ts';
import * as vscode from 'vscode';
import type { FormApp } from '../../../model/settings/formProtocol.ts';
import { t } from '../../../model/text/l10n.ts';
import { commandIds } from '../../ids.ts';
import { showBriefly } from '../../showBriefly.ts';
import { userAgent } from '../../transport.ts';
import { AppSettingsPanels } from './appSettingsPanels.ts';
import { Drafts } from './drafts.ts';
import { formContent } from './formContent.ts';
import { formHandlers } from './formHandlers.ts';
import { HistoryPicker } from '../historyPicker.ts';
import { SettingsApplier } from '../settingsApplier.ts';
import type { SettingsDocuments } from '../settingsDocuments.ts';
import { SettingsFiles } from '../settingsFiles.ts';
import { SeveralApps } from '../severalApps.ts';
import type { Transport } from '../../../client/transport.ts';
import type { Log } from '../../log.ts';
import type { ProjectQuestions, Projects } from '../../projects/feature.ts';
import type { Prompts } from '../../prompts/prompts.ts';
import type { AppliedSettings } from '../appliedSettings.ts';

/** What the settings form is made of. */
export interface AppSettingsFeature {
  context: vscode.ExtensionContext;
  projects: Projects;
  prompts: Prompts;
  transport: Transport;
  applied: AppliedSettings;
  log: Log;
}

const app = { projectId: v.exactOptional(v.string()), appId: v.exactOptional(v.string()) };

/** The panels of the settings form and the commands about settings. Loaded with the first that is needed. */
export class SettingsForm implements vscode.Disposable {
  readonly #questions: ProjectQuestions;
  readonly #applier: SettingsApplier;
  readonly #files: SettingsFiles;
  readonly #subscriptions: vscode.Disposable;
  readonly panels: AppSettingsPanels;

  constructor(feature: AppSettingsFeature, documents: SettingsDocuments, questions: ProjectQuestions) {
    const { context, projects, prompts, transport, applied, log } = feature;
    const applier = new SettingsApplier(projects, questions, applied, transport, userAgent(context));
    const files = new SettingsFiles(projects, prompts);
    const content = (of: FormApp) => formContent(of, projects, applied);
    const services = {
      projects,
      applier,
      applied,
      prompts,
      history: new HistoryPicker(applied, documents, prompts),
      several: new SeveralApps(projects, applier, applied, prompts, log),
      files,
      content,
      log,
    };
    const handlers = (of: FormApp) => formHandlers(of, services);
    const panels = new AppSettingsPanels({
      ...{ extensionUri: context.extensionUri, content, handlers, log },
      drafts: new Drafts(),
    });
    this.#questions = questions;
    this.#applier = applier;
    this.#files = files;
    this.panels = panels;
    this.#subscriptions = vscode.Disposable.from(
      panels,
      applied.onDidChange((changed) => panels.show(changed)),
      projects.onDidChange(() => panels.show()),
      // Another window may have applied something meanwhile: its memory is shared, and tells nobody.
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) panels.show();
      }),
    );
  }

  commands() {
    const file = v.object({ file: v.exactOptional(v.string()) });
    return {
      [commandIds.editAppSettings]: command(v.object(app), async (given) => {
        const title = t('Edit App Settings');
        this.panels.open(await this.#questions.app(given, title));
      }),
      [commandIds.applyAppSettings]: command(
        v.object({
          ...app,
          settings: v.optional(v.unknown()),
          confirmed: v.exactOptional(v.boolean()),
          /** An `AbortSignal` of a caller within the editor. */
          signal: v.optional(v.unknown()),
        }),
        async (given) => {
          const title = t('Apply App Settings');
          const target = await this.#questions.app(given, title);
          const settings = given?.settings ?? (await askForSettings(this.#questions, title));
          const confirmed = given?.confirmed === undefined ? {} : { confirmed: given.confirmed };
          const interactive = given?.settings === undefined;
          const call = { ...target, settings, ...confirmed, interactive };
          const signal = given?.signal;
          return {
            applied: await this.#applier.apply({ ...call, ...(signal instanceof AbortSignal && { signal }) }),
          };
        },
      ),

      [commandIds.applySettingsFile]: command(file, async (given) => {
        const { target, settings } = await this.#files.read(given?.file);
        const applied = await this.#applier.apply({ ...target, settings, interactive: true });
        showBriefly(appliedText(Object.keys(applied).length, this.#applier.appName(target)));
        return { applied };
      }),
      [commandIds.openSettingsFile]: command(file, async (given) => {
        const { target, settings } = await this.#files.read(given?.file);
        this.panels.open(target, settings);
      }),
    };
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}

function appliedText(count: number, name: string): string {
  return count === 1 ? t('Applied 1 setting to {0}.', name) : t('Applied {0} settings to {1}.', count, name);
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
    prompt: t('Settings as a JSON object'),
    placeHolder: '{"minReplicaCount": 1}',
    validate: (typed) => (read(typed) === undefined ? t('Enter a JSON object.') : undefined),
  });
  return read(text);
}
