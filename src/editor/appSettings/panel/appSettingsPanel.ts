import * as vscode from 'vscode';
import type { AppSettings } from '../../../model/settings/appSettings.ts';
import { Channel } from '../../../model/processes/channel.ts';
import type { FormApp, FormCalls, FormContent, HostCalls } from '../../../model/settings/formProtocol.ts';
import { t } from '../../../model/text/l10n.ts';
import type { Log } from '../../log.ts';
import { readableError } from '../../reportError.ts';
import type { Drafts } from './drafts.ts';
import type { FormHandlers } from './formHandlers.ts';
import { formPage, formResources } from './formPage.ts';
import { WebviewPort } from './webviewPort.ts';

export interface PanelContext {
  extensionUri: vscode.Uri;
  content: (app: FormApp) => FormContent;
  handlers: (app: FormApp) => FormHandlers;
  drafts: Drafts;
  log: Log;
}

/**
 * The settings form of one app. Its webview is thrown away while the tab is hidden: what was typed lies in the
 * webview's own state, and the host tells the rest again when the script asks for it. A tab that is closed loses
 * that state, so the host keeps what was typed as well.
 */
export class AppSettingsPanel {
  readonly app: FormApp;
  readonly #panel: vscode.WebviewPanel;
  readonly #context: PanelContext;
  readonly #channel: Channel<FormCalls, HostCalls>;
  /** Settings that wait for the script to be there. */
  #fill: AppSettings = {};
  #loaded = false;

  constructor(panel: vscode.WebviewPanel, app: FormApp, context: PanelContext) {
    this.app = app;
    this.#panel = panel;
    this.#context = context;
    const port = new WebviewPort(panel.webview, context.log);
    this.#channel = new Channel<FormCalls, HostCalls>(
      port,
      {
        ...context.handlers(app),
        load: () => this.#load(),
        keep: (draft) => {
          context.drafts.keep(app, draft);
          return undefined;
        },
      },
      // The form shows it.
      (error) => readableError(context.log, t('The settings form'), error),
    );
    panel.onDidDispose(() => {
      port.dispose();
      this.#channel.close(new Error('The form was closed.'));
    });
    panel.onDidChangeViewState(() => {
      // A hidden webview is gone; the next one loads anew.
      if (!panel.visible) this.#loaded = false;
    });
    panel.webview.options = {
      enableScripts: true,
      localResourceRoots: formResources(context.extensionUri),
    };
    this.#setTitle(context.content(app));
    panel.webview.html = formPage(panel.webview, context.extensionUri);
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
    const content = this.#context.content(this.app);
    this.#setTitle(content);
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
    const draft = this.#context.drafts.get(this.app);
    return {
      content: this.#context.content(this.app),
      messages: vscode.l10n.bundle ?? {},
      ...(draft && { draft }),
      fill,
    };
  }

  #setTitle({ appName }: FormContent): void {
    this.#panel.title = t('{0} Settings', appName);
  }

  #tell(request: Promise<unknown>): void {
    request.catch((error: unknown) => this.#context.log.debug(`The settings form: ${String(error)}`));
  }
}
