import * as vscode from 'vscode';
import type { WholeDelivery } from '../../../contract/delivery.ts';
import { saysNotKept } from '../../../deliveries/keptDelivery.ts';
import type { DeliveryEdit } from '../../../contract/deliveryEdit.ts';
import type { Answer } from '../../../deliveries/listenerProtocol.ts';
import { t } from '../../../shared/text/l10n.ts';
import { UserError } from '../../../shared/text/userError.ts';
import { draftText } from '../../../deliveries/draft.ts';
import { readDraft } from '../../../deliveries/readDraft.ts';
import { signedName } from '../../../service/signature/signature.ts';
import type { CommandsOf } from '../../kit/commands.ts';
import type { Listener } from '../../listener/feature.ts';
import { DeclinedError, type Prompts } from '../../kit/prompts.ts';
import { showDocument } from '../../kit/showDocument.ts';
import type { DeliveryFiles } from '../deliveryFiles.ts';
import { deliveryUri, openTab, shows } from '../deliveryUri.ts';
import type { FixtureSaver } from '../fixtures/fixtureSaver.ts';
import { replayOne } from '../replayCommands.ts';
import { tellReplayed } from '../tellSent.ts';
import { isSuccess } from '../../../shared/http/isSuccess.ts';
import { pickDelivery } from '../view/pickDelivery.ts';
import type { DraftStore } from './draftStore.ts';

interface DraftParts {
  listener: Listener;
  prompts: Prompts;
  files: DeliveryFiles;
  drafts: DraftStore;
  fixtures: FixtureSaver;
}

/** A draft that has been read. */
interface ReadDraft {
  delivery: WholeDelivery;
  text: string;
  edit: DeliveryEdit;
}

/** *Edit and Replay*, and the commands for a draft. */
export function draftCommands({ listener, prompts, files, drafts, fixtures }: DraftParts) {
  /** The text last sent of each draft, by delivery id: it is not an unsent change. */
  const sent = new Map<string, string>();

  /** @throws UserError if there is no draft, or it cannot be sent as it is */
  async function read(id: string | undefined): Promise<ReadDraft> {
    const picked = await pickDelivery(listener, prompts, t('Edited Delivery'), id);
    const delivery = await listener.whole(picked.id);
    const open = vscode.workspace.textDocuments.find(({ uri }) => shows(uri, delivery.id, 'draft'));
    const stored = open === undefined ? await drafts.read(delivery.id) : undefined;
    const text = open?.getText() ?? (stored && Buffer.from(stored.bytes).toString());
    if (text === undefined) {
      throw new UserError(t('This delivery is not open for editing. Open it with "Edit and Replay".'));
    }
    return { delivery, text, edit: readDraft(text, delivery, await secretTexts(listener)) };
  }

  async function send({ delivery: { id, appName }, text }: ReadDraft, edit: DeliveryEdit, resign: boolean) {
    const isEdited = Object.keys(edit).length > 0;
    const answer: Answer = await replayOne(listener, { id, resign, ...(isEdited && { edit }) });
    // One that failed is sent again, once the handler is mended.
    if (isSuccess(answer.status)) sent.set(id, text);
    return tellReplayed(prompts, id, answer, listener.destinations.forwardOf(appName));
  }

  /** Opens the draft. Unsent edits are kept unless the user chooses to start over. */
  async function open(delivery: WholeDelivery, asks: boolean): Promise<void> {
    const { id } = delivery;
    await sweep(listener, drafts);
    const stored = openTab(id, 'draft') === undefined ? await drafts.read(id) : undefined;
    if (stored !== undefined) {
      const text = Buffer.from(stored.bytes).toString();
      const isNew = text !== draftText(delivery, await secretTexts(listener)) && text !== sent.get(id);
      if (!(isNew && (!asks || (await askToGoOn(prompts))))) {
        await drafts.delete(id);
        files.tellChanged(id, 'draft');
      }
    }
    const uri = openTab(id, 'draft') ?? deliveryUri(delivery, 'draft');
    await showDocument(uri, { preview: false });
  }

  return {
    editDelivery: async (argument, from) => {
      const { id } = await pickDelivery(listener, prompts, t('Edit and Replay'), argument?.id);
      await open(await listener.whole(id), from !== 'caller');
    },

    sendDraftSigned: async (argument) => {
      const draft = await read(argument?.id);
      return send(draft, draft.edit, true);
    },

    sendDraftUnsigned: async (argument) => {
      const draft = await read(argument?.id);
      return send(draft, unsigned(draft), false);
    },

    saveDraftAsFixture: async (argument, from) => {
      const { delivery, edit } = await read(argument?.id);
      return (await fixtures.save(edited(delivery, edit), from !== 'caller')).toString();
    },
  } satisfies Partial<CommandsOf<'deliveries'>>;
}

async function secretTexts(listener: Listener): Promise<string[]> {
  return (await listener.secrets()).map(({ secret }) => secret);
}

async function askToGoOn(prompts: Prompts): Promise<boolean> {
  const goOn = await prompts.pick(t('Edit and Replay'), [
    { label: t('Continue Editing'), description: t('your draft, not sent yet'), value: true },
    { label: t('Start Over'), description: t('from the delivery as it came'), value: false },
  ]);
  if (goOn === undefined) throw new DeclinedError(t('Nothing was opened.'));
  return goOn;
}

/** Deletes the drafts of deliveries that are no longer kept, except those open in a tab. */
async function sweep(listener: Listener, drafts: DraftStore): Promise<void> {
  // A store that cannot be read looks empty, and reports that elsewhere: delete nothing then.
  if ((await listener.page({}, 1)).deliveries.length === 0) return;
  for (const id of await drafts.ids()) {
    const isGone = () => listener.get(id).then(() => false, saysNotKept);
    if (openTab(id, 'draft') === undefined && (await isGone())) await drafts.delete(id);
  }
}

/** The draft's edit, which also removes the signature headers. */
function unsigned({ delivery, edit }: ReadDraft): DeliveryEdit {
  const names = [...Object.keys(delivery.headers), ...Object.keys(edit.headers ?? {})];
  const gone = names.filter((name) => signedName.test(name)).map((name) => [name, null] as const);
  return gone.length === 0 ? edit : { ...edit, headers: { ...edit.headers, ...Object.fromEntries(gone) } };
}

/** The delivery with its edit applied. It keeps its original signature: a fixture is signed when it is sent. */
function edited({ bodyEncoding, ...delivery }: WholeDelivery, edit: DeliveryEdit): WholeDelivery {
  const changes = Object.entries(edit.headers ?? {}).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  const all = [...new Map<string, string | null>([...Object.entries(delivery.headers), ...changes])];
  const headers = Object.fromEntries(all.flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
  const encoding = edit.body === undefined ? bodyEncoding : edit.bodyEncoding;
  const body = edit.body ?? delivery.body;
  return { ...delivery, headers, body, ...(encoding && { bodyEncoding: encoding }) };
}
