import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { endingOf, isBinary, type KeptBody } from './answerText.ts';
import type { Run } from '../../../model/runs/run.ts';
import { failureText } from '../../../model/service/failureReason.ts';
import { bytesText } from '../../../model/text/bytesText.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { UserError } from '../../../model/text/userError.ts';
import { DeclinedError } from '../../prompts/declinedError.ts';
import { givenFile } from '../../prompts/givenFile.ts';
import type { Prompts } from '../../prompts/prompts.ts';
import { showBriefly } from '../../showBriefly.ts';
import type { RunAnswers } from './runAnswers.ts';

/** The folder that was last saved to. */
const folderKey = 'answers.savedInto';

export interface SaveOptions {
  to?: string;
  confirmed?: boolean;
}

/** Saves the body of an answer to a file, byte for byte as received. */
export class AnswerSaver {
  readonly #answers: RunAnswers;
  readonly #prompts: Prompts;
  readonly #memento: vscode.Memento;

  constructor(answers: RunAnswers, prompts: Prompts, memento: vscode.Memento) {
    this.#answers = answers;
    this.#prompts = prompts;
    this.#memento = memento;
  }

  /** @returns the URI of the file, and how many bytes were written */
  async save(run: Run, { to, confirmed = false }: SaveOptions): Promise<{ uri: string; bytes: number }> {
    const { body, head } = await this.#answers.find(run);
    if (body === undefined || body.bytes === 0) throw new UserError(t('The answer of this run has no body.'));
    const bytes = await this.#answers.bytes(run);
    if (!confirmed) await this.#askIfCut(body, bytes.length);
    const ending = endingFor(head?.headers['content-type'] ?? '', body.beginning);
    const uri = await (to === undefined ? this.#ask(run, ending) : this.#given(to, confirmed));
    try {
      await vscode.workspace.fs.writeFile(uri, bytes);
    } catch (error) {
      throw new UserError(t('{0} cannot be written: {1}.', shortName(uri), failureText(error)), {
        cause: error,
        remedies: [{ kind: 'tryAgain' }],
      });
    }
    await this.#memento.update(folderKey, vscode.Uri.joinPath(uri, '..').toString());
    showBriefly(t('Saved {0} to {1}.', bytesText(bytes.length), shortName(uri)));
    return { uri: uri.toString(), bytes: bytes.length };
  }

  async #askIfCut({ bytes, isComing }: KeptBody, kept: number): Promise<void> {
    if (kept >= bytes && isComing !== true) return;
    const question =
      isComing === true
        ? t('Save {0} of an answer that is still coming?', bytesText(kept))
        : t('Save the first {0} of {1}?', bytesText(kept), bytesText(bytes));
    const detail = t('Only this part of the answer was stored.');
    if (!(await this.#prompts.confirm(question, detail, t('Save Beginning')))) throw notSaved();
  }

  async #ask(run: Run, ending: string): Promise<vscode.Uri> {
    const name = `${run.input.appName.replaceAll(/[^\p{L}\p{N}_.-]/gu, '-')}-${stampOf(run.startedAt)}.${ending}`;
    const uri = await this.#prompts.saveFile(t('Save Answer As…'), vscode.Uri.joinPath(this.#folder(), name));
    if (uri === undefined) throw notSaved();
    return uri;
  }

  /** The file named by the caller. Asks before it replaces a file, as a save dialog does by itself. */
  async #given(to: string, confirmed: boolean): Promise<vscode.Uri> {
    const uri = await givenFile(to);
    const isThere = await vscode.workspace.fs.stat(uri).then(
      () => true,
      // A file that cannot be checked counts as missing: writing it reports the error.
      () => false,
    );
    if (confirmed || !isThere) return uri;
    const question = t('Replace {0}?', shortName(uri));
    const detail = t("This replaces the file's content.");
    if (!(await this.#prompts.confirm(question, detail, t('Replace')))) throw notSaved();
    return uri;
  }

  #folder(): vscode.Uri {
    const last = this.#memento.get<string>(folderKey);
    if (last !== undefined) return vscode.Uri.parse(last);
    return vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  }
}

function endingFor(contentType: string, beginning: Uint8Array): string {
  const ending = endingOf(contentType);
  return ending === 'bin' && !isBinary(contentType, beginning) ? 'txt' : ending;
}

function notSaved(): DeclinedError {
  return new DeclinedError(t('Nothing was saved.'));
}

function shortName(uri: vscode.Uri): string {
  return plainText(uri.scheme === 'file' ? uri.fsPath : uri.toString(true), 300);
}

/** `2026-11-23-120411`, in local time. */
function stampOf(at: number): string {
  const one = new Date(at);
  const digits = [one.getMonth() + 1, one.getDate(), one.getHours(), one.getMinutes(), one.getSeconds()];
  const [month, day, ...time] = digits.map((part) => String(part).padStart(2, '0'));
  return `${one.getFullYear()}-${month}-${day}-${time.join('')}`;
}
