import { basename } from 'node:path';
import * as vscode from 'vscode';
import { t } from '../../../shared/text/l10n.ts';
import { readSignature } from '../../../service/signature/signature.ts';
import {
  type VerificationTarget,
  placedCode,
  targetTitle,
  verificationCode,
  verificationTargets,
} from '../../../service/signature/verificationCode.ts';
import type { CommandsOf } from '../../kit/commands.ts';
import { orUndefined } from '../../kit/files.ts';
import { DeclinedError, lastUsedFirst, type Prompts } from '../../kit/prompts.ts';
import { showDocument } from '../../kit/showDocument.ts';
import type { Listener } from '../../listener/feature.ts';

/** Workspace state key of the target for which code was inserted last. */
const lastTargetKey = 'deliveries.verificationTarget';

/** *Insert Verification Code…*: at the cursor if the open file has the language of the code, else as a new file. */
export function verificationCodeCommands(
  listener: Listener,
  prompts: Prompts,
  { extensionUri, workspaceState }: vscode.ExtensionContext,
) {
  return {
    insertVerificationCode: async (argument) => {
      const target =
        verificationTargets.find(({ id }) => id === argument?.target) ??
        (await askTarget(prompts, workspaceState));
      const read = async (file: string) => {
        const uri = vscode.Uri.joinPath(extensionUri, 'media/snippets', file);
        return Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('utf8');
      };
      const code = await verificationCode(target, read, await vendorOf(listener), routeOf(listener));
      await insert(code, target, argument?.newFile === true);
      return code;
    },
  } satisfies Partial<CommandsOf<'deliveries'>>;
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
    lastUsedFirst(verificationTargets, ({ id }) => id === memento.get(lastTargetKey))
      .sort((a, b) => near(a) - near(b))
      .map((target) => ({ label: targetTitle(target), description: where(target), value: target })),
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

/** The path that deliveries are forwarded to. */
function routeOf({ destinations }: Listener): string | undefined {
  const { rest } = destinations.forward;
  return 'to' in rest ? URL.parse(rest.to)?.pathname : undefined;
}

/** Inserts into the open file as one undo step, or opens a new file if requested or if the open file does not fit. */
async function insert(code: string, target: VerificationTarget, inNewFile: boolean): Promise<void> {
  const editor = inNewFile ? undefined : fittingEditor(target.language);
  // Not insertSnippet: it would take `$` for a variable and move the lines to the cursor's indentation.
  if (editor !== undefined && (await editor.edit((edit) => place(edit, editor, code)))) return;
  const shown = await showDocument((await newDocument(target)).uri);
  await shown.edit((edit) => edit.insert(new vscode.Position(0, 0), code));
  const own = shown.document.positionAt(Math.max(code.search(ownPart), 0));
  shown.selection = new vscode.Selection(own, own);
  shown.revealRange(shown.selection);
}

/** An empty document that is saved under a fitting name into the folder of the workspace, if there is one. */
async function newDocument({ language, file }: VerificationTarget): Promise<vscode.TextDocument> {
  const open = vscode.window.activeTextEditor?.document.uri;
  const { getWorkspaceFolder, workspaceFolders, textDocuments, openTextDocument } = vscode.workspace;
  const folder = (open && getWorkspaceFolder(open)) ?? workspaceFolders?.[0];
  if (folder?.uri.scheme !== 'file') return openTextDocument({ language });
  // What stands in the file of a framework serves anything; Node takes imports in a .mjs whatever the package says.
  const fitting = basename(file)
    .replace(/^(?:node|express|fetch)\b/, 'handler')
    .replace(/js$/, 'mjs');
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? fitting : fitting.replace('.', `${number}.`);
    const uri = vscode.Uri.joinPath(folder.uri, name);
    if (textDocuments.some((one) => one.uri.path === uri.path)) continue;
    if ((await orUndefined(vscode.workspace.fs.stat(uri))) !== undefined) continue;
    return openTextDocument(uri.with({ scheme: 'untitled' }));
  }
}

/** Where the user's own code goes: the line that says what has come. */
const ownPart = /\S.*["']Delivery\b/;

function place(edit: vscode.TextEditorEdit, { document, selection }: vscode.TextEditor, code: string): void {
  const text = document.getText();
  if (text.trim() === '') {
    edit.replace(new vscode.Range(document.positionAt(0), document.positionAt(text.length)), code);
    return;
  }
  const ending = document.languageId.startsWith('typescript') ? '.ts' : '.js';
  const name = document.isUntitled ? `untitled${ending}` : document.fileName;
  const { imports, at, rest, restAt } = placedCode({ text, name }, code, document.offsetAt(selection.start));
  const lineEnd = (offset: number): string => (/(?:^|\n)$/.test(text.slice(0, offset)) ? '' : '\n');
  if (restAt === at) {
    const all = imports === '' ? rest : `${imports}\n${rest}`;
    edit.insert(document.positionAt(at), lineEnd(at) + all);
    return;
  }
  if (imports !== '') edit.insert(document.positionAt(at), lineEnd(at) + imports);
  edit.insert(document.positionAt(restAt), lineEnd(restAt) + rest);
}

/** The languages that code can be put into a file of that has some already. */
const scripts = /^(?:javascript|typescript)(?:react)?$/;

/** The active editor if its file is in this language, and can take a whole receiver of webhooks. */
function fittingEditor(language: string): vscode.TextEditor | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId.replace(/react$/, '') !== language) return undefined;
  // A second `package main`, `<?php` or class would not be valid, and a second `app` of Flask would hide the routes of the first.
  const isFit = scripts.test(editor.document.languageId) || editor.document.getText().trim() === '';
  return isFit ? editor : undefined;
}
