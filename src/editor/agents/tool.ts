import * as v from 'valibot';
import * as vscode from 'vscode';
import { SecretMask } from '../../shared/masking/secretMask.ts';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';
import { valueProblem } from '../../shared/text/valueProblem.ts';
import { toolIds } from '../kit/ids.ts';
import { type Log, readableError } from '../kit/log.ts';
import {
  type ToolInput,
  type AgentToolName,
  toolErrorText,
  toolInputs,
  toolText,
} from '../../agents/toolValues.ts';

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
  run: (input: ToolInput<Name>, signal: AbortSignal) => unknown;
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

/** What every tool needs to mask its output. */
interface ToolGuard {
  /** Every token and secret that is held. @throws UserError if they cannot be read */
  held: () => Promise<readonly string[]>;
  log: Log;
}

/**
 * The tool as the editor calls it. Invalid input is rejected before the user is asked. Everything that a model gets,
 * results and errors alike, is made here and masked.
 */
export function languageModelTool<Name extends AgentToolName>(
  name: Name,
  tools: Pick<ToolSet, Name>,
  guard: ToolGuard,
): GuardedTool {
  const tool: Tool<Name> = tools[name];
  const asked = async <T>(ask: () => T | Promise<T>): Promise<T> => {
    try {
      return await ask();
    } catch (error) {
      throw await maskedError(error, name, guard);
    }
  };
  return {
    question: (input) => asked(() => tool.question?.(parseInput(name, input))),
    async prepareInvocation({ input }) {
      // guard S105: The editor asks first and shows what will be sent.
      const question = await this.question(input);
      return {
        invocationMessage: await asked(() => tool.progress(parseInput(name, input))),
        ...(question !== undefined && { confirmationMessages: confirmation(question) }),
      };
    },
    async invoke({ input }, cancellation) {
      const text = await this.answer(input, cancellation);
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    },
    async answer(input, cancellation) {
      // Does nothing if the result could not be masked.
      // guard S110: A tool does nothing unless it can read the held secrets.
      const before = await guard.held();
      try {
        const answer = await cancellable(cancellation, (signal) => tool.run(parseInput(name, input), signal));
        // The tool may have created a secret.
        // guard S110: A tool reads the held secrets again before it answers.
        const mask = new SecretMask([...before, ...(await guard.held())]);
        // guard S108: All that a tool returns, its errors too, goes through one mask.
        return toolText(answer, mask);
      } catch (error) {
        if (error instanceof vscode.CancellationError) throw error;
        throw await maskedError(error, name, guard);
      }
    },
  };
}

/** A question as a chat shows it. */
function confirmation({ title, text, code }: AgentQuestion): vscode.LanguageModelToolConfirmationMessages {
  // guard S115: Text of the model is shown as a block of code, never as Markdown.
  const message = new vscode.MarkdownString().appendText(text).appendCodeblock(code.text, code.language);
  return { title, message };
}

/** @throws CancellationError as soon as the call is cancelled: its work is aborted and not awaited */
async function cancellable(
  cancellation: vscode.CancellationToken,
  work: (signal: AbortSignal) => unknown,
): Promise<unknown> {
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

/** The error for a model: the message that a user would see, masked. */
async function maskedError(error: unknown, name: AgentToolName, { held, log }: ToolGuard): Promise<Error> {
  const { message } = readableError(log, toolIds[name], error);
  return new UserError(toolErrorText(message, new SecretMask(await held())));
}

function parseInput<Name extends AgentToolName>(name: Name, input: unknown): ToolInput<Name> {
  const read = v.safeParse(toolInputs[name], input);
  if (read.success) return read.output;
  const [issue] = read.issues;
  throw new UserError(t('The input of {0} is not valid: {1}', name, valueProblem(issue, name)));
}
