import * as vscode from 'vscode';
import type { WholeDelivery } from '../../contract/delivery.ts';
import { answerDocument, comparedAnswer } from '../../deliveries/answerDocument.ts';
import { comparedDocument } from '../../deliveries/comparedDelivery.ts';
import { shownBody } from '../../deliveries/deliveryBody.ts';
import { deliveryDocument } from '../../deliveries/deliveryDocument.ts';
import { draftText } from '../../deliveries/draft.ts';
import { handlerFailure } from '../../deliveries/handlerFailure.ts';
import { saysNotKept } from '../../deliveries/keptDelivery.ts';
import { t } from '../../shared/text/l10n.ts';
import { config } from '../kit/config.ts';
import { contextIds } from '../kit/ids.ts';
import { type Content, documentBytes, type FileDocuments, MarkedDocuments } from '../kit/documents.ts';
import type { Listener } from '../listener/feature.ts';
import { withoutUtf8Mark } from '../../shared/text/textOfFile.ts';
import { type AnswerPart, type Part, shownIn, shows } from './deliveryUri.ts';
import { hasRun } from './view/deliveryItem.ts';
import type { DraftStore } from './drafts/draftStore.ts';

/** The file system of the documents of deliveries. Only drafts are writable. */
export class DeliveryFiles implements FileDocuments, vscode.Disposable {
  readonly #listener: Listener;
  readonly #drafts: DraftStore;
  readonly #removed = new MarkedDocuments(contextIds.removedDeliveries);
  readonly #ofRuns = new MarkedDocuments(contextIds.deliveriesOfRuns);
  readonly #handed = new MarkedDocuments(contextIds.handedDeliveries);
  readonly #changed = new vscode.EventEmitter<readonly vscode.Uri[]>();
  readonly onDidChange = this.#changed.event;
  readonly #subscriptions: readonly { dispose(): unknown }[];

  constructor(listener: Listener, drafts: DraftStore) {
    this.#listener = listener;
    this.#drafts = drafts;
    this.#subscriptions = [
      this.#changed,
      listener.onDidChangeDelivery(({ id }) => this.#reload((uri) => shows(uri, id, 'delivery'))),
      // What is edited stays.
      listener.onDidClear(() => this.#reload((uri) => !['draft', undefined].includes(shownIn(uri)?.part))),
    ];
  }

  /** Makes the editor read open documents again. */
  #reload(concerns: (uri: vscode.Uri) => boolean): void {
    const held = vscode.workspace.textDocuments.map(({ uri }) => uri).filter(concerns);
    if (held.length > 0) this.#changed.fire(held);
  }

  async read(uri: vscode.Uri): Promise<Content> {
    const { id, part, of } = shownIn(uri) ?? {};
    if (id === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    const stored = part === 'draft' ? await this.#drafts.read(id) : undefined;
    if (stored !== undefined)
      return {
        bytes: documentBytes(uri, stored.bytes),
        ctime: stored.mtime,
        mtime: stored.mtime,
        isWritable: true,
      };
    const delivery = await this.#listener.whole(id).catch((error: unknown) => {
      if (part !== 'draft' && saysNotKept(error)) return undefined;
      throw vscode.FileSystemError.FileNotFound(uri);
    });
    const isResponse = part === 'response' || part === 'comparedResponse';
    // A tab that a reload brings back: the editor would offer to create the file.
    if (delivery === undefined) {
      this.#removed.mark(uri.toString());
      const said = t('This delivery is no longer kept.');
      const bytes = documentBytes(uri, isResponse ? said : JSON.stringify(said));
      // The editor reads a file again only if its modification time has increased.
      return { bytes, ctime: 0, mtime: Date.now() };
    }
    if (part === 'delivery') await this.#mark(uri, id);
    if (isResponse) return this.#answer(delivery, part, of, uri);
    const first = () =>
      this.#listener.whole(of ?? '').catch(() => {
        throw vscode.FileSystemError.FileNotFound(uri);
      });
    const bytes =
      part === 'body' ? shownBody(delivery) : documentBytes(uri, await this.#text(delivery, part, first));
    const ctime = Date.parse(delivery.receivedAt);
    if (part === 'draft') return { bytes, ctime, mtime: ctime, isWritable: true };
    // A delivery changes with each attempt, and its size might stay the same.
    return { bytes, ctime, mtime: Date.parse(delivery.attempts?.at(-1)?.at ?? delivery.receivedAt) };
  }

  async write(uri: vscode.Uri, bytes: Uint8Array): Promise<void> {
    const shown = shownIn(uri);
    if (shown?.part !== 'draft') throw vscode.FileSystemError.NoPermissions(uri);
    await this.#drafts.write(shown.id, withoutUtf8Mark(bytes));
  }

  dispose(): void {
    for (const one of this.#subscriptions) one.dispose();
  }

  /** Its menus have what those of its row have. */
  async #mark(uri: vscode.Uri, id: string): Promise<void> {
    const delivery = await this.#listener.get(id).catch(() => undefined);
    this.#ofRuns.mark(uri.toString(), delivery !== undefined && hasRun(delivery));
    this.#handed.mark(uri.toString(), delivery?.forward !== undefined);
  }

  async #text(
    delivery: WholeDelivery,
    part: Part | undefined,
    first: () => Promise<WholeDelivery>,
  ): Promise<string> {
    const secrets = await this.#secrets();
    if (part === 'draft') return draftText(delivery, secrets);
    return part === 'compared'
      ? comparedDocument(delivery, await first(), secrets)
      : deliveryDocument(delivery, secrets);
  }

  /** The answer to one attempt. It never changes: each attempt has its own document. */
  async #answer(
    delivery: WholeDelivery,
    part: AnswerPart,
    of: string | undefined,
    uri: vscode.Uri,
  ): Promise<Content> {
    const attempt = delivery.attempts?.findLast(({ at }) => at === of);
    if (attempt === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    const storedAnswer = await this.#listener.sender.answer(delivery.id, attempt.at);
    const secrets = await this.#listener.secrets();
    const texts = secrets.map(({ secret }) => secret);
    const toleranceSeconds = config.timestampToleranceSeconds();
    const { rawHeaders } = storedAnswer ?? {};
    const text =
      part === 'comparedResponse'
        ? comparedAnswer(delivery, attempt, storedAnswer, texts)
        : answerDocument(
            delivery,
            attempt,
            storedAnswer,
            texts,
            handlerFailure({ delivery, attempt, rawHeaders, secrets, toleranceSeconds })?.reasons,
          );
    const time = Date.parse(attempt.at);
    return { bytes: documentBytes(uri, text), ctime: time, mtime: time };
  }

  async #secrets(): Promise<string[]> {
    return (await this.#listener.secrets()).map(({ secret }) => secret);
  }
}
