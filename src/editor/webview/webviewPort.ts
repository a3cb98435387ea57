import * as v from 'valibot';
import type * as vscode from 'vscode';
import type { Port } from '../../model/processes/channel.ts';
import type { Log } from '../log.ts';

const requestId = v.object({ kind: v.literal('request'), id: v.number() });

/**
 * The host's end of a webview. VS Code for the Web may share its origin with the webview, so anybody could send
 * messages: one that does not fit the protocol is dropped here. A request that does not fit is answered with a
 * failure.
 * @param name the name of the page, for the log
 * @param schema the schema of the messages that its script sends
 */
export function webviewPort(webview: vscode.Webview, name: string, schema: v.GenericSchema, log: Log): Port {
  const postMessage = (message: unknown) => {
    webview.postMessage(message).then(undefined, (error: unknown) => log.warn(String(error)));
  };
  const refuse = (message: unknown, reason: string) => {
    log.warn(`A message of the page ${name} was refused: ${reason}`);
    const request = v.safeParse(requestId, message);
    if (!request.success) return;
    const failure = { message: 'The request does not fit the protocol.', forUser: true };
    postMessage({ kind: 'failure', id: request.output.id, failure });
  };
  return {
    postMessage,
    on: (_event, listener) =>
      webview.onDidReceiveMessage((message: unknown) => {
        const read = v.safeParse(schema, message);
        if (read.success) listener(read.output);
        else refuse(message, read.issues[0].message);
      }),
  };
}
