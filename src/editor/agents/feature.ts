import * as vscode from 'vscode';
import { toolIds } from '../ids.ts';
import { loadOnce } from '../../model/async/loadOnce.ts';
import type { ToolsParts } from './tools.ts';

/**
 * The tools for language models: each calls what the user's own commands call. They are loaded when a model
 * first calls one of them.
 */
export function registerAgents(parts: ToolsParts): vscode.Disposable {
  const load = loadOnce(async () => (await import('./tools.ts')).tools(parts));
  const names = Object.keys(toolIds) as (keyof typeof toolIds)[];
  return vscode.Disposable.from(
    ...names.map((name) =>
      vscode.lm.registerTool<unknown>(toolIds[name], {
        prepareInvocation: async (options, token) => (await load())[name].prepareInvocation?.(options, token),
        invoke: async (options, token) => (await load())[name].invoke(options, token),
      }),
    ),
  );
}
