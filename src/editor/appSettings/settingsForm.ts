import * as v from 'valibot';
import * as vscode from 'vscode';
import { clicked, type CommandsOf } from '../kit/commands.ts';
import { commandIds } from '../../contract/commands.ts';
import { isJson } from '../../shared/json/jsonScanner.ts';
import { t } from '../../shared/text/l10n.ts';
import { panelTypes } from '../kit/ids.ts';
import type { Services } from '../kit/services.ts';
import { showBriefly } from '../kit/progress.ts';
import { momentText } from '../kit/localeFormat.ts';
import { userAgent } from '../kit/transport.ts';
import { SettingsApplier } from './settingsApplier.ts';
import { readSettingsFile, saveSettings } from './settingsFiles.ts';
import type { ProjectQuestions, Projects } from '../projects/feature.ts';
import { type AppliedSettings, formAppKey } from './appliedSettings.ts';
import {
  type AppSettings,
  beyondUndo,
  checkedSettings,
  inOrder,
  undoOf,
} from '../../service/settings/appSettings.ts';
import {
  type ApplyOutcome,
  type Draft,
  type FormApp,
  formAppSchema,
  type FormContent,
  type FormHead,
  formHeadSchema,
  type FormHostCalls,
  type FormPageCalls,
  formSchemas,
  type FormStart,
  type Said,
  type SentWith,
  type ToolResult,
} from '../../pages/form/formProtocol.ts';
import { PagePanel, PagePanels } from '../kit/pagePanel.ts';
import { mayBeAppliedText, ServiceError } from '../../service/client/errors.ts';
import type { Handlers } from '../../shared/rpc/rpc.ts';
import { appUrl, originOf } from '../../service/endpoints.ts';
import { isProduction } from '../../service/projects/environment.ts';
import { namedFields } from './settingsOfAnswer.ts';
import { curlCommand } from '../../service/requests/copiedRequest.ts';
import { DeclinedError, type Prompts } from '../kit/prompts.ts';
import { type Log, readableError } from '../kit/log.ts';
import { remediesOf } from '../kit/defaultRemedies.ts';
import { showDocument } from '../kit/showDocument.ts';
import { applyToSeveral, pickSeveral, type Target } from './applyToSeveral.ts';
import { pickFromHistory, pickPreset } from './settingsPickers.ts';
import { type AccountRef, appName, type ServiceAccount } from '../../service/projects/project.ts';
import { isOfSandbox } from '../../service/projects/projectErrors.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { sentence, sentences } from '../../shared/text/sentences.ts';
import { UserError } from '../../shared/text/userError.ts';

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
    drafts: new FormDrafts(context.workspaceState),
    unseen: new Map(),
  });
  const subscriptions = vscode.Disposable.from(
    panels,
    applied.onDidChange((changed) => panels.show(changed)),
    projects.onDidChange(() => panels.show()),
    projects.onDidChangeToken(({ change, ...ref }) => {
      if (change !== 'answered') panels.tokenChanged(ref);
    }),
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

/** The app of a form, and what a form that is restored after a reload showed at its top. */
type FormSubject = FormApp & { head?: FormHead | undefined };

/** The open forms, one per app. */
export class AppSettingsPanels implements vscode.Disposable {
  readonly pages: PagePanels<FormSubject, AppSettingsPanel>;

  constructor(services: FormServices) {
    this.pages = new PagePanels<FormSubject, AppSettingsPanel>({
      viewType: panelTypes.appSettings,
      // The rest of the webview's state is private to the form.
      state: v.pipe(
        v.object({ app: formAppSchema, head: v.optional(formHeadSchema) }),
        v.transform(({ app, head }) => ({ ...app, head })),
      ),
      keyOf: formAppKey,
      titleOf: (app) => titleOf(formContent(app, services.projects, services.applied, undefined)),
      fill: (panel, { head, ...app }) => new AppSettingsPanel(panel, app, services, head),
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

  /** Tells the forms that send with this account. */
  tokenChanged(ref: AccountRef): void {
    for (const form of this.pages.views) form.tokenChanged(ref);
  }

  dispose(): void {
    this.pages.dispose();
  }
}

function titleOf({ appName }: FormContent): string {
  return t('{0} Settings', appName);
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
  /** What the form says. Its page is destroyed when the tab is hidden, and made anew when it is shown. */
  #said: Said | undefined;
  /** What it showed last at its top: that stays while the project is away. */
  #head: FormHead | undefined;

  /** @param head what it showed at its top before the window was reloaded */
  constructor(panel: vscode.WebviewPanel, app: FormApp, services: FormServices, head?: FormHead) {
    this.app = app;
    this.#services = services;
    this.#head = head;
    const host = {
      title: titleOf(this.#content()),
      load: () => this.#load(),
      handlers: {
        ...formHandlers(app, services, {
          sending: (settings) => this.#page.tell((form) => form.sending(settings)),
          asking: (isAsking) => this.#page.tell((form) => form.asking(isAsking)),
          focus: () => panel.active && panel.reveal(),
        }),
        say: (said: Said) => void (this.#said = said),
      },
      calledAs: t('The settings form'),
    };
    this.#page = new PagePanel<FormPageCalls, FormHostCalls>(panel, page, host, services);
  }

  /** Updates the form after a change outside of it. */
  show(): void {
    const content = this.#content();
    this.#page.title = titleOf(content);
    this.#page.tell((form) => form.show(content));
  }

  tokenChanged({ projectId, serviceAccountId }: AccountRef): void {
    if (projectId !== this.app.projectId) return;
    const { status, account } = this.#said ?? {};
    const isOfToken = status?.kind === 'error' && status.mend === 'setToken';
    if (isOfToken && account === serviceAccountId) this.#said = undefined;
    if (serviceAccountId === this.#content().account) this.#page.tell((form) => form.tokenChanged());
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
    const key = formAppKey(this.app);
    const isApplying = unseen.has(key);
    return { shown: this.#content(), draft: drafts.get(key), fill, said: this.#said, isApplying };
  }

  #content(): FormContent {
    const { projects, applied } = this.#services;
    const content = formContent(this.app, projects, applied, this.#head);
    this.#head = content;
    return content;
  }
}

/**
 * What was typed into forms and not applied, by `formAppKey`: a tab that is closed, or that a reload has left and is not
 * shown again, takes its own state with it.
 */
export class FormDrafts {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  get(key: string): Draft | undefined {
    return this.#state.get<Draft>(`${draftPrefix}${key}`);
  }

  async keep(key: string, draft: Draft | undefined): Promise<void> {
    await this.#state.update(`${draftPrefix}${key}`, draft);
  }
}

const draftPrefix = 'appSettings.draft:';

export interface FormServices {
  extensionUri: vscode.Uri;
  projects: Projects;
  applier: SettingsApplier;
  applied: AppliedSettings;
  prompts: Prompts;
  drafts: FormDrafts;
  /**
   * The last apply of each form, by `formAppKey`, until its page has shown the outcome. A page that is hidden while it
   * waits is destroyed: the next one asks for it.
   */
  unseen: Map<string, Promise<ApplyOutcome>>;
  log: Log;
}

/**
 * Handles the requests of the form of an app. All settings that it sends are checked before they are used.
 * @param tell tells the form what its apply is sending, null while it asks something; and the latter of one to several
 */
function formHandlers(
  app: FormApp,
  services: FormServices,
  tell: {
    sending: (settings: AppSettings | null) => void;
    asking: (isAsking: boolean) => void;
    focus: () => void;
  },
): Omit<Handlers<FormHostCalls>, 'load' | 'say'> {
  const { projects, applied, prompts, drafts, unseen, log } = services;
  const { sending, asking, focus } = tell;
  const key = formAppKey(app);
  // The dialog about prod gives the focus back to the editor, and not to the page in it. A box gives it back itself.
  let isFocusBack = false;
  const send = async (settings: unknown, undoes: boolean): Promise<ApplyOutcome> => {
    let sentWith: SentWith | undefined;
    const noted = (account?: ServiceAccount) => {
      if (isProduction(account?.environment)) {
        focus();
        isFocusBack = true;
      }
      if (account !== undefined)
        sentWith = { ...inUse(account), name: plainText(account.name ?? account.id) };
      // They are checked before they are sent.
      sending(account === undefined ? null : (settings as AppSettings));
    };
    try {
      await services.applier.apply({ ...app, settings, undoes, sending: noted, interactive: true });
      return { kind: 'applied', sentWith };
    } catch (error) {
      return { ...outcomeOf(error, log), sentWith };
    }
  };
  /** Has the next page of the form wait for it, if this one is hidden meanwhile. */
  const awaited = (outcome: Promise<ApplyOutcome>): Promise<ApplyOutcome> => {
    unseen.set(key, outcome);
    return outcome;
  };
  let last = { outcome: Promise.resolve<ApplyOutcome>({ kind: 'declined' }), again: () => last.outcome };
  const apply = (settings: unknown, undoes = false): Promise<ApplyOutcome> => {
    last = { outcome: send(settings, undoes), again: () => apply(settings, undoes) };
    return awaited(last.outcome);
  };
  const setToken = async () => {
    const { projectId } = app;
    const serviceAccountId = projects.activeAccount(projectId)?.id;
    sending(null);
    isFocusBack = true;
    const ref = { projectId, serviceAccountId };
    const set = await vscode.commands.executeCommand(commandIds.setToken, ...clicked(ref));
    const isStillInUse = projects.activeAccount(projectId)?.id === serviceAccountId;
    return set !== undefined && isStillInUse ? last.again() : last.outcome;
  };
  const setAddress = async () => {
    const { projectId } = app;
    const addresses = () => JSON.stringify(projects.service(projectId));
    const before = addresses();
    sending(null);
    await vscode.commands.executeCommand(commandIds.setProjectAddresses, ...clicked({ projectId }));
    return addresses() === before ? last.outcome : last.again();
  };
  return {
    keep: (draft) => drafts.keep(key, Object.keys(draft.typed).length > 0 ? draft : undefined),
    apply: ({ settings }) => apply(settings),
    undo: () => apply(undoOf(applied.history(app)[0]), true),
    outcome: () => unseen.get(key) ?? { kind: 'declined' },
    seen() {
      unseen.delete(key);
      if (!isFocusBack && isProduction(projects.activeAccount(app.projectId)?.environment)) focus();
      isFocusBack = false;
    },
    async interrupted({ settings, at }) {
      const { baseUrl } = projects.service(app.projectId);
      if (baseUrl !== '')
        await applied.addUnsure(app, originOf(baseUrl), checkedSettings(settings), false, at);
      const message = sentences(sentence(t('Interrupted by a reload')), mayBeAppliedText());
      return { kind: 'failed', message, fields: [] };
    },
    setToken: () => awaited(setToken()),
    setAddress: () => awaited(setAddress()),
    async startSandbox() {
      await vscode.commands.executeCommand(commandIds.startSandbox, ...clicked({}));
    },
    async showHistory() {
      const name = services.applier.appName(app);
      const choice = await pickFromHistory({ ...app, name }, services);
      if (choice.kind === 'apply') return { outcome: await apply(choice.settings) };
      return choice.kind === 'fill' ? { fill: choice.settings } : {};
    },
    async pickPreset() {
      const fill = await pickPreset(prompts);
      return fill ? { fill } : {};
    },
    async copyAsCurl({ settings }) {
      const url = appUrl(projects.service(app.projectId).baseUrl, app.projectId, app.appId);
      await vscode.env.clipboard.writeText(curlOf(url, checkedSettings(settings)));
      return toolResult(t('Copied. Put the token into $RUNHOOK_TOKEN.'));
    },
    async exportToFile({ settings }) {
      const uri = await saveSettings(app, checkedSettings(settings));
      if (uri !== undefined) await showDocument(uri);
      return toolResult(uri && t('Exported to {0}.', vscode.workspace.asRelativePath(uri)));
    },
    async applyToSeveral({ settings }) {
      const checked = checkedSettings(settings);
      const targets = await pickSeveral(checked, services);
      if (targets === undefined) return {};
      const sendAll = (): Promise<ApplyOutcome> => {
        last = { outcome: outcomeOfSeveral(app, targets, checked, { ...services, asking }), again: sendAll };
        return awaited(last.outcome);
      };
      return { outcome: await sendAll() };
    },
  };
}

/** @param app that of the form: the token of its account can be set there */
async function outcomeOfSeveral(
  { projectId }: FormApp,
  targets: readonly Target[],
  settings: AppSettings,
  services: FormServices & { asking: (isAsking: boolean) => void },
): Promise<ApplyOutcome> {
  const { text, isWhole, rejected } = await applyToSeveral(targets, settings, services);
  if (isWhole) return { kind: 'appliedToSeveral', text };
  const inUse = services.projects.activeAccount(projectId)?.id;
  const isRejected = rejected.some((ref) => ref.projectId === projectId && ref.serviceAccountId === inUse);
  return { kind: 'failed', message: text, fields: [], ...(isRejected && { mend: 'setToken' }) };
}

function toolResult(text: string | undefined): ToolResult {
  return text === undefined ? {} : { said: text };
}

/** The PATCH as a curl command, with `$RUNHOOK_TOKEN` in place of the token. */
function curlOf(url: URL, settings: AppSettings): string {
  return curlCommand(
    {
      method: 'PATCH',
      url: url.href,
      headers: { Authorization: 'Bearer token', 'Content-Type': 'application/json' },
      body: new TextEncoder().encode(JSON.stringify(inOrder(settings))),
    },
    [],
  );
}

function outcomeOf(error: unknown, log: Log): ApplyOutcome {
  if (error instanceof DeclinedError) return { kind: 'declined' };
  const { message } = readableError(log, t('Applying settings'), error);
  const fields = error instanceof ServiceError ? namedFields(`${message} ${error.body}`) : [];
  const [remedy] = error instanceof UserError ? remediesOf(error) : [];
  const mend = remedy?.kind === 'setToken' || remedy?.kind === 'setAddress' ? remedy.kind : undefined;
  return { kind: 'failed', message, fields, ...(mend && { mend }) };
}

/** Used if no base address is set: only the path of the URL is shown. */
const placeholderUrl = 'http://localhost';

/**
 * What the form of an app shows now. It never throws: a form outlives its project, and keeps what was typed.
 * @param before what it showed last at its top: that stays while the project is away
 */
function formContent(
  app: FormApp,
  projects: Projects,
  applied: AppliedSettings,
  before: FormHead | undefined,
): FormContent {
  const project = projects.find(app.projectId);
  const known = project?.apps.find((one) => one.id === app.appId);
  const now: FormHead = {
    appName: plainText(known ? appName(known) : app.appId),
    projectName: plainText(project?.name ?? app.projectId),
    path: pathOf(app, projects),
    origin: originOf(projects.service(app.projectId).baseUrl),
    ...inUse(project && projects.activeAccount(project.id)),
  };
  const [last] = applied.history(app);
  return {
    ...(project === undefined && before !== undefined ? before : now),
    app,
    obstacle: obstacleOf(app, projects),
    startsSandbox: project === undefined && isOfSandbox(app.projectId),
    lastApplied: last && {
      date: momentText(last.at),
      at: last.at,
      known: last.after,
      sent: last.sent,
      undo: undoOf(last),
      stays: beyondUndo(last),
      undoes: last.undoes === true,
      isUnsure: last.isUnsure === true,
    },
  };
}

/** The account as the form knows it. */
function inUse(account: ServiceAccount | undefined) {
  const { id, environment } = account ?? {};
  return { account: id, environment: environment && plainText(environment, 40) };
}

function obstacleOf({ projectId, appId }: FormApp, projects: Projects): string | undefined {
  const project = projects.find(projectId);
  if (project === undefined && isOfSandbox(projectId)) {
    return t('The sandbox is stopped. Start it to go on; what you typed is kept.');
  }
  if (project === undefined) {
    return t('The project {0} is not available now. What you typed is kept.', plainText(projectId));
  }
  const hasApp = project.apps.some(({ id }) => id === appId);
  if (!hasApp) return t('The project {0} has no app {1}.', plainText(projectId), plainText(appId));
  if (projects.service(projectId).baseUrl !== '') return undefined;
  return t('No address of the service is set. Set "runhook.baseUrl" to apply settings.');
}

function pathOf({ projectId, appId }: FormApp, projects: Projects): string {
  const { baseUrl } = projects.service(projectId);
  try {
    return appUrl(baseUrl === '' ? placeholderUrl : baseUrl, projectId, appId).pathname;
  } catch (error) {
    if (error instanceof UserError) return '';
    throw error;
  }
}
