import * as v from 'valibot';
import * as vscode from 'vscode';
import { UserError } from '../../model/userError.ts';
import { valueProblem } from '../../model/valueProblem.ts';
import { type ToolInput, toolInputs, type ToolName } from './toolInputs.ts';
import { toolText } from './toolText.ts';

/** One thing that a language model may have Runhook do. */
export interface Tool<Name extends ToolName> {
  name: Name;
  /** What is shown while it runs: "Listing the keys of ci". */
  progress: (input: ToolInput<Name>) => string;
  /** What the user is asked first; absent where nothing changes and nothing is sent. */
  question?: (input: ToolInput<Name>) => vscode.LanguageModelToolConfirmationMessages;
  /**
   * @param signal aborted where the model or the user has given up
   * @returns plain JSON without any token or secret
   */
  run: (input: ToolInput<Name>, signal: AbortSignal) => unknown;
}

/** The tool as the editor calls it: what does not fit is refused before anybody is asked. */
export function languageModelTool<Name extends ToolName>(
  tool: Tool<Name>,
): vscode.LanguageModelTool<unknown> {
  return {
    prepareInvocation({ input }) {
      const read = parseInput(tool.name, input);
      const confirmationMessages = tool.question?.(read);
      return {
        invocationMessage: tool.progress(read),
        ...(confirmationMessages && { confirmationMessages }),
      };
    },
    async invoke({ input }, cancellation) {
      const abort = new AbortController();
      const cancelling = cancellation.onCancellationRequested(() => abort.abort());
      try {
        const answer = await tool.run(parseInput(tool.name, input), abort.signal);
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(toolText(answer))]);
      } finally {
        cancelling.dispose();
      }
    },
  };
}

function parseInput<Name extends ToolName>(name: Name, input: unknown): ToolInput<Name> {
  const read = v.safeParse(toolInputs[name], input);
  if (read.success) return read.output;
  const [issue] = read.issues;
  const { t } = vscode.l10n;
  throw new UserError(t('The input of {0} does not fit: {1}', name, valueProblem(issue, name, t)));
}
