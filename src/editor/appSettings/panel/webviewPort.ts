import * as v from 'valibot';
import type * as vscode from 'vscode';
import type { Port } from '../../../model/processes/channel.ts';
import { hostCallSchemas, webviewMessageSchema } from '../../../model/settings/formProtocol.ts';
import type { Log } from '../../log.ts';

/**
 * The host's end of a webview. A web VS Code may share its origin with the webview, so that anybody could send:
 * what does not fit the protocol never gets past here. A request that does not fit is answered with a failure.
 */
export class WebviewPort implements Port {
  readonly #webview: vscode.Webview;
  readonly #log: Log;
  readonly #subscriptions: vscode.Disposable[] = [];

  constructor(webview: vscode.Webview, log: Log) {
    this.#webview = webview;
    this.#log = log;
  }

  postMessage(message: unknown): void {
    this.#webview.postMessage(message).then(undefined, (error: unknown) => this.#log.warn(String(error)));
  }

  on(_event: 'message', listener: (message: unknown) => void): void {
    this.#subscriptions.push(
      this.#webview.onDidReceiveMessage((message: unknown) => {
        const fitting = fittingMessage(message);
        if (fitting.ok) listener(fitting.message);
        else this.#refuse(message, fitting.reason);
      }),
    );
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #refuse(message: unknown, reason: string): void {
    this.#log.warn(`A message of the settings form was refused: ${reason}`);
    const id = v.safeParse(v.object({ kind: v.literal('request'), id: v.number() }), message);
    if (!id.success) return;
    this.postMessage({
      kind: 'failure',
      id: id.output.id,
      failure: { message: 'The request does not fit the protocol.', forUser: true },
    });
  }
}

/** The message where it fits the protocol, or why it does not. */
export function fittingMessage(
  message: unknown,
): { ok: true; message: v.InferOutput<typeof webviewMessageSchema> } | { ok: false; reason: string } {
  const read = v.safeParse(webviewMessageSchema, message);
  if (!read.success) return { ok: false, reason: read.issues[0].message };
  if (read.output.kind !== 'request') return { ok: true, message: read.output };
  const takes = v.safeParse(hostCallSchemas[read.output.name], read.output.takes);
  if (!takes.success) return { ok: false, reason: takes.issues[0].message };
  return { ok: true, message: { ...read.output, takes: takes.output } };
}
