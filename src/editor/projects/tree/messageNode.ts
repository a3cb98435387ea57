import * as vscode from 'vscode';
import { plainText } from '../../../model/text/plainText.ts';
import { clicked } from '../../commands.ts';
import { type NodeArgument, projectNode, type ProjectNode, themeIcon } from './projectNode.ts';

export interface Look {
  label: string;
  description?: string;
  icon: string;
  color?: string;
  /** The command that a click runs. */
  click?: string;
  /** The argument of that command, by default the element's own. */
  with?: string;
}

/**
 * A row of the Projects view that shows a status. A click may run a command that helps.
 * @param kind identifies the row in menu conditions
 */
export function messageNode(kind: string, argument: NodeArgument, look: Look): ProjectNode {
  const { label, description, icon, color, click } = look;
  const item = new vscode.TreeItem(label);
  item.contextValue = `message ${kind}`;
  item.iconPath = themeIcon(icon, color);
  item.tooltip = label;
  if (description !== undefined) {
    item.description = plainText(description);
    item.tooltip = `${label}\n${plainText(description, 400)}`;
  }
  if (click !== undefined) {
    item.command = {
      command: click,
      title: label,
      arguments: look.with === undefined ? clicked(argument) : [look.with],
    };
  }
  return projectNode('message', argument, item, kind);
}
