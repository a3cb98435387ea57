import * as vscode from 'vscode';
import { handlerConfigurationName as name, runtimeOf } from '../../model/tasks/handlerConfiguration.ts';
import { t } from '../../model/text/l10n.ts';
import { plainText, withoutLinks } from '../../model/text/plainText.ts';

/** The extension that debugs Python. It does not ship with VS Code. */
const pythonDebugger = 'ms-python.debugpy';

/** Shows the next step, with a button for it. Does not wait for the answer. */
export function tellReady(
  folder: vscode.WorkspaceFolder,
  path: string,
  failed: (error: unknown) => void,
): void {
  const isMissing =
    runtimeOf(path) === 'python' && vscode.extensions.getExtension(pythonDebugger) === undefined;
  const verb = isMissing ? t('Show Extension') : t('Start Debugging');
  const message = isMissing
    ? t('"{0}" is in launch.json. It needs the extension Python Debugger, which is not installed.', name)
    : t('Set a breakpoint in {0}, and start "{1}": the listener starts with it.', plainText(path, 100), name);
  const goOn = async (answer: string | undefined): Promise<void> => {
    if (answer !== verb) return;
    if (!isMissing) await vscode.debug.startDebugging(folder, name);
    else await vscode.commands.executeCommand('workbench.extensions.search', `@id:${pythonDebugger}`);
  };
  vscode.window.showInformationMessage(withoutLinks(message), verb).then(goOn).then(undefined, failed);
}
