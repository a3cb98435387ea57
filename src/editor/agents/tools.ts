import type * as vscode from 'vscode';
import { applySettings, type ChangeToolsParts, runApp, sendTestDelivery } from './changeTools.ts';
import {
  explainDelivery,
  listDeliveries,
  listKeys,
  listProjects,
  type ReadToolsParts,
  validateSettings,
} from './readTools.ts';
import { languageModelTool } from './tool.ts';
import type { ToolName } from './toolInputs.ts';

/** What the tools call. */
export interface ToolsParts {
  projects: ChangeToolsParts['projects'] & ReadToolsParts['projects'];
  known: ChangeToolsParts['known'];
  listener: ChangeToolsParts['listener'] & ReadToolsParts['listener'];
  explainer: ReadToolsParts['explainer'];
}

/** All tools, as the editor calls them. */
export function tools(parts: ToolsParts): Record<ToolName, vscode.LanguageModelTool<unknown>> {
  return {
    listProjects: languageModelTool(listProjects(parts)),
    listKeys: languageModelTool(listKeys()),
    validateSettings: languageModelTool(validateSettings()),
    applySettings: languageModelTool(applySettings(parts)),
    runApp: languageModelTool(runApp(parts)),
    listDeliveries: languageModelTool(listDeliveries()),
    explainDelivery: languageModelTool(explainDelivery(parts)),
    sendTestDelivery: languageModelTool(sendTestDelivery()),
  };
}
