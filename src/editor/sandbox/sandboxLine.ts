import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import { commandIds } from '../ids.ts';
import { node, themeIcon } from '../kit/tree.ts';
import type { ViewLines } from '../projects/feature.ts';
import type { Sandbox } from './sandbox.ts';

/** A sandbox that failed, as a line of the Projects view: a click starts it again. */
export function sandboxLine(sandbox: Sandbox): ViewLines {
  const row = (reason: string) => {
    const label = t('Sandbox failed: retry');
    return node({
      id: 'sandboxFailed',
      label,
      description: plainText(reason),
      tooltip: `${label}\n${plainText(reason, 400)}`,
      icon: themeIcon('error', 'list.errorForeground'),
      argument: {},
      click: { command: commandIds.startSandbox },
    });
  };
  const all = () => (sandbox.state.kind === 'failed' ? [row(sandbox.state.reason)] : []);
  return { onDidChange: sandbox.onDidChangeState, all };
}
