import * as vscode from 'vscode';
import type { Delivery } from '../../model/deliveries/delivery.ts';
import { shownBody } from '../../webhooks/deliveries/deliveryBody.ts';
import { deliveryDocument } from '../../webhooks/deliveries/deliveryDocument.ts';
import { fixtureName } from '../../webhooks/deliveries/fixture.ts';
import type { ReadableFiles } from '../activation/lazyFiles.ts';
import { schemes } from '../ids.ts';
import type { Listener } from '../listener/feature.ts';
import type { Explainer } from './explanation/explainer.ts';

/** What is shown of a delivery: all of it, its raw body, or why it verifies or does not. */
export type Part = (typeof parts)[number];

const parts = ['delivery', 'body', 'explanation'] as const;

/** The address of a document of a delivery. Its name is what the tab shows. */
export function deliveryUri(delivery: Delivery, part: Part): vscode.Uri {
  const name = fixtureName(delivery);
  const isText = delivery.bodyEncoding === undefined;
  const ends: Record<Part, string> = {
    delivery: '.json',
    body: isText ? '.txt' : '.hex.txt',
    explanation: '.txt',
  };
  return vscode.Uri.from({
    scheme: schemes.delivery,
    path: `/${encodeURIComponent(delivery.id)}/${part}/${name}${ends[part]}`,
  });
}

/** The delivery and the part that a document shows; undefined for any other document. */
export function shownIn({ scheme, path }: vscode.Uri): { id: string; part: Part } | undefined {
  const [, id = '', name] = path.split('/');
  const part = parts.find((one) => one === name);
  return scheme === schemes.delivery && part ? { id: decodeURIComponent(id), part } : undefined;
}

/** The documents of deliveries. */
export class DeliveryFiles implements ReadableFiles, vscode.Disposable {
  readonly #listener: Listener;
  readonly #explainer: Explainer;
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;
  readonly #subscriptions: readonly { dispose(): unknown }[];

  constructor(listener: Listener, explainer: Explainer) {
    this.#listener = listener;
    this.#explainer = explainer;
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
    if (part === 'explanation') {
      const { text, at } = await this.#explainer.delivery(id).catch((error: unknown) => {
        throw vscode.FileSystemError.Unavailable(error instanceof Error ? error.message : String(error));
      });
      return { bytes: Buffer.from(text), ctime: at, mtime: at };
    }
    const delivery = await this.#listener.get(id).catch(() => {
      throw vscode.FileSystemError.FileNotFound(uri);
    });
    const bytes = part === 'body' ? shownBody(delivery) : await this.#document(delivery);
    const ctime = Date.parse(delivery.receivedAt);
    // A delivery changes with each attempt; the size alone might not tell.
    return { bytes, ctime, mtime: Date.parse(delivery.attempts?.at(-1)?.at ?? delivery.receivedAt) };
  }

  async #document(delivery: Delivery): Promise<Buffer> {
    const secrets = await this.#listener.secrets();
    const texts = secrets.map(({ secret }) => secret);
    return Buffer.from(deliveryDocument(delivery, texts));
  }
}
