import * as vscode from 'vscode';
import type { FailurePlace } from '../../contract/delivery.ts';
import { systemClock } from '../../shared/async/clock.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { UserError } from '../../shared/text/userError.ts';
import { pickDelivery } from '../deliveries/feature.ts';
import type { CommandsOf, Provides } from '../kit/commands.ts';
import { DeclinedError, type Prompts } from '../kit/prompts.ts';
import type { Services } from '../kit/services.ts';
import { showDocument } from '../kit/showDocument.ts';
import { FailureMarks } from './failureMarks.ts';
import { FailureWatch } from './failureWatch.ts';
import { HandlerOutput } from './handlerOutput.ts';

/** Where the handler failed: found out, marked in the file, and opened. */
export function registerFailures({ listener, prompts, log }: Services): Provides<'failures'> {
  const output = new HandlerOutput(log);
  const watch = new FailureWatch({ listener, output, clock: systemClock, log });
  const owned = vscode.Disposable.from(output, watch, new FailureMarks(listener));
  const commands: CommandsOf<'failures'> = {
    openFailure: async (given = {}) => {
      const title = t('Where It Failed');
      const { id, attempts = [] } = await pickDelivery(listener, prompts, title, given.id);
      const isMeant = ({ at }: { at: string }): boolean => given.at === undefined || at === given.at;
      const failedAt = attempts.findLast((one) => one.failedAt !== undefined && isMeant(one))?.failedAt;
      if (failedAt === undefined) {
        throw new UserError(t('Nothing says which line your handler failed at.'), {
          remedies: [{ kind: 'debugDelivery', id }],
        });
      }
      const { oneOf, ...only } = failedAt;
      const place = oneOf === undefined ? only : await pickPlace(prompts, oneOf);
      const at = new vscode.Position(place.line - 1, (place.column ?? 1) - 1);
      await showDocument(vscode.Uri.file(place.file), {
        selection: new vscode.Range(at, at),
      });
      return place;
    },
  };
  return { commands: () => Promise.resolve(commands), dispose: () => void owned.dispose() };
}

async function pickPlace(prompts: Prompts, places: readonly FailurePlace[]): Promise<FailurePlace> {
  const picked = await prompts.pick(
    t('It Failed at One of These'),
    places.map((place) => ({
      label: `${plainText(vscode.workspace.asRelativePath(place.file))}:${place.line}`,
      description: plainText(place.message),
      value: place,
    })),
  );
  if (picked === undefined) throw new DeclinedError(t('Nothing was opened.'));
  return picked;
}
