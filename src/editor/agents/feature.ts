import * as vscode from 'vscode';
import { toolIds } from '../ids.ts';
import type { ToolsParts } from './tools.ts';

type AnyTool = vscode.LanguageModelTool<unknown>;

/**
 * The tools for language models: each calls what the user's own commands call. They are loaded when a model
 * first calls one of them.
 */
export function registerAgents(parts: ToolsParts): vscode.Disposable {
  let loading: Promise<Record<keyof typeof toolIds, AnyTool>> | undefined;
  const load = async (name: keyof typeof toolIds): Promise<AnyTool> => {
    loading ??= import('./tools.ts').then(({ tools }) => tools(parts));
    try {
      return (await loading)[name];
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
  const names = Object.keys(toolIds) as (keyof typeof toolIds)[];
  return vscode.Disposable.from(
    ...names.map((name) =>
      vscode.lm.registerTool<unknown>(toolIds[name], {
        prepareInvocation: async (options, token) => (await load(name)).prepareInvocation?.(options, token),
        invoke: async (options, token) => (await load(name)).invoke(options, token),
      }),
    ),
  );
}
