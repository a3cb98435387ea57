import * as v from 'valibot';
import * as vscode from 'vscode';
import type { AppSettings } from '../../../model/settings/appSettings.ts';
import { type FormApp, formAppSchema } from '../../../model/settings/formProtocol.ts';
import { t } from '../../../model/text/l10n.ts';
import { appSettingsViewType } from '../../ids.ts';
import { formAppKey } from '../appliedSettings.ts';
import { AppSettingsPanel } from './appSettingsPanel.ts';
import type { FormServices } from './formHandlers.ts';

/** What the webview keeps; the rest of it is the form's own business. */
const stateSchema = v.object({ app: formAppSchema });

/** The open forms, one an app. They come back after a reload of the window. */
export class AppSettingsPanels implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #services: FormServices;
  readonly #panels = new Map<string, AppSettingsPanel>();

  constructor(services: FormServices) {
    this.#services = services;
  }

  /** Opens the form of an app, or shows the one that is open. @param fill settings to put into its fields */
  open(app: FormApp, fill: AppSettings = {}): void {
    const open = this.#panels.get(formAppKey(app));
    const panel = open ?? this.#adopt(this.#create(), app);
    if (open) panel.reveal();
    if (Object.keys(fill).length > 0) panel.fill(fill);
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const read = v.safeParse(stateSchema, state);
    if (read.success && !this.#panels.has(formAppKey(read.output.app))) this.#adopt(panel, read.output.app);
    else panel.dispose();
    return Promise.resolve();
  }

  /** Tells the forms that something changed: those of an app, or all. */
  show(app?: FormApp): void {
    for (const panel of this.#panels.values()) {
      if (app === undefined || formAppKey(panel.app) === formAppKey(app)) panel.show();
    }
  }

  dispose(): void {
    for (const panel of [...this.#panels.values()]) panel.dispose();
  }

  #create(): vscode.WebviewPanel {
    const title = t('App Settings');
    return vscode.window.createWebviewPanel(appSettingsViewType, title, vscode.ViewColumn.Active);
  }

  #adopt(webviewPanel: vscode.WebviewPanel, app: FormApp): AppSettingsPanel {
    const panel = new AppSettingsPanel(webviewPanel, app, this.#services);
    this.#panels.set(formAppKey(app), panel);
    panel.onDidDispose(() => this.#panels.delete(formAppKey(app)));
    return panel;
  }
}
