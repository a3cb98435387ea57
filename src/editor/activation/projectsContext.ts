import * as vscode from 'vscode';
import { contextIds, settingIds } from '../ids.ts';

/** Has the palette offer what is for projects where there are some, though nothing is loaded yet. Called again, it looks again. */
export function projectsContext(): () => void {
  let told = false;
  return () => {
    const projects = vscode.workspace.getConfiguration('runhook').get<unknown>(settingIds.projects);
    const isAdded = Array.isArray(projects) && projects.length > 0;
    if (isAdded === told) return;
    told = isAdded;
    void vscode.commands.executeCommand('setContext', contextIds.projectAdded, isAdded);
  };
}
