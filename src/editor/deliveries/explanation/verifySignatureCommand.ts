import * as vscode from 'vscode';
import { t } from '../../../shared/text/l10n.ts';
import { UserError } from '../../../shared/text/userError.ts';
import type { HeldSecret } from '../../../service/signature/webhookSecret.ts';
import { plainText } from '../../../shared/text/plainText.ts';
import { type PastedRequest, readPastedRequest } from '../../../service/explanation/pastedRequest.ts';
import { secretLabel } from '../../../service/diagnosis/cause.ts';
import { signatureName } from '../../../service/signature/signature.ts';
import type { CommandsOf } from '../../kit/commands.ts';
import { DeclinedError, type Prompts } from '../../kit/prompts.ts';
import type { Listener } from '../../listener/feature.ts';
import { cancellableProgress } from '../../kit/progress.ts';
import { showDocument } from '../../kit/showDocument.ts';
import type { Explainer } from './explainer.ts';
import type { ExplanationPanels } from './explanationPanels.ts';

/**
 * *Verify a Signature*: for users who debug their own handler. Reads the headers and the body from the open
 * editor. If it holds none, opens an editor to paste them into.
 */
export function verifySignatureCommands(
  listener: Listener,
  prompts: Prompts,
  explainer: Explainer,
  panels: ExplanationPanels,
) {
  /** What a request was last to be pasted into. */
  let template: vscode.TextDocument | undefined;
  return {
    verifySignature: async (argument) => {
      const pasted =
        argument?.headers === undefined
          ? readOpenEditor()
          : { headers: argument.headers, body: argument.body };
      if (pasted === undefined) {
        if (isPastedInto(template)) throw withoutSignature();
        template = await openTemplate(template);
        return undefined;
      }
      const held = await listener.secrets();
      const secret = argument?.secret ?? (await askSecret(prompts, held));
      const evidence = {
        ...pasted,
        secrets: held,
        only: { secret, owner: { kind: 'default' as const } },
        clock: Date.now() / 1000,
        // A pasted request was sent a while ago.
        toleranceSeconds: 0,
      };
      const work = (signal: AbortSignal) => explainer.request(evidence, signal);
      const explanation = await cancellableProgress(t('Verifying a signature'), work);
      panels.show(undefined, explanation);
      return explanation.text;
    },
  } satisfies Partial<CommandsOf<'deliveries'>>;
}

/** The request in the open editor, or in its selection. Undefined if there is no signed request. */
function readOpenEditor(): PastedRequest | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return undefined;
  const pasted = readPastedRequest(
    editor.document.getText(editor.selection.isEmpty ? undefined : editor.selection),
  );
  const isSigned = pasted && Object.keys(pasted.headers).some((name) => signatureName.test(name));
  // CRLF comes from the editor: the original body has LF alone.
  return isSigned ? { ...pasted, body: pasted.body.replaceAll('\r\n', '\n') } : undefined;
}

function isPastedInto(template: vscode.TextDocument | undefined): boolean {
  return template !== undefined && vscode.window.activeTextEditor?.document === template;
}

function withoutSignature(): UserError {
  return new UserError(
    t(
      'There is no header {0} here. Paste it with the others; without it the caller sent no secret with the run.',
      'X-Service-Webhook-Signature',
    ),
  );
}

/** @param before the one that was opened last, which is shown again while it is open */
async function openTemplate(before: vscode.TextDocument | undefined): Promise<vscode.TextDocument> {
  if (before?.isClosed === false) {
    await showDocument(before.uri);
    return before;
  }
  const content = [
    t('# Paste the headers of a webhook here, then an empty line, then its body.'),
    t('# Then run "Verify a Signature" again. Lines that begin with # are ignored.'),
    '',
    '',
  ].join('\n');
  const document = await vscode.workspace.openTextDocument({ content });
  const editor = await showDocument(document.uri);
  const end = document.lineAt(document.lineCount - 1).range.end;
  editor.selection = new vscode.Selection(end, end);
  return document;
}

async function askSecret(prompts: Prompts, held: readonly HeldSecret[]): Promise<string> {
  const title = t('Verify a Signature');
  const current = held.filter(({ until }) => until === undefined);
  if (current.length > 0) {
    const choice = await prompts.pick<HeldSecret | 'other'>(title, [
      ...current.map((one) => ({ label: plainText(secretLabel(one.owner)), value: one })),
      { label: t('Another secret…'), value: 'other' },
    ]);
    if (choice === undefined) throw new DeclinedError(t('No secret was chosen.'));
    if (choice !== 'other') return choice.secret;
  }
  const secret = await prompts.input({
    title,
    prompt: t('The secret that is sent as X-Webhook-Secret with the run'),
    password: true,
    validate: (text) => (text === '' ? t('Enter the secret.') : undefined),
  });
  if (secret === undefined) throw new DeclinedError(t('No secret was entered.'));
  if (secret === '') throw new UserError(t('Enter the secret.'));
  return secret;
}
