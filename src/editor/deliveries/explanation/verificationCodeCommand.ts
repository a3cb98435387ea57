import { basename } from 'node:path';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { t } from '../../../model/text/l10n.ts';
import { readSignature } from '../../../webhooks/signature/signature.ts';
import { placedCode } from '../../../webhooks/signature/placedCode.ts';
import {
  verificationCode,
  type VerificationTarget,
  verificationTargets,
} from '../../../webhooks/signature/verificationCode.ts';
import { command } from '../../commands.ts';
import { DeclinedError } from '../../prompts/declinedError.ts';
import { commandIds } from '../../ids.ts';
import { lastFirst } from '../../prompts/lastFirst.ts';
import type { Listener } from '../../listener/feature.ts';
import type { Prompts } from '../../prompts/prompts.ts';

/** Workspace state key of the target for which code was inserted last. */
const lastTargetKey = 'deliveries.verificationTarget';

/** *Insert Verification Code…*: at the cursor if the open file has the language of the code, else as a new file. */
export function verificationCodeCommands(
  listener: Listener,
  prompts: Prompts,
  { extensionUri, workspaceState }: vscode.ExtensionContext,
) {
  const ids = verificationTargets.map(({ id }) => id);
  return {
    [commandIds.insertVerificationCode]: command(
      v.object({
        target: v.optional(v.picklist(ids)),
        /** Whether it opens as a new file, though a file of its language is open. */
        newFile: v.optional(v.boolean()),
      }),
      async (argument) => {
        const target =
          verificationTargets.find(({ id }) => id === argument?.target) ??
          (await askTarget(prompts, workspaceState));
        const read = async (file: string) => {
          const uri = vscode.Uri.joinPath(extensionUri, 'media/snippets', file);
          return Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('utf8');
        };
        const code = await verificationCode(target, read, await vendorOf(listener));
        await insert(code, target.language, argument?.newFile === true);
        return code;
      },
    ),
  };
}

/** Targets in the open file's language come first, then the one picked last. */
async function askTarget(prompts: Prompts, memento: vscode.Memento): Promise<VerificationTarget> {
  const near = (target: VerificationTarget) => (fittingEditor(target.language) ? 0 : 1);
  const where = ({ language }: VerificationTarget) => {
    const name = fittingEditor(language)?.document.fileName;
    return name === undefined ? t('as a new file') : t('at the cursor of {0}', basename(name));
  };
  const picked = await prompts.pick(
    t('Insert Verification Code'),
    lastFirst(verificationTargets, ({ id }) => id === memento.get(lastTargetKey))
      .sort((a, b) => near(a) - near(b))
      .map((target) => ({ label: target.title, description: where(target), value: target })),
  );
  if (picked === undefined) throw new DeclinedError(t('No code was inserted.'));
  await memento.update(lastTargetKey, picked.id);
  return picked;
}

/** The vendor of the header names. Taken only from a verified delivery: anybody may send another name. */
async function vendorOf(listener: Listener): Promise<string | undefined> {
  const newest = await listener.list(20).catch(() => []);
  for (const { headers, verdict } of newest) {
    const read = readSignature(headers);
    if (verdict === 'verified' && read.kind === 'signed') return read.vendor;
  }
  return undefined;
}

/** Inserts into the open file as one undo step, or opens a new file if requested or if the open file does not fit. */
async function insert(code: string, language: string, inNewFile: boolean): Promise<void> {
  const editor = inNewFile ? undefined : fittingEditor(language);
  // Not insertSnippet: it would take `$` for a variable and move the lines to the cursor's indentation.
  if (editor !== undefined && (await editor.edit((edit) => place(edit, editor, code)))) return;
  const document = await vscode.workspace.openTextDocument({ language, content: code });
  await vscode.window.showTextDocument(document);
}

function place(edit: vscode.TextEditorEdit, { document, selection }: vscode.TextEditor, code: string): void {
  if (!scripts.test(document.languageId)) {
    edit.replace(selection, code);
    return;
  }
  const text = document.getText();
  const { imports, at, rest } = placedCode(text, code);
  const top = document.positionAt(at);
  const begin = /(?:^|\n)$/.test(text.slice(0, at)) ? '' : '\n';
  if (selection.start.isAfter(top)) {
    if (imports !== '') edit.insert(top, begin + imports);
    edit.replace(selection, rest);
  } else {
    // The cursor is at or above the file's imports: insert all of it after them.
    edit.insert(top, begin + (imports === '' ? rest : `${imports}\n${rest}`));
  }
}

/** The languages whose imports are at the top of a file. */
const scripts = /^(?:javascript|typescript)(?:react)?$/;

/** The active editor if its file is in this language. */
function fittingEditor(language: string): vscode.TextEditor | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor?.document.languageId.replace(/react$/, '') === language ? editor : undefined;
}
