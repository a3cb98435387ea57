import type * as vscode from 'vscode';
import type { AppSettings } from '../../../model/settings/appSettings.ts';
import {
  type FormApp,
  type FormCalls,
  type FormContent,
  formMessageSchema,
  type FormStart,
  type HostCalls,
} from '../../../model/settings/formProtocol.ts';
import { t } from '../../../model/text/l10n.ts';
import { PagePanel } from '../../webview/pagePanel.ts';
import { formAppKey } from '../appliedSettings.ts';
import { formContent } from './formContent.ts';
import { formHandlers, type FormServices } from './formHandlers.ts';

const page = { name: 'form', messages: formMessageSchema };

/**
 * The settings form of one app. The webview's own state holds what was typed. It is lost when the tab is closed, so
 * the host keeps what was typed as well.
 */
export class AppSettingsPanel {
  readonly app: FormApp;
  readonly #page: PagePanel<FormCalls, HostCalls>;
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
        keep: (draft: HostCalls['keep']['takes']) => {
          unseen.noteKept(app);
          if (Object.keys(draft.typed).length > 0) drafts.set(formAppKey(app), draft);
          else drafts.delete(formAppKey(app));
          return undefined;
        },
      },
      calledAs: t('The settings form'),
    };
    this.#page = new PagePanel<FormCalls, HostCalls>(panel, page, host, services);
  }

  /** Updates the form after a change outside of it. */
  show(): void {
    const content = this.#content();
    this.#page.title = t('{0} Settings', content.appName);
    this.#page.tell('show', content);
  }

  /** Puts settings into the fields as if they were typed. */
  fill(settings: AppSettings): void {
    if (this.#page.isLoaded) this.#page.tell('fill', settings);
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
