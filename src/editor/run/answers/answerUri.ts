import * as vscode from 'vscode';
import { schemes } from '../../ids.ts';

/** The part of a run that a document shows: the answer and outcome, the payload, or only the body, to compare it. */
const parts = ['answer', 'payload', 'body'] as const;

export type AnswerPart = (typeof parts)[number];

export interface AskedAnswer {
  /** The id of the run. */
  id: string;
  part: AnswerPart;
  /** The id of the run whose key order the body is shown in. */
  first?: string;
}

/** The URI of a document of a run. @param title the title of its tab */
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

/** Parses the URI of a document. URIs of earlier versions have no part and refer to answers. */
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
