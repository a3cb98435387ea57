import * as vscode from 'vscode';
import { commandIds } from '../../../contract/commands.ts';
import type { WholeDelivery } from '../../../contract/delivery.ts';
import { saysNotKept } from '../../../deliveries/keptDelivery.ts';
import type { DeliveryEdit } from '../../../contract/deliveryEdit.ts';
import type { Answer } from '../../../deliveries/listenerProtocol.ts';
import { t } from '../../../shared/text/l10n.ts';
import { UserError } from '../../../shared/text/userError.ts';
import { draftText } from '../../../deliveries/draft.ts';
import { unsignedOutcome } from '../../../deliveries/refusal.ts';
import { readDraft } from '../../../deliveries/readDraft.ts';
import { signedName } from '../../../service/signature/signature.ts';
import { clicked, type CommandsOf } from '../../kit/commands.ts';
import type { Listener } from '../../listener/feature.ts';
import type { Prompts } from '../../kit/prompts.ts';
import { showDocument } from '../../kit/showDocument.ts';
import { deliveryUri, openTab, shows } from '../deliveryUri.ts';
import type { FixtureSaver } from '../fixtures/fixtureSaver.ts';
import { replayOne } from '../replayCommands.ts';
import { tellReplayed } from '../tellSent.ts';
import { pickDelivery } from '../view/pickDelivery.ts';
import type { DraftStore } from './draftStore.ts';

interface DraftParts {
  listener: Listener;
  prompts: Prompts;
  drafts: DraftStore;
  fixtures: FixtureSaver;
}

/** A draft that has been read. */
interface ReadDraft {
  delivery: WholeDelivery;
  edit: DeliveryEdit;
}

/** *Edit and Replay*, and the commands for a draft. */
export function draftCommands({ listener, prompts, drafts, fixtures }: DraftParts) {
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
    return { delivery, edit: readDraft(text, delivery, await secretTexts(listener)) };
  }

  async function send({ delivery }: ReadDraft, edit: DeliveryEdit, resign: boolean) {
    const { id, appName } = delivery;
    const isEdited = Object.keys(edit).length > 0;
    const answer: Answer = await replayOne(listener, delivery, { resign, ...(isEdited && { edit }) });
    const openResponse = async () => {
      const { attempts = [] } = await listener.get(id);
      await vscode.commands.executeCommand(
        commandIds.openAppAnswer,
        ...clicked({ id, at: attempts.at(-1)?.at }, true),
      );
    };
    const { status, body } = answer;
    const unsigned = resign ? undefined : unsignedOutcome({ kind: 'unsigned', status, answer: body });
    const told = { unsigned, ...(isEdited ? { openResponse } : { id }) };
    return tellReplayed(prompts, told, answer, listener.destinations.forwardOf(appName));
  }

  /** Opens the draft as it was left, or as the delivery came: what that takes away can be undone. */
  async function open(delivery: WholeDelivery, startsOver: boolean): Promise<void> {
    await sweep(listener, drafts);
    const uri = openTab(delivery.id, 'draft') ?? deliveryUri(delivery, 'draft');
    const { document } = await showDocument(uri, { preview: false });
    if (!startsOver) return;
    const all = new vscode.Range(0, 0, document.lineCount, 0);
    const change = new vscode.WorkspaceEdit();
    change.replace(document.uri, all, draftText(delivery, await secretTexts(listener)));
    await vscode.workspace.applyEdit(change);
  }

  return {
    editDelivery: async (argument) => {
      const { id } = await pickDelivery(listener, prompts, t('Edit and Replay'), argument?.id);
      await open(await listener.whole(id), argument?.startOver === true);
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
