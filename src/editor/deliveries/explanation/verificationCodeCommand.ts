import * as v from 'valibot';
import * as vscode from 'vscode';
import { t } from '../../../model/text/l10n.ts';
import { readSignature } from '../../../webhooks/signature/signature.ts';
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

/** Under what the workspace remembers for what code was inserted last. */
const lastTargetKey = 'deliveries.verificationTarget';

/** *Insert Verification Code…*: at the cursor of a file of that language, else as a new file. */
export function verificationCodeCommands(
  listener: Listener,
  prompts: Prompts,
  { extensionUri, workspaceState }: vscode.ExtensionContext,
) {
  const ids = verificationTargets.map(({ id }) => id);
  return {
    [commandIds.insertVerificationCode]: command(
      v.object({ target: v.optional(v.picklist(ids)) }),
      async (argument) => {
        const target =
          verificationTargets.find(({ id }) => id === argument?.target) ??
          (await askTarget(prompts, workspaceState));
        const read = async (file: string) => {
          const uri = vscode.Uri.joinPath(extensionUri, 'media/snippets', file);
          return Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('utf8');
        };
        const code = await verificationCode(target, read, await vendorOf(listener));
        await insert(code, target.language);
        return code;
      },
    ),
  };
}

/** Those of the language of the open file come first, then what was picked the last time. */
async function askTarget(prompts: Prompts, memento: vscode.Memento): Promise<VerificationTarget> {
  const open = vscode.window.activeTextEditor?.document.languageId;
  const near = (target: VerificationTarget) => (target.language === open ? 0 : 1);
  const picked = await prompts.pick(
    t('Insert Verification Code'),
    lastFirst(verificationTargets, ({ id }) => id === memento.get(lastTargetKey))
      .sort((a, b) => near(a) - near(b))
      .map((target) => ({ label: target.title, value: target })),
  );
  if (picked === undefined) throw new DeclinedError(t('No code was inserted.'));
  await memento.update(lastTargetKey, picked.id);
  return picked;
}

/** The vendor of the header names, where a signed delivery has told it. */
async function vendorOf(listener: Listener): Promise<string | undefined> {
  for (const { headers } of await listener.list(20)) {
    const read = readSignature(headers);
    if (read.kind === 'signed') return read.vendor;
  }
  return undefined;
}

async function insert(code: string, language: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId === language) {
    // Not insertSnippet: it would take `$` for a variable and move the lines to the cursor's indentation.
    const inserted = await editor.edit((edit) => edit.replace(editor.selection, code));
    if (inserted) return;
  }
  const document = await vscode.workspace.openTextDocument({ language, content: code });
  await vscode.window.showTextDocument(document);
}
