import * as vscode from 'vscode';
import { ServiceError } from '../../../client/errors.ts';
import { type AppSettings, checkedSettings } from '../../../model/settings/appSettings.ts';
import type { Handlers } from '../../../model/processes/rpc.ts';
import { appUrl } from '../../../model/service/endpoints.ts';
import type {
  ApplyOutcome,
  Draft,
  FormApp,
  FormHostCalls,
  ToolResult,
} from '../../../model/settings/formProtocol.ts';
import { namedFields } from '../../../model/settings/namedFields.ts';
import { inOrder } from '../../../model/settings/settingsText.ts';
import { undoOf } from '../../../model/settings/undoApply.ts';
import { t } from '../../../model/text/l10n.ts';
import { curlCommand } from '../../../webhooks/requests/copiedRequest.ts';
import { DeclinedError, type Prompts } from '../../kit/prompts.ts';
import { type Log, readableError } from '../../kit/log.ts';
import type { Projects } from '../../projects/feature.ts';
import type { AppliedSettings } from '../appliedSettings.ts';
import { applyToSeveral } from '../applyToSeveral.ts';
import { pickFromHistory } from '../historyPicker.ts';
import { pickPreset } from '../presets.ts';
import type { SettingsApplier } from '../settingsApplier.ts';
import { saveSettings } from '../settingsFiles.ts';
import { formContent } from './formContent.ts';
import type { UnseenOutcomes } from './unseenOutcomes.ts';

/** The requests that the panel does not handle itself. */
export type FormHandlers = Omit<Handlers<FormHostCalls>, 'load' | 'keep'>;

export interface FormServices {
  extensionUri: vscode.Uri;
  projects: Projects;
  applier: SettingsApplier;
  applied: AppliedSettings;
  prompts: Prompts;
  /** What was typed into forms and not applied, by `formAppKey`. Kept until the window closes. */
  drafts: Map<string, Draft>;
  unseen: UnseenOutcomes;
  log: Log;
}

/** Handles the requests of the form of an app. All settings that it sends are checked before they are used. */
export function formHandlers(app: FormApp, services: FormServices): FormHandlers {
  const { projects, applied, prompts, unseen, log } = services;
  const send = async (settings: unknown, undoes: boolean): Promise<ApplyOutcome> => {
    try {
      const sent = await services.applier.apply({ ...app, settings, undoes, interactive: true });
      return { kind: 'applied', sent, content: formContent(app, projects, applied) };
    } catch (error) {
      return outcomeOf(error, log);
    }
  };
  const apply = (settings: unknown, undoes = false) => unseen.begin(app, send(settings, undoes));
  return {
    apply: ({ settings }) => apply(settings),
    undo: () => apply(undoOf(applied.history(app)[0]), true),
    async outcome() {
      const outcome = (await unseen.of(app)) ?? { kind: 'declined' };
      const isApplied = outcome.kind === 'applied';
      return isApplied ? { ...outcome, content: formContent(app, projects, applied) } : outcome;
    },
    async showHistory() {
      const choice = await pickFromHistory(app, services);
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
      if (uri !== undefined) await vscode.window.showTextDocument(uri);
      return toolResult(uri && t('Exported to {0}.', vscode.workspace.asRelativePath(uri)));
    },
    async applyToSeveral({ settings }) {
      return toolResult(await applyToSeveral(checkedSettings(settings), services));
    },
  };
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
  return { kind: 'failed', message, fields };
}
