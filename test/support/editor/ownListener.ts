import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Log } from '../../../src/editor/kit/log.ts';
import { Destinations } from '../../../src/editor/listener/destinations.ts';
import { Listener } from '../../../src/editor/listener/listener.ts';
import { webhookSecrets } from '../../../src/editor/listener/secrets/webhookSecrets.ts';
import { AnsweredPrompts } from './answeredPrompts.ts';
import type { MemoryMemento } from './memoryMemento.ts';
import { MemorySecrets } from './memorySecrets.ts';

/**
 * A listener of the test's own, as a window of another workspace has one.
 * @param folder where its program keeps deliveries
 * @param logError gets each line of an error
 */
export function ownListener(
  folder: string,
  memento: MemoryMemento,
  logError: (line: unknown) => void = () => undefined,
): Listener {
  const { extensionPath, packageJSON } = vscode.extensions.getExtension<unknown>('runhook.runhook')! as {
    extensionPath: string;
    packageJSON: { version: string };
  };
  return new Listener({
    entry: join(extensionPath, 'dist', 'runhook.js'),
    folder,
    version: packageJSON.version,
    memento,
    secrets: webhookSecrets(new MemorySecrets(), { all: () => [] }),
    destinations: new Destinations(memento, new AnsweredPrompts()),
    passOn: () => Promise.resolve(),
    log: { info: () => undefined, error: logError } as unknown as Log,
  });
}
