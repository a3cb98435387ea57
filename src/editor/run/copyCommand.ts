import * as vscode from 'vscode';
import type { Argument } from '../../contract/commands.ts';
import { copyFormats } from '../../contract/values.ts';
import type { RunInput } from '../../service/runs/run.ts';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';
import { runHead } from '../../service/client/runClient.ts';
import { type CopiedRequest, secretVariables, tokenVariable } from '../../service/requests/copiedRequest.ts';
import { copyAs, copyFormatNames, type CopyFormat } from '../../service/requests/copyAs.ts';
import type { CalledFrom, CommandsOf } from '../kit/commands.ts';
import { suffixes } from '../kit/ids.ts';
import type { Listener } from '../listener/feature.ts';
import type { Projects, Tokens } from '../projects/feature.ts';
import { DeclinedError, type Prompts } from '../kit/prompts.ts';
import { showBriefly } from '../kit/progress.ts';
import { checkedUrl, environmentLine, placeholder, withDelivery } from './ask.ts';
import type { RunHistory } from './history/runHistory.ts';
import { fileCall, type ResolveParts } from './resolve.ts';

const lastKey = 'run.copyFormat';

interface CopyParts {
  history: RunHistory;
  resolving: ResolveParts;
  projects: Pick<Projects, 'get' | 'service'>;
  listener: Pick<Listener, 'secrets' | 'webhookEndpoint'>;
  tokens: Pick<Tokens, 'values'>;
  prompts: Prompts;
  /** Remembers the last copy format. */
  memento: vscode.Memento;
}

type Given = Argument<'copyRunAs'>;

/** *Copy Run As…*: the call as it would be sent now, as a command line or as code. */
export function copyCommands(parts: CopyParts) {
  const { history, resolving, listener, tokens, prompts, memento } = parts;

  async function copiedInput(given: Given, from: CalledFrom): Promise<RunInput> {
    const { id, file } = given;
    const isFile = file !== undefined || (id === undefined && payloadInFront() !== undefined);
    return isFile ? inputOfFile(given, from !== 'caller') : inputOfRun(id);
  }

  /** Sends nothing. Asks each time before values of the environment are copied, since they are written down. */
  async function inputOfFile(given: Given, mayAsk: boolean): Promise<RunInput> {
    const { file, projectId, appName, confirmed = false } = given;
    const {
      input,
      hasPassword,
      reads = [],
    } = await fileCall(resolving, { file, projectId, appName }, mayAsk);
    if (hasPassword === true) {
      throw new UserError(t('This run sends a password that you entered. It is not copied.'));
    }
    if (reads.length > 0 && !confirmed) {
      const question = t('Copy this run with the values of environment variables in it?');
      // guard S55: The environment is copied only after the user has seen which variables.
      if (!(await prompts.confirm(question, environmentLine(reads), t('Copy')))) throw notCopied();
    }
    return input;
  }

  function inputOfRun(id: string | undefined): RunInput {
    const run = history.sent(id);
    if (run === undefined) {
      throw new UserError(t('The run to copy was not found.'), { remedies: [{ kind: 'runApp' }] });
    }
    if (run.bodyDropped === true) {
      throw new UserError(
        t(
          'The request of this run is not kept: it is too large, or contains an environment variable or a password. Copy it from its payload.',
        ),
        { remedies: [{ kind: 'runApp' }] },
      );
    }
    return run.input;
  }

  return {
    copyRunAs: async (given = {}, from) => {
      const input = await copiedInput(given, from);
      const format = given.as ?? (await askForFormat(prompts, memento));
      const secrets = (await listener.secrets()).map(({ secret }) => secret);
      const variables = [
        ...secretVariables(secrets),
        ...(await tokens.values()).map((value) => ({ value, name: tokenVariable })),
      ];
      const copied = copyAs(format, await copiedRequest(parts, input), variables);
      await vscode.env.clipboard.writeText(copied);
      showBriefly(
        t(
          'Copied the run as {0}. It reads token and secret from environment variables.',
          copyFormatNames[format],
        ),
      );
      return copied;
    },
  } satisfies Partial<CommandsOf<'run'>>;
}

/**
 * The call as it would be sent now, for use outside Runhook. Asks nothing, and contains no token or secret.
 * @throws UserError for calls that cannot be sent
 */
async function copiedRequest({ projects, listener }: CopyParts, input: RunInput): Promise<CopiedRequest> {
  const { method, headers, body, signing } = input;
  const secretOf = () => Promise.resolve(signing === 'unsigned' ? undefined : placeholder);
  const { url, secret } = await withDelivery({ listener }, input, checkedUrl(projects, input), secretOf);
  const content = body === undefined ? {} : { body };
  return { url: url.href, ...runHead({ url, method, headers, body, secret }, placeholder), ...content };
}

/** The payload document in the active editor. */
function payloadInFront(): vscode.Uri | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri?.path.endsWith(suffixes.payload) === true ? uri : undefined;
}

/** Asks for the format, with the last choice first. */
async function askForFormat(prompts: Prompts, memento: vscode.Memento): Promise<CopyFormat> {
  const last = memento.get<string>(lastKey);
  const inOrder = [...copyFormats].sort((a, b) => Number(b === last) - Number(a === last));
  const format = await prompts.pick(
    t('Copy Run As'),
    inOrder.map((value) => ({ label: copyFormatNames[value], value })),
  );
  if (format === undefined) throw notCopied();
  await memento.update(lastKey, format);
  return format;
}

function notCopied(): DeclinedError {
  return new DeclinedError(t('Nothing was copied.'));
}
