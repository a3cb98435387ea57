import * as vscode from 'vscode';
import type { Delivery } from '../../model/deliveries/delivery.ts';
import { comparedDocument } from '../../webhooks/deliveries/comparedDelivery.ts';
import { shownBody } from '../../webhooks/deliveries/deliveryBody.ts';
import { deliveryDocument } from '../../webhooks/deliveries/deliveryDocument.ts';
import { fixtureName } from '../../webhooks/deliveries/fixture.ts';
import type { ReadableFiles } from '../activation/lazyFiles.ts';
import { schemes } from '../ids.ts';
import type { Listener } from '../listener/feature.ts';

/** What a document shows of a delivery: all of it, its raw body, or what is compared. */
export type Part = (typeof parts)[number];

const parts = ['delivery', 'body', 'compared'] as const;

/** The address of a document of a delivery. Its name is what the tab shows. */
export function deliveryUri(delivery: Delivery, part: Part): vscode.Uri {
  const name = fixtureName(delivery);
  const isText = delivery.bodyEncoding === undefined;
  const ends: Record<Part, string> = {
    delivery: '.json',
    body: isText ? '.txt' : '.hex.txt',
    compared: '.json',
  };
  return vscode.Uri.from({
    scheme: schemes.delivery,
    path: `/${encodeURIComponent(delivery.id)}/${part}/${name}${ends[part]}`,
  });
}

/** The address of what is compared of a delivery. @param first the one whose order of keys it has */
export function comparedUri(delivery: Delivery, first: Delivery): vscode.Uri {
  return deliveryUri(delivery, 'compared').with({ query: first.id });
}

/** The delivery and the part that a document shows; undefined for any other document. */
export function shownIn({ scheme, path }: vscode.Uri): { id: string; part: Part } | undefined {
  const [, id = '', name] = path.split('/');
  const part = parts.find((one) => one === name);
  return scheme === schemes.delivery && part ? { id: decodeURIComponent(id), part } : undefined;
}

/** What a menu of a delivery's document is about. */
export function argumentOf(uri: vscode.Uri): { id: string } | undefined {
  const shown = shownIn(uri);
  return shown && { id: shown.id };
}

/** The documents of deliveries. */
export class DeliveryFiles implements ReadableFiles, vscode.Disposable {
  readonly #listener: Listener;
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;
  readonly #subscriptions: readonly { dispose(): unknown }[];

  constructor(listener: Listener) {
    this.#listener = listener;
    this.#subscriptions = [
      this.#changed,
      listener.onDidChangeDelivery((delivery) => {
        this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri: deliveryUri(delivery, 'delivery') }]);
      }),
    ];
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { bytes, ctime, mtime } = await this.#read(uri);
    return {
      type: vscode.FileType.File,
      permissions: vscode.FilePermission.Readonly,
      ctime,
      mtime,
      size: bytes.length,
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.#read(uri)).bytes;
  }

  dispose(): void {
    for (const one of this.#subscriptions) one.dispose();
  }

  async #read(uri: vscode.Uri): Promise<{ bytes: Uint8Array; ctime: number; mtime: number }> {
    const { id, part } = shownIn(uri) ?? {};
    if (id === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    const get = (kept: string): Promise<Delivery> =>
      this.#listener.get(kept).catch(() => {
        throw vscode.FileSystemError.FileNotFound(uri);
      });
    const delivery = await get(id);
    const bytes = await this.#bytes(delivery, part, () => get(uri.query));
    const ctime = Date.parse(delivery.receivedAt);
    // A delivery changes with each attempt; the size alone might not tell.
    return { bytes, ctime, mtime: Date.parse(delivery.attempts?.at(-1)?.at ?? delivery.receivedAt) };
  }

  async #bytes(
    delivery: Delivery,
    part: Part | undefined,
    first: () => Promise<Delivery>,
  ): Promise<Uint8Array> {
    if (part === 'body') return shownBody(delivery);
    return part === 'compared' ? this.#compared(delivery, await first()) : this.#document(delivery);
  }

  async #document(delivery: Delivery): Promise<Buffer> {
    return Buffer.from(deliveryDocument(delivery, await this.#secrets()));
  }

  async #compared(delivery: Delivery, first: Delivery): Promise<Buffer> {
    return Buffer.from(comparedDocument(delivery, first, await this.#secrets()));
  }

  async #secrets(): Promise<string[]> {
    return (await this.#listener.secrets()).map(({ secret }) => secret);
  }
}
