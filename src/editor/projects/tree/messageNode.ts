import * as vscode from 'vscode';
import { plainText } from '../../../model/text/plainText.ts';
import { type NodeArgument, projectNode, type ProjectNode, themeIcon } from './projectNode.ts';

export interface Look {
  label: string;
  description?: string;
  icon: string;
  color?: string;
  /** What a click does. */
  click?: string;
  /** What the click hands over in place of the element. */
  with?: string;
}

/**
 * A line of the Projects view that says how things stand, and does what helps when it is clicked.
 * @param kind by which menus know it
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
    item.command = { command: click, title: label, arguments: [look.with ?? { argument }] };
  }
  return projectNode('message', argument, item, kind);
}
