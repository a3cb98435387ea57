import * as v from 'valibot';
import * as vscode from 'vscode';
import { t } from '../../model/text/l10n.ts';
import { UserError } from '../../model/text/userError.ts';
import { secretVariables, tokenVariable } from '../../webhooks/requests/copiedRequest.ts';
import { copyAs, copyFormatNames, copyFormats, type CopyFormat } from '../../webhooks/requests/copyAs.ts';
import { command } from '../commands.ts';
import { commandIds } from '../ids.ts';
import type { Listener } from '../listener/feature.ts';
import type { Tokens } from '../projects/feature.ts';
import { DeclinedError } from '../prompts/declinedError.ts';
import type { Prompts } from '../prompts/prompts.ts';
import { showBriefly } from '../showBriefly.ts';
import type { RunHistory } from './history/runHistory.ts';
import type { Runner } from './runner.ts';

const lastKey = 'run.copyFormat';

export interface CopyParts {
  runner: Runner;
  history: RunHistory;
  listener: Pick<Listener, 'secrets'>;
  tokens: Pick<Tokens, 'values'>;
  prompts: Prompts;
  /** Remembers what was copied last. */
  memento: vscode.Memento;
}

/** *Copy Run as…*: the call as it would be sent now, as a command line or as code. */
export function copyCommands({ runner, history, listener, tokens, prompts, memento }: CopyParts) {
  return {
    [commandIds.copyRunAs]: command(
      v.object({ id: v.exactOptional(v.string()), as: v.exactOptional(v.picklist(copyFormats)) }),
      async (given) => {
        const run = history.sent(given?.id);
        if (run === undefined) {
          throw new UserError(t('There is no such run to copy.'), { remedies: [{ kind: 'runApp' }] });
        }
        if (run.bodyDropped === true) {
          throw new UserError(
            t(
              'What this run sent is not kept, so that it cannot be copied: it is too large, or holds a value of the environment or a password.',
            ),
          );
        }
        const format = given?.as ?? (await askForFormat(prompts, memento));
        const secrets = (await listener.secrets()).map(({ secret }) => secret);
        const variables = [
          ...secretVariables(secrets),
          ...(await tokens.values()).map((value) => ({ value, name: tokenVariable })),
        ];
        const copied = copyAs(format, await runner.copied(run.input), variables);
        await vscode.env.clipboard.writeText(copied);
        showBriefly(
          t(
            'Copied the run as {0}. Its token and secret are variables of the environment.',
            copyFormatNames[format],
          ),
        );
        return copied;
      },
    ),
  };
}

/** What was chosen last comes first. */
async function askForFormat(prompts: Prompts, memento: vscode.Memento): Promise<CopyFormat> {
  const last = memento.get<string>(lastKey);
  const inOrder = [...copyFormats].sort((a, b) => Number(b === last) - Number(a === last));
  const format = await prompts.pick(
    t('Copy Run as'),
    inOrder.map((value) => ({ label: copyFormatNames[value], value })),
  );
  if (format === undefined) throw new DeclinedError(t('Nothing was copied.'));
  await memento.update(lastKey, format);
  return format;
}
