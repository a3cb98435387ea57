import type * as vscode from 'vscode';
import { AnswerFiles } from '../../../client/answers/answerFiles.ts';
import { PayloadStore } from '../payloads/payloadStore.ts';

/** What running keeps in the extension's storage. */
export interface RunFiles {
  payloads: PayloadStore;
  answers: AnswerFiles;
}

export function runFiles(storage: vscode.Uri): RunFiles {
  return { payloads: new PayloadStore(storage), answers: new AnswerFiles(storage.fsPath) };
}

/** Deletes all payloads and answers. */
export async function eraseRunFiles(storage: vscode.Uri): Promise<void> {
  const { payloads, answers } = runFiles(storage);
  await payloads.erase();
  await answers.erase();
}
