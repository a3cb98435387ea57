import * as vscode from 'vscode';
import type { ActivityText } from '../../../model/deliveries/activity.ts';
import { t } from '../../../model/text/l10n.ts';
import { timeText } from './deliveryItem.ts';

const icons = { fine: 'charts.green', refused: 'list.warningForeground', unverified: 'list.errorForeground' };

/** The row above all others that shows recent activity as bars. Screen readers read words instead of the bars. */
export function activityItem({ bars, count, wrong, worst, until }: ActivityText): vscode.TreeItem {
  const item = new vscode.TreeItem(bars);
  const words = [count, ...wrong, t('the last at {0}', timeText(until))];
  item.id = 'activity';
  item.description = [count, ...wrong].join(' · ');
  item.tooltip = words.join('\n');
  item.iconPath = new vscode.ThemeIcon('pulse', new vscode.ThemeColor(icons[worst]));
  item.contextValue = 'activity';
  item.accessibilityInformation = { label: t('Activity: {0}', words.join(', ')) };
  return item;
}
