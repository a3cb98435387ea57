import type * as vscode from 'vscode';
import { schemes } from '../../ids.ts';
import { type Addresses, addresses } from '../../kit/documents.ts';

/** What the address of a run's document says. */
export interface AskedAnswer {
  /** The id of the run. */
  id: string;
  /** The answer and outcome, the payload, or only the body, to compare it. */
  part: 'answer' | 'payload' | 'body';
  /** The title of the tab. */
  title: string;
  /** The id of the run whose key order the body is shown in. */
  first?: string;
}

export const answerPattern = '/{part}/{title}?{id}&{first}';

export const answerAddresses = addresses<AskedAnswer>(schemes.answer, answerPattern);

/** What a document was asked to show. Addresses of earlier versions have no part and refer to answers. */
export function askedOf(uri: vscode.Uri, from: Addresses<AskedAnswer> = answerAddresses): AskedAnswer {
  const { id = '', part = 'answer', title = '', ...more } = from.argument(uri) ?? {};
  return { id, part, title, ...more };
}
