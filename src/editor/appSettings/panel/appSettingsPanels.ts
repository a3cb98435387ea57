import * as v from 'valibot';
import * as vscode from 'vscode';
import type { AppSettings } from '../../../model/settings/appSettings.ts';
import { type FormApp, formAppSchema } from '../../../model/settings/formProtocol.ts';
import { panelTypes } from '../../ids.ts';
import { PagePanels } from '../../webview/pagePanels.ts';
import { formAppKey } from '../appliedSettings.ts';
import { AppSettingsPanel } from './appSettingsPanel.ts';
import type { FormServices } from './formHandlers.ts';

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
