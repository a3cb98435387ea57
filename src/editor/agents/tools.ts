import type * as vscode from 'vscode';
import type { ToolName } from '../../model/agents/toolInputs.ts';
import type { Log } from '../log.ts';
import type { DeliveryWaitParts } from '../run/feature.ts';
import { changeTools, type ChangeToolsParts } from './changeTools.ts';
import { heldValues, type HeldParts } from './heldValues.ts';
import { readTools, type ReadToolsParts } from './readTools.ts';
import { waitTool } from './waitTool.ts';
import { languageModelTool, type ToolSet } from './tool.ts';

/** What the tools call. */
export type ToolsParts = HeldParts & ChangeToolsParts & ReadToolsParts & DeliveryWaitParts & { log: Log };

/** All tools, as the editor calls them. */
export type Tools = Record<ToolName, vscode.LanguageModelTool<unknown>>;

export function tools(parts: ToolsParts): Tools {
  const guard = { held: () => heldValues(parts), log: parts.log };
  const all: ToolSet = {
    ...readTools(parts),
    ...changeTools(parts),
    waitForDelivery: waitTool(parts),
  };
  const made = (Object.keys(all) as ToolName[]).map((name) => [name, languageModelTool(name, all, guard)]);
  return Object.fromEntries(made) as Tools;
}
