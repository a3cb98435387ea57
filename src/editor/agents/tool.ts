import * as vscode from 'vscode';
import { type ToolGuard, type ToolWork, maskedErrors, toolAnswer, toolInput } from '../../agents/tools.ts';
import { type ToolInput, type AgentToolName, toolInputs } from '../../agents/toolValues.ts';
import { toolIds } from '../kit/ids.ts';
import { type Log, readableError } from '../kit/log.ts';

/** One thing that a language model may have Runhook do. */
export interface Tool<Name extends AgentToolName> {
  /** What is shown while it runs: "Listing the keys of ci". */
  progress: (input: ToolInput<Name>) => string;
  /** The confirmation that the user is asked for first; absent if nothing changes and nothing is sent. */
  question?: (input: ToolInput<Name>) => AgentQuestion | Promise<AgentQuestion>;
  /**
   * @param signal aborted when the model or the user cancels
   * @returns plain JSON; tokens and secrets that are held are masked before anyone gets it
   */
  run: ToolWork<typeof toolInputs>[Name];
}

/** What the user is asked before a tool does something. */
export interface AgentQuestion {
  title: string;
  text: string;
  /** What is sent or changed, shown as a block of code and never as Markdown. */
  code: { language: string; text: string };
}

/** A tool that takes anything and gives masked text: to the chats of the editor, and to agents in terminals. */
export interface GuardedTool extends vscode.LanguageModelTool<unknown> {
  /** Undefined if nothing has to be asked. @throws Error that is fit for a model */
  question(input: unknown): Promise<AgentQuestion | undefined>;
  /** @throws Error that is fit for a model; CancellationError */
  answer(input: unknown, cancellation: vscode.CancellationToken): Promise<string>;
}

/** Every tool by its name. */
export type ToolSet = { [Name in AgentToolName]: Tool<Name> };

/**
 * The tool as the editor calls it. Invalid input is rejected before the user is asked. Everything that a model gets,
 * results and errors alike, is made here and masked.
 */
export function languageModelTool<Name extends AgentToolName>(
  name: Name,
  tools: Pick<ToolSet, Name>,
  { held, log }: Pick<ToolGuard, 'held'> & { log: Log },
): GuardedTool {
  const tool: Tool<Name> = tools[name];
  const schema = toolInputs[name];
  const parse = (input: unknown) => toolInput(schema, name, input) as ToolInput<Name>;
  const readable = (error: unknown): Error => readableError(log, toolIds[name], error);
  const guard = { held, readable };
  return {
    question: (input) => maskedErrors(() => tool.question?.(parse(input)), guard),
    async prepareInvocation({ input }) {
      // guard S105: The editor asks first and shows what will be sent.
      const question = await this.question(input);
      return {
        invocationMessage: await maskedErrors(() => tool.progress(parse(input)), guard),
        ...(question !== undefined && { confirmationMessages: confirmation(question) }),
      };
    },
    async invoke({ input }, cancellation) {
      const text = await this.answer(input, cancellation);
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    },
    answer: (input, cancellation) =>
      cancellable(cancellation, (signal) => {
        // A call that is cancelled is over: nobody is told how its work ends.
        const ended = (error: unknown) => (signal.aborted ? new vscode.CancellationError() : readable(error));
        return toolAnswer(() => tool.run(parse(input), signal), { held, readable: ended });
      }),
  };
}

/** A question as a chat shows it. */
function confirmation({ title, text, code }: AgentQuestion): vscode.LanguageModelToolConfirmationMessages {
  // guard S115: Text of the model is shown as a block of code, never as Markdown.
  const message = new vscode.MarkdownString().appendText(text).appendCodeblock(code.text, code.language);
  return { title, message };
}

/** @throws CancellationError as soon as the call is cancelled: its work is aborted and not awaited */
async function cancellable<T>(
  cancellation: vscode.CancellationToken,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (cancellation.isCancellationRequested) throw new vscode.CancellationError();
  const abort = new AbortController();
  const { promise: cancelled, reject } = Promise.withResolvers<never>();
  const cancelling = cancellation.onCancellationRequested(() => {
    reject(new vscode.CancellationError());
    // guard S112: A cancelled call is aborted.
    abort.abort();
  });
  try {
    return await Promise.race([work(abort.signal), cancelled]);
  } finally {
    cancelling.dispose();
  }
}
