import * as vscode from 'vscode';
import type { AccountRef } from '../../../model/projects/project.ts';
import { schemes } from '../../ids.ts';
import { addresses, textDocuments } from '../../kit/documents.ts';

const keysAddresses = addresses<{ title: string }>(schemes.keys, '/{title}.json');

/** Shows the masked responses of the service for lists whose shape was not recognised. */
export interface RawKeys {
  /** @param raw a JSON value without secrets */
  open(account: AccountRef, raw: unknown): Promise<void>;
  dispose(): void;
}

export function rawKeys(): RawKeys {
  const texts = new Map<string, string>();
  // Empty after a reload: lists of an unknown shape are not stored.
  const documents = textDocuments(keysAddresses, ({ title = '' }) => texts.get(title) ?? '');
  return {
    async open({ projectId, serviceAccountId }, raw) {
      const title = `${projectId} ${serviceAccountId}`.replaceAll('/', '∕');
      texts.set(title, documentOf(raw));
      // A document that is already open shows the new list.
      documents.changed({ title });
      await vscode.window.showTextDocument(keysAddresses.uri({ title }), { preview: true });
    },
    dispose: () => documents.dispose(),
  };
}

/** A longer text, in characters, is not indented: nobody reads it, and indentation multiplies its size. */
const maxIndented = 1024 * 1024;

function documentOf(raw: unknown): string {
  const text = JSON.stringify(raw);
  return `${text.length > maxIndented ? text : JSON.stringify(raw, undefined, 2)}\n`;
}
