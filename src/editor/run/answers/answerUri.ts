import * as vscode from 'vscode';
import { schemes } from '../../ids.ts';

/** What a document shows of a run: its answer with how it went, what was sent, or the body alone to be compared. */
const parts = ['answer', 'payload', 'body'] as const;

export type AnswerPart = (typeof parts)[number];

export interface AskedAnswer {
  /** Of the run. */
  id: string;
  part: AnswerPart;
  /** The run whose order of keys it has. */
  first?: string;
}

/** The address of a document of a run. @param title what its tab shows */
export function answerUri(id: string, title: string, scheme: string = schemes.answer): vscode.Uri {
  return uriOf(title, 'answer', id, scheme);
}

export function payloadUri(id: string, title: string): vscode.Uri {
  return uriOf(title, 'payload', id);
}

/** @param first the run whose order of keys it has */
export function bodyUri(id: string, title: string, first: string): vscode.Uri {
  return uriOf(title, 'body', `${id}&${first}`);
}

/** Earlier versions had no part in the address. */
export function askedOf({ path, query }: vscode.Uri): AskedAnswer {
  const [, name] = path.split('/');
  const [id = '', first] = query.split('&');
  const part = parts.find((one) => one === name && path.split('/').length > 2) ?? 'answer';
  return { id, part, ...(first !== undefined && { first }) };
}

/** What the menu of an answer's document is about. */
export function argumentOfAnswer(uri: vscode.Uri): { id: string } | undefined {
  return uri.scheme === schemes.answer ? { id: askedOf(uri).id } : undefined;
}

function uriOf(title: string, part: AnswerPart, query: string, scheme: string = schemes.answer): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `/${part}/${title.replaceAll('/', '∕')}`, query });
}
