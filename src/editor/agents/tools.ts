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
import { heldValues, type HeldParts } from './heldValues.ts';
import { languageModelTool, type ToolGuard } from './tool.ts';
import type { ToolName } from '../../model/agents/toolInputs.ts';

/** What the tools call. */
export interface ToolsParts extends HeldParts {
  projects: ChangeToolsParts['projects'] & ReadToolsParts['projects'];
  known: ChangeToolsParts['known'];
  listener: ChangeToolsParts['listener'] & ReadToolsParts['listener'];
  explainer: ReadToolsParts['explainer'];
  log: ToolGuard['log'];
}

/** All tools, as the editor calls them. */
export type Tools = Record<ToolName, vscode.LanguageModelTool<unknown>>;

export function tools(parts: ToolsParts): Tools {
  const guard = { held: () => heldValues(parts), log: parts.log };
  return {
    listProjects: languageModelTool(listProjects(parts), guard),
    listKeys: languageModelTool(listKeys(), guard),
    validateSettings: languageModelTool(validateSettings(), guard),
    applySettings: languageModelTool(applySettings(parts), guard),
    runApp: languageModelTool(runApp(parts), guard),
    listDeliveries: languageModelTool(listDeliveries(), guard),
    explainDelivery: languageModelTool(explainDelivery(parts), guard),
    sendTestDelivery: languageModelTool(sendTestDelivery(), guard),
  };
}
