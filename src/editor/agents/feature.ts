import * as vscode from 'vscode';
import type { Project } from '../../model/project.ts';
import type { Listener } from '../listener/listener.ts';
import { type ChangeToolsParts, registerChangeTools } from './changeTools.ts';
import { registerReadTools } from './readTools.ts';

export interface AgentsFeature extends ChangeToolsParts {
  projects: ChangeToolsParts['projects'] & { all(): Project[] };
  listener: Listener;
}

/** The tools for language models: each calls what the user's own commands call. */
export function registerAgents({ projects, known, listener }: AgentsFeature): vscode.Disposable {
  return vscode.Disposable.from(
    registerReadTools(projects, listener),
    registerChangeTools({ projects, known }),
  );
}
