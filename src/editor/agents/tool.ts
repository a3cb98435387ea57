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
  question?: (
    input: ToolInput<Name>,
  ) => vscode.LanguageModelToolConfirmationMessages | Promise<vscode.LanguageModelToolConfirmationMessages>;
  /**
   * @param signal aborted when the model or the user cancels
   * @returns plain JSON; tokens and secrets that are held are masked before anyone gets it
   */
  run: (input: ToolInput<Name>, signal: AbortSignal) => unknown;
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
): vscode.LanguageModelTool<unknown> {
  const tool: Tool<Name> = tools[name];
  return {
    async prepareInvocation({ input }) {
      try {
        const read = parseInput(name, input);
        // guard S105: The editor asks first and shows what will be sent.
        const confirmationMessages = await tool.question?.(read);
        return {
          invocationMessage: tool.progress(read),
          confirmationMessages,
        };
      } catch (error) {
        throw await maskedError(error, name, guard);
      }
    },
    async invoke({ input }, cancellation) {
      // Does nothing if the result could not be masked.
      // guard S110: A tool does nothing unless it can read the held secrets.
      const before = await guard.held();
      try {
        const answer = await cancellable(cancellation, (signal) => tool.run(parseInput(name, input), signal));
        // The tool may have created a secret.
        // guard S110: A tool reads the held secrets again before it answers.
        const mask = new SecretMask([...before, ...(await guard.held())]);
        // guard S108: All that a tool returns, its errors too, goes through one mask.
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(toolText(answer, mask))]);
      } catch (error) {
        if (error instanceof vscode.CancellationError) throw error;
        throw await maskedError(error, name, guard);
      }
    },
  };
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
