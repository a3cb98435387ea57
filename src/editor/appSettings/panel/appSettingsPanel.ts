import * as vscode from 'vscode';
import type { AppSettings } from '../../../model/settings/appSettings.ts';
import { Channel } from '../../../model/processes/channel.ts';
import type { FormApp, FormCalls, FormContent, HostCalls } from '../../../model/settings/formProtocol.ts';
import { t } from '../../../model/text/l10n.ts';
import { readableError } from '../../reportError.ts';
import { formAppKey } from '../appliedSettings.ts';
import { formContent } from './formContent.ts';
import { formHandlers, type FormServices } from './formHandlers.ts';
import { formPage, formResources } from './formPage.ts';
import { webviewPort } from './webviewPort.ts';

/**
 * The settings form of one app. Its webview is thrown away while the tab is hidden: what was typed lies in the
 * webview's own state, and the host tells the rest again when the script asks for it. A tab that is closed loses
 * that state, so the host keeps what was typed as well.
 */
export class AppSettingsPanel {
  readonly app: FormApp;
  readonly #panel: vscode.WebviewPanel;
  readonly #services: FormServices;
  readonly #channel: Channel<FormCalls, HostCalls>;
  /** Settings that wait for the script to be there. */
  #fill: AppSettings = {};
  #loaded = false;

  constructor(panel: vscode.WebviewPanel, app: FormApp, services: FormServices) {
    this.app = app;
    this.#panel = panel;
    this.#services = services;
    const { drafts, extensionUri, log } = services;
    this.#channel = new Channel<FormCalls, HostCalls>(
      webviewPort(panel.webview, log),
      {
        ...formHandlers(app, services),
        load: () => this.#load(),
        keep: (draft) => {
          if (Object.keys(draft.typed).length > 0) drafts.set(formAppKey(app), draft);
          else drafts.delete(formAppKey(app));
        },
      },
      // The form shows it.
      (error) => readableError(log, t('The settings form'), error),
    );
    panel.onDidDispose(() => this.#channel.close(new Error('The form was closed.')));
    panel.onDidChangeViewState(() => {
      // A hidden webview is gone; the next one loads anew.
      if (!panel.visible) this.#loaded = false;
    });
    panel.webview.options = { enableScripts: true, localResourceRoots: formResources(extensionUri) };
    panel.title = t('{0} Settings', this.#content().appName);
    panel.webview.html = formPage(panel.webview, extensionUri);
  }

  get onDidDispose(): vscode.Event<void> {
    return this.#panel.onDidDispose;
  }

  reveal(): void {
    this.#panel.reveal();
  }

  dispose(): void {
    this.#panel.dispose();
  }

  /** Shows what changed outside of the form. */
  show(): void {
    const content = this.#content();
    this.#panel.title = t('{0} Settings', content.appName);
    if (this.#loaded) this.#tell(this.#channel.request('show', content));
  }

  /** Puts settings into the fields as if they were typed. */
  fill(settings: AppSettings): void {
    if (this.#loaded) this.#tell(this.#channel.request('fill', settings));
    else this.#fill = { ...this.#fill, ...settings };
  }

  #load(): HostCalls['load']['gives'] {
    this.#loaded = true;
    const fill = this.#fill;
    this.#fill = {};
    const draft = this.#services.drafts.get(formAppKey(this.app));
    return {
      content: this.#content(),
      messages: vscode.l10n.bundle ?? {},
      ...(draft && { draft }),
      fill,
    };
  }

  #content(): FormContent {
    const { projects, applied } = this.#services;
    return formContent(this.app, projects, applied);
  }

  #tell(request: Promise<unknown>): void {
    request.catch((error: unknown) => this.#services.log.debug(`The settings form: ${String(error)}`));
  }
}
