import * as v from 'valibot';
import * as vscode from 'vscode';
import type { CommandsOf } from '../../commands.ts';
import { isJson } from '../../../model/json/jsonScanner.ts';
import { t } from '../../../model/text/l10n.ts';
import { panelTypes } from '../../ids.ts';
import type { Services } from '../../kit/services.ts';
import { showBriefly } from '../../kit/progress.ts';
import { userAgent } from '../../kit/transport.ts';
import { UnseenOutcomes } from './unseenOutcomes.ts';
import { SettingsApplier } from '../settingsApplier.ts';
import { readSettingsFile } from '../settingsFiles.ts';
import type { ProjectQuestions } from '../../projects/feature.ts';
import { type AppliedSettings, formAppKey } from '../appliedSettings.ts';
import type { AppSettings } from '../../../model/settings/appSettings.ts';
import {
  type Draft,
  type FormApp,
  type FormContent,
  type FormHostCalls,
  type FormPageCalls,
  type FormStart,
  formAppSchema,
  formSchemas,
} from '../../../model/settings/formProtocol.ts';
import { PagePanels } from '../../kit/pagePanels.ts';
import { type FormServices, formHandlers } from './formHandlers.ts';
import { PagePanel } from '../../kit/pagePanel.ts';
import { formContent } from './formContent.ts';

/** The panels of the settings form and the commands about settings. Loaded when first needed. */
export function settingsForm(services: Services & { applied: AppliedSettings }, questions: ProjectQuestions) {
  const { context, projects, prompts, transport, applied, log } = services;
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
    editAppSettings: async (given) => {
      panels.open(await questions.app(given, t('Edit App Settings')));
    },
    applyAppSettings: async (given) => {
      const title = t('Apply App Settings');
      const target = await questions.app(given, title);
      const settings = given?.settings ?? (await askForSettings(questions, title));
      const interactive = given?.settings === undefined;
      const { confirmed = false } = given ?? {};
      const call = { ...target, settings, confirmed, interactive };
      return { applied: await applier.apply({ ...call, ...signalOf(given) }) };
    },
    applySettingsFile: async (given) => {
      const { target, settings } = await readSettingsFile(given?.file, services);
      const sent = await applier.apply({ ...target, settings, interactive: true, ...signalOf(given) });
      showBriefly(appliedText(Object.keys(sent).length, applier.appName(target)));
      return { applied: sent };
    },
    openSettingsFile: async (given) => {
      const { target, settings } = await readSettingsFile(given?.file, services);
      panels.open(target, settings);
    },
  } satisfies Partial<CommandsOf<'appSettings'>>;
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

/** The open forms, one per app. */
export class AppSettingsPanels implements vscode.Disposable {
  readonly pages: PagePanels<FormApp, AppSettingsPanel>;

  constructor(services: FormServices) {
    this.pages = new PagePanels({
      viewType: panelTypes.appSettings,
      // The rest of the webview's state is private to the form.
      state: v.pipe(
        v.object({ app: formAppSchema }),
        v.transform(({ app }) => app),
      ),
      keyOf: formAppKey,
      fill: (panel, app) => new AppSettingsPanel(panel, app, services),
    });
  }

  /** Opens the form of an app, or reveals the open one. @param fill settings to put into its fields */
  open(app: FormApp, fill: AppSettings = {}): void {
    const form = this.pages.open(app, vscode.ViewColumn.Active);
    if (Object.keys(fill).length > 0) form.fill(fill);
  }

  /** Updates the form of an app, or all forms, after a change. */
  show(app?: FormApp): void {
    for (const form of this.pages.views) {
      if (app === undefined || formAppKey(form.app) === formAppKey(app)) form.show();
    }
  }

  dispose(): void {
    this.pages.dispose();
  }
}

const page = { name: 'form', schemas: formSchemas };

/**
 * The settings form of one app. The webview's own state holds what was typed. It is lost when the tab is closed, so
 * the host keeps what was typed as well.
 */
export class AppSettingsPanel {
  readonly app: FormApp;
  readonly #page: PagePanel<FormPageCalls, FormHostCalls>;
  readonly #services: FormServices;
  /** Settings to put into the form once its script has loaded. */
  #fill: AppSettings = {};

  constructor(panel: vscode.WebviewPanel, app: FormApp, services: FormServices) {
    this.app = app;
    this.#services = services;
    const { drafts, unseen } = services;
    const host = {
      title: t('{0} Settings', this.#content().appName),
      load: () => this.#load(),
      handlers: {
        ...formHandlers(app, services),
        keep: (draft: Draft) => {
          unseen.noteKept(app);
          if (Object.keys(draft.typed).length > 0) drafts.set(formAppKey(app), draft);
          else drafts.delete(formAppKey(app));
        },
      },
      calledAs: t('The settings form'),
    };
    this.#page = new PagePanel<FormPageCalls, FormHostCalls>(panel, page, host, services);
  }

  /** Updates the form after a change outside of it. */
  show(): void {
    const content = this.#content();
    this.#page.title = t('{0} Settings', content.appName);
    this.#page.tell((form) => form.show(content));
  }

  /** Puts settings into the fields as if they were typed. */
  fill(settings: AppSettings): void {
    if (this.#page.isLoaded) this.#page.tell((form) => form.fill(settings));
    else this.#fill = { ...this.#fill, ...settings };
  }

  #load(): FormStart {
    const fill = this.#fill;
    this.#fill = {};
    const { drafts, unseen } = this.#services;
    const draft = drafts.get(formAppKey(this.app));
    const isApplying = unseen.of(this.app) !== undefined;
    return { shown: this.#content(), ...(draft && { draft }), fill, isApplying };
  }

  #content(): FormContent {
    const { projects, applied } = this.#services;
    return formContent(this.app, projects, applied);
  }
}
