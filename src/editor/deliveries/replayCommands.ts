import type * as vscode from 'vscode';
import type { Delivery } from '../../contract/delivery.ts';
import type { DeliveryEdit } from '../../contract/deliveryEdit.ts';
import type { Answer, Sent } from '../../deliveries/listenerProtocol.ts';
import { plainAddress, typedAddress } from '../../service/typedAddress.ts';
import { failureReason, refusal } from '../../shared/http/failureReason.ts';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';
import { asChosen, type CommandsOf, isGesture } from '../kit/commands.ts';
import { DeclinedError, type Prompts } from '../kit/prompts.ts';
import { type Listener, type Replay, testRunId } from '../listener/feature.ts';
import { cancellableProgress } from '../kit/progress.ts';
import { outlookText, type ReplayOutlook, signsAnew } from '../../deliveries/replayOutlook.ts';
import { countText, type DeliveriesView } from './view/deliveriesView.ts';
import { nameOf } from './view/deliveryItem.ts';
import { askForDelivery, pickDelivery } from './view/pickDelivery.ts';
import { tellAllReplayed, tellOutcome, tellReplayed, tellSent, toldOf } from './tellSent.ts';
import { isSuccess } from '../../shared/http/isSuccess.ts';

/** The workspace state key of the address that a delivery was last replayed to. */
const lastAddressKey = 'deliveries.replayAddress';

/** The result of one of several replays. */
type Replayed = { id: string } & (Sent | { error: string });

/** Commands that replay kept deliveries, and the one that sends a test delivery. */
export function replayCommands(
  listener: Listener,
  prompts: Prompts,
  view: DeliveriesView,
  memento: vscode.Memento,
) {
  return {
    /** One click: as it came, or signed anew where a handler would refuse that by now. */
    replayDelivery: async (argument) => {
      const delivery = await pickDelivery(listener, prompts, t('Replay'), argument?.id);
      const { id } = delivery;
      return asChosen(async () => {
        const outlook = await listener.sender.outlook(id);
        const edit = argument && editOf(argument);
        const resign = argument?.resign ?? (edit === undefined && signsAnew(outlook));
        const to = argument?.to;
        const answer = await replayOne(listener, delivery, { to, resign, edit });
        const isUnasked = argument?.resign === undefined && resign;
        const why = isUnasked ? outlookText(outlook) : undefined;
        return tellReplayed(
          prompts,
          toldOf(delivery),
          answer,
          to ?? listener.destinations.forwardOf(delivery.appName),
          why,
        );
      });
    },

    replayDeliveryAs: async (argument) => {
      const delivery = await pickDelivery(listener, prompts, t('Replay'), argument?.id);
      const how = await askHow(prompts, memento, listener, await listener.sender.outlook(delivery.id));
      return asChosen(async () => {
        const answer = await replayOne(listener, delivery, how);
        return tellReplayed(
          prompts,
          toldOf(delivery),
          answer,
          how.to ?? listener.destinations.forwardOf(delivery.appName),
        );
      });
    },

    replayDeliveries: async (argument, from) => {
      // A menu passes the row under the mouse, which is not necessarily what to replay.
      const given = from === 'caller' ? argument : undefined;
      const ids = await idsOf(given ?? (await askWhich(listener, prompts, view)), listener);
      return replayAll(listener, prompts, ids, argument);
    },

    sendTestDelivery: async ({ to, body, secret } = {}) => {
      const runId = testRunId();
      const sent = await listener.sender.sendTest({ to, body, secret, runId });
      // The listener has responded at once, whatever the handler makes of it.
      if (to === undefined && body === undefined) void tellOutcome(listener, runId);
      else tellSent(sent, to ?? (await listener.start()).url);
      return sent;
    },
  } satisfies Partial<CommandsOf<'deliveries'>>;
}

/** Undefined if nothing is edited. */
function editOf({ body, headers }: { body?: unknown; headers?: DeliveryEdit['headers'] | undefined }) {
  if (body === undefined && headers === undefined) return undefined;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { ...(body !== undefined && { body: text }), ...(headers && { headers }) };
}

/** Asks how to replay a delivery. The choices have a fixed order; the one that fits is active. */
async function askHow(
  prompts: Prompts,
  memento: vscode.Memento,
  listener: Listener,
  outlook: ReplayOutlook,
): Promise<Pick<Replay, 'to' | 'resign'>> {
  const wrong = outlookText(outlook);
  const { kind } = outlook;
  const resign = signsAnew(outlook);
  const ways = [
    {
      label: t('As It Came'),
      description:
        kind === 'unsigned'
          ? t('without a signature')
          : wrong === undefined
            ? t('with its original signature')
            : t('{0}: a handler that verifies will reject it', wrong),
      value: 'same',
    },
    {
      label: t('Signed Anew'),
      description:
        kind === 'neverFitted'
          ? t('with a new signature, although the original never matched')
          : t('with a new signature'),
      value: 'signed',
    },
    {
      label: t('To Another Address…'),
      description: resign ? t('with a new signature') : undefined,
      value: 'to',
    },
  ];
  const way = await prompts.pick(t('Replay'), ways, { active: resign ? 'signed' : 'same' });
  if (way === undefined) throw new DeclinedError(t('Nothing was replayed.'));
  return way === 'to'
    ? { to: await askAddress(prompts, memento, listener), resign }
    : { resign: way === 'signed' };
}

/**
 * Asks for the address to replay to. Prefilled with the last one, or the local app's if deliveries may go there.
 */
async function askAddress(
  prompts: Prompts,
  memento: vscode.Memento,
  { destinations }: Listener,
): Promise<URL> {
  const { rest } = destinations.forward;
  const address = await prompts.input({
    title: t('Replay'),
    prompt: t('The address to send the delivery to'),
    value: memento.get(lastAddressKey) ?? (rest.kind === 'given' ? rest.to : ''),
    placeHolder: 'localhost:3000/webhook',
    validate: (text) => refusal(() => typedAddress(text)),
    becomes: (text) => plainAddress(typedAddress(text)),
  });
  if (address === undefined) throw new DeclinedError(t('No address was entered.'));
  const to = typedAddress(address);
  await memento.update(lastAddressKey, to.href);
  return to;
}

interface Which {
  ids?: string[] | undefined;
  since?: string | undefined;
  failed?: boolean | undefined;
}

/** The ids of the deliveries to replay, oldest first: they are sent in the order in which they arrived. */
async function idsOf({ ids, since, failed }: Which, listener: Listener): Promise<string[]> {
  if (ids !== undefined) return ids;
  const failedIds = failed === true ? await listener.sender.failed() : undefined;
  if (failedIds !== undefined && since === undefined) return failedIds;
  const range = await idsBackTo(since, listener);
  return range.filter((id) => failedIds?.includes(id) !== false).reverse();
}

/** How many deliveries are asked for at once. */
const pageSize = 500;

/** The ids of the newest deliveries, newest first, back to the one with this id, or of all. @throws UserError without it */
async function idsBackTo(since: string | undefined, listener: Listener): Promise<string[]> {
  const ids: string[] = [];
  let isLast = false;
  while (!isLast) {
    const { deliveries, hasMore } = await listener.page({}, pageSize, ids.at(-1));
    const end = deliveries.findIndex(({ id }) => id === since);
    ids.push(...deliveries.slice(0, end < 0 ? undefined : end + 1).map(({ id }) => id));
    if (end >= 0) return ids;
    isLast = !hasMore || deliveries.length === 0;
  }
  if (since === undefined) return ids;
  throw new UserError(t('There is no delivery {0}.', since));
}

async function askWhich(listener: Listener, prompts: Prompts, view: DeliveriesView): Promise<Which> {
  const { selected } = view;
  const title = t('Replay Deliveries');
  const failed = await listener.sender.failed();
  const choice = await prompts.pick<'selected' | 'failed' | 'since'>(title, [
    {
      label: t('All that failed in your handler'),
      description: countText(failed.length, t('none')),
      value: 'failed',
    },
    { label: t('From one delivery to the newest…'), value: 'since' },
    ...(selected.length > 0 ? [{ label: selectedText(selected.length), value: 'selected' as const }] : []),
  ]);
  switch (choice) {
    case 'selected':
      return { ids: selected };
    case 'failed':
      return { ids: failed };
    case 'since':
      return { since: (await askForDelivery(listener, prompts, t('First delivery to replay'))).id };
    case undefined:
      throw new DeclinedError(t('Nothing was replayed.'));
  }
}

function selectedText(count: number): string {
  return count === 1 ? t('The one selected in the view') : t('The {0} selected in the view', count);
}

/** Replays one delivery after the other. A failure does not stop the rest. */
async function replayAll(
  listener: Listener,
  prompts: Prompts,
  ids: readonly string[],
  { to, resign }: Pick<Replay, 'resign'> & { to?: string | undefined } = {},
): Promise<Replayed[]> {
  if (ids.length === 0) {
    throw new UserError(t('There is no delivery to replay.'), { remedies: [{ kind: 'sendTestDelivery' }] });
  }
  const { sender } = listener;
  const targets = await targetsOf(ids, to, listener);
  return cancellableProgress(t('Replaying deliveries'), async (signal, tellProgress) => {
    const results: Replayed[] = [];
    for (const id of ids) {
      if (signal.aborted) break;
      tellProgress(results.length + 1, ids.length);
      const replayed = await replayFitting(sender, { id, to: targets.get(id), resign }, signal).then(
        ({ status, durationMs }): Replayed => ({ id, status, durationMs }),
        (error: unknown): Replayed => {
          const reason = failureReason(error);
          if (reason === undefined) throw error;
          return { id, error: reason };
        },
      );
      results.push(replayed);
    }
    const failed = results.filter((one) => !('status' in one && isSuccess(one.status)));
    const accepted = results.length - failed.length;
    const { apps, rest } = listener.destinations.forward;
    const text =
      to !== undefined || apps.size > 0 || 'to' in rest
        ? t('Your handler accepted {0} of {1} replayed deliveries.', accepted, ids.length)
        : t('The listener accepted {0} of {1} replayed deliveries.', accepted, ids.length);
    const failedIds = failed.map(({ id }) => id);
    tellAllReplayed(prompts, text, failed.at(-1), () =>
      replayAll(listener, prompts, failedIds, { to, resign }),
    );
    return results;
  });
}

/** Replays a delivery as it came, or signed anew where it would be refused by now, unless that is said. */
async function replayFitting(
  sender: Listener['sender'],
  { resign, ...what }: Replay,
  signal: AbortSignal,
): Promise<Answer> {
  const fitting = resign ?? signsAnew(await sender.outlook(what.id));
  return sender.replay({ ...what, resign: fitting }, signal);
}

/** The target of each delivery by its id. The user is asked once for each address, before anything is sent. */
async function targetsOf(
  ids: readonly string[],
  to: string | undefined,
  listener: Listener,
): Promise<Map<string, URL>> {
  const { sender, destinations } = listener;
  const hasSingleTarget = to !== undefined || destinations.forward.apps.size === 0;
  const singleTarget = hasSingleTarget ? await sender.target(to) : undefined;
  const targets = new Map<string, URL>();
  for (const id of ids) {
    // A missing delivery is reported when its replay fails.
    const delivery = singleTarget === undefined ? await listener.get(id).catch(() => undefined) : undefined;
    requireHandler(listener, to, delivery?.appName);
    targets.set(id, singleTarget ?? (await sender.target(to, delivery?.appName)));
  }
  return targets;
}

/**
 * Whoever clicks means a handler: what the listener gets again looks as if the service had sent it twice.
 * @throws UserError if there is no handler
 */
function requireHandler({ destinations }: Listener, to: unknown, appName: string | undefined): void {
  const { kind } = destinations.forwardOf(appName);
  if (to !== undefined || !isGesture() || (kind !== 'off' && kind !== 'untrusted')) return;
  throw new UserError(t('There is no handler to replay to.'), {
    remedies: [{ kind: 'setForwardTo' }, { kind: 'debugHandler' }],
  });
}

/** @throws DeclinedError if the user cancels it, UserError if there is no handler */
export async function replayOne(
  listener: Listener,
  delivery: Delivery,
  how: Omit<Replay, 'id'>,
): Promise<Answer> {
  const { id, appName } = delivery;
  const { to, edit } = how;
  requireHandler(listener, to, appName);
  try {
    // Several may wait at once: the name says which is cancelled.
    return await cancellableProgress(t('Replaying {0}', nameOf(delivery)), (signal) =>
      listener.sender.replay({ id, ...how }, signal),
    );
  } catch (error) {
    const isAsItCame = to === undefined && edit === undefined;
    const isSilent = error instanceof UserError && error.remedies.some(({ kind }) => kind === 'setForwardTo');
    if (isSilent && isAsItCame) {
      error.remedies = [{ kind: 'tryAgain' }, { kind: 'debugDelivery', id }, { kind: 'setForwardTo' }];
    }
    throw error;
  }
}
