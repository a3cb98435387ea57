import * as vscode from 'vscode';
import { schemes } from '../../ids.ts';

/** What a document shows of a run: the answer and how the run went, the payload, or the body alone for comparison. */
const parts = ['answer', 'payload', 'body'] as const;

export type AnswerPart = (typeof parts)[number];

export interface AskedAnswer {
  /** The id of the run. */
  id: string;
  part: AnswerPart;
  /** The id of the run whose key order the body is shown in. */
  first?: string;
}

/** The address of a document of a run. @param title what its tab shows */
export function answerUri(id: string, title: string, scheme: string = schemes.answer): vscode.Uri {
  return uriOf(title, 'answer', id, scheme);
}

export function payloadUri(id: string, title: string): vscode.Uri {
  return uriOf(title, 'payload', id);
}

/** @param first the id of the run whose key order the body is shown in */
export function bodyUri(id: string, title: string, first: string): vscode.Uri {
  return uriOf(title, 'body', `${id}&${first}`);
}

/** Parses the address of a document. Addresses of earlier versions have no part: they are of answers. */
export function askedOf({ path, query }: vscode.Uri): AskedAnswer {
  const [, name] = path.split('/');
  const [id = '', first] = query.split('&');
  const part = parts.find((one) => one === name && path.split('/').length > 2) ?? 'answer';
  return { id, part, ...(first !== undefined && { first }) };
}

/** The argument for the menu commands of an answer's document; undefined for any other document. */
export function argumentOfAnswer(uri: vscode.Uri): { id: string } | undefined {
  return uri.scheme === schemes.answer ? { id: askedOf(uri).id } : undefined;
}

function uriOf(title: string, part: AnswerPart, query: string, scheme: string = schemes.answer): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `/${part}/${title.replaceAll('/', '∕')}`, query });
}
