import * as vscode from 'vscode';
import type { Delivery } from '../../../contract/delivery.ts';
import { t } from '../../../shared/text/l10n.ts';
import { UserError } from '../../../shared/text/userError.ts';
import { saysNotKept } from '../../../deliveries/keptDelivery.ts';
import { outcomeText } from '../../../deliveries/outcomeText.ts';
import { plainText } from '../../../shared/text/plainText.ts';
import { isGesture } from '../../kit/commands.ts';
import { joined } from '../../kit/tree.ts';
import { DeclinedError, type Prompts } from '../../kit/prompts.ts';
import type { Listener } from '../../listener/feature.ts';
import { shownIn } from '../deliveryUri.ts';
import { timeText, titleOf } from './deliveryItem.ts';

/** How many recent deliveries are offered. */
const maxOffered = 50;

/**
 * The delivery that a command is about: the one in its argument, else the one whose document is in front, else one that
 * the user picks.
 * @throws UserError if there is none, DeclinedError if the user picks none
 */
export async function pickDelivery(
  listener: Listener,
  prompts: Prompts,
  title: string,
  id: string | undefined,
): Promise<Delivery> {
  if (id !== undefined) {
    // Whoever clicked has never seen the id.
    return listener.get(id).catch((error: unknown) => {
      throw isGesture() ? withoutId(error) : error;
    });
  }
  // It may have been deleted since.
  const inFront = await deliveryInFront(listener).catch(() => undefined);
  return inFront ?? askForDelivery(listener, prompts, title);
}

/** Says that a delivery is no longer kept without its id. Another error stays as it is. */
export function withoutId(error: unknown): unknown {
  if (!saysNotKept(error)) return error;
  return new UserError(t('This delivery is no longer kept.'), { remedies: [{ kind: 'runApp' }] });
}

async function deliveryInFront(listener: Listener): Promise<Delivery | undefined> {
  const document = vscode.window.activeTextEditor?.document;
  const shown = document && shownIn(document.uri);
  // A draft is not the delivery that it was made from.
  return shown === undefined || shown.part === 'draft' ? undefined : listener.get(shown.id);
}

/**
 * Asks for a delivery.
 * @param except the id of a delivery that is not offered
 * @throws UserError if there is none, DeclinedError if the user picks none
 */
export async function askForDelivery(
  listener: Listener,
  prompts: Prompts,
  title: string,
  except?: string,
): Promise<Delivery> {
  const { deliveries } = await listener.page({}, maxOffered);
  const recent = deliveries.filter((one) => one.id !== except);
  if (recent.length === 0) {
    throw new UserError(
      except === undefined ? t('There is no delivery.') : t('There is no other delivery.'),
      { remedies: [{ kind: 'sendTestDelivery' }, { kind: 'runApp' }] },
    );
  }
  const picked = await prompts.pick(
    title,
    recent.map((delivery) => ({
      label: titleOf(delivery),
      description: joined(
        ' · ',
        plainText(outcomeText(delivery), 80),
        delivery.repeatOf !== undefined && t('repeat'),
        timeText(delivery.receivedAt),
      ),
      value: delivery.id,
    })),
  );
  if (picked === undefined) throw new DeclinedError(t('No delivery was chosen.'));
  return listener.get(picked);
}
