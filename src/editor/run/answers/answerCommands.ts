import * as vscode from 'vscode';
import { keptDeliveryOf, type Run, runTitle } from '../../../service/runs/run.ts';
import { t } from '../../../shared/text/l10n.ts';
import { plainText } from '../../../shared/text/plainText.ts';
import { UserError } from '../../../shared/text/userError.ts';
import { commandIds } from '../../../contract/commands.ts';
import { clicked, type CommandsOf } from '../../kit/commands.ts';
import { type Choice, DeclinedError, type Prompts } from '../../kit/prompts.ts';
import type { Services } from '../../kit/services.ts';
import type { Listener } from '../../listener/feature.ts';
import type { RunHistory } from '../history/runHistory.ts';
import { type ChoiceParts, givenApp } from '../resolve.ts';
import { type AnswerDocuments, answerAddresses, answersColumn } from './answerDocument.ts';
import type { RunAnswers } from './runAnswers.ts';
import { homedir } from 'node:os';
import { endingOf, isBinary, type KeptAnswer, type KeptBody } from './answerText.ts';
import { failureText } from '../../../shared/http/failureReason.ts';
import { bytesText } from '../../../shared/text/bytesText.ts';
import { givenFile } from '../../kit/files.ts';
import { showBriefly } from '../../kit/progress.ts';
import { columnOf, showDifferences, showDocument } from '../../kit/showDocument.ts';

interface AnswerCommandsParts {
  prompts: Prompts;
  resolving: ChoiceParts;
  history: RunHistory;
  answers: RunAnswers;
  documents: AnswerDocuments;
  listener: Pick<Listener, 'get'>;
  sandbox: Pick<Services['sandbox'], 'state' | 'ask'>;
  /** Remembers the folder that was last saved to. */
  memento: vscode.Memento;
}

/** The commands for answered runs. Those for one run take the run with the given id, else the last run. */
export function answerCommands(parts: AnswerCommandsParts) {
  const { prompts, resolving, history, answers, documents, listener, sandbox } = parts;

  async function compare(run: Run): Promise<{ ids: string[] }> {
    checkHasAnswer(run, (await answers.find(run)).body);
    const previous = await answers.previous(run);
    const uriOf = (one: Run): vscode.Uri =>
      answerAddresses.uri({ id: one.id, part: 'body', title: runTitle(one), first: previous.id });
    await showDifferences(uriOf(previous), uriOf(run), `${titleOf(previous)} ↔ ${titleOf(run)}`);
    return { ids: [previous.id, run.id] };
  }

  return {
    openRunAnswer: async ({ id } = {}) => {
      const isDelivery = id !== undefined && history.sent(id) === undefined;
      const delivery = isDelivery ? await listener.get(id).catch(() => undefined) : undefined;
      const run = delivery && history.of(delivery);
      await openAnswer(run ?? answers.run(id), answers, documents);
    },

    openPayloadAndAnswer: async (given) => {
      const run = answers.run(given?.id);
      await answers.find(run);
      const title = t('Payload of {0}', runTitle(run));
      const { Active, Beside, One } = vscode.ViewColumn;
      const payload = answerAddresses.uri({ id: run.id, part: 'payload', title: `${title}.json` });
      // Beside the response, wherever that is shown.
      const shownIn = columnOf((uri) => String(uri) === String(documents.uri(run)));
      const viewColumn = shownIn === undefined ? Active : shownIn === One ? Beside : shownIn - 1;
      await showDocument(payload, { viewColumn, preview: true });
      await openAnswer(run, answers, documents, true);
    },

    moreOfRun: async (given) => {
      const run = answers.run(given?.id);
      const kept = await answers.find(run);
      const command = await prompts.pick(plainText(runTitle(run)), moreOf(run, kept));
      if (command === undefined) throw new DeclinedError(t('Nothing was done.'));
      await vscode.commands.executeCommand(command.id, ...command.takes);
    },

    compareWithPreviousRun: (given) => compare(answers.run(given?.id)),

    saveAnswerAs: (given = {}) => saveAnswer(parts, answers.run(given.id), given),

    clearRuns: async (given = {}) => {
      // The row of a run stands for all those of its app.
      const app = history.sent(given.id ?? '')?.input ?? (await givenApp(resolving, given));
      if (app === undefined) throw new DeclinedError(t('The runs were not cleared.'));
      const ended = history.list(app).filter(({ outcome }) => outcome.kind !== 'running');
      const name = plainText(app.appName);
      if (ended.length === 0) throw new UserError(t('{0} has no runs to clear.', name));
      const question =
        ended.length === 1
          ? t('Clear the run of {0}?', name)
          : t('Clear the {0} runs of {1}?', ended.length, name);
      const detail = t(
        'Responses are deleted from this machine too. This cannot be undone. Deliveries and payloads stay.',
      );
      if (given.confirmed !== true && !(await prompts.confirm(question, detail, t('Clear')))) {
        throw new DeclinedError(t('The runs were not cleared.'));
      }
      // First, since a timeline that is open is drawn again as soon as the runs are gone.
      const runIds = ended.flatMap(({ runId }) => runId ?? []);
      if (sandbox.state.kind === 'running') await sandbox.ask((thread) => thread.forgetAttempts({ runIds }));
      return { cleared: await answers.clear(app) };
    },
  } satisfies Partial<CommandsOf<'run'>>;
}

/** A command, and what it takes. */
interface Use {
  id: string;
  takes: readonly unknown[];
}

/** A browser has no window of the system that shows files. */
const showFile = vscode.env.uiKind === vscode.UIKind.Web ? 'vscode.open' : 'revealFileInOS';

/** What there is to do with an answer besides running it again. */
function moreOf(run: Run, { body, isSandbox }: KeptAnswer): Choice<Use>[] {
  const { id, input, runId } = run;
  const use = (label: string, command: string, takes: readonly unknown[] = clicked({ id })): Choice<Use> => ({
    label,
    value: { id: command, takes },
  });
  const hasBody = body !== undefined && body.bytes > 0;
  return [
    ...(keptDeliveryOf(run) === undefined
      ? []
      : [use(`$(go-to-file) ${t('Open Delivery')}`, commandIds.openRunDelivery)]),
    use(`$(json) ${t('Open Payload and Response')}`, commandIds.openPayloadAndAnswer),
    use(`$(copy) ${t('Copy Run As…')}`, commandIds.copyRunAs),
    ...(body === undefined
      ? []
      : [use(`$(diff) ${t('Compare with Previous Run')}`, commandIds.compareWithPreviousRun)]),
    ...(hasBody ? [use(`$(save-as) ${t('Save Response As…')}`, commandIds.saveAnswerAs)] : []),
    ...(body?.file === undefined
      ? []
      : [use(`$(folder) ${t('Show File')}`, showFile, [vscode.Uri.file(body.file)])]),
    ...(isSandbox && input.webhook !== false && runId !== undefined
      ? [use(`$(list-tree) ${t('Show Timeline')}`, commandIds.showTimeline, clicked({ run: id }))]
      : []),
  ];
}

/**
 * Shows the answer of a run.
 * @param isBeside beside the document in front, which keeps the focus
 * @throws UserError if it is no longer kept
 */
export async function openAnswer(
  run: Run,
  answers: RunAnswers,
  documents: AnswerDocuments,
  isBeside = false,
): Promise<void> {
  const uri = documents.uri(run);
  // An answer that could not be kept may still be shown.
  if (!documents.has(uri)) await answers.find(run);
  const shownIn =
    columnOf((one) => String(one) === String(uri)) ??
    // Where the last response is, and not over the code in front.
    (isBeside ? vscode.ViewColumn.Beside : (answersColumn() ?? vscode.ViewColumn.Active));
  await showDocument(uri, { viewColumn: shownIn, preserveFocus: isBeside, preview: true });
}

/** @throws UserError if there is no response of it, or not yet */
function checkHasAnswer({ outcome }: Run, body: KeptBody | undefined): void {
  if (outcome.kind === 'running') throw new UserError(t('The response of this run has not arrived yet.'));
  if (outcome.kind !== 'answered' && body === undefined) throw new UserError(t('This run has no response.'));
}

function titleOf(run: Run): string {
  const { outcome } = run;
  const status = outcome.kind === 'answered' ? ` · ${outcome.status}` : '';
  return `${plainText(runTitle(run))}${status}`;
}

/** The folder that was last saved to. */
const folderKey = 'answers.savedInto';

interface SaveOptions {
  to?: string;
  confirmed?: boolean;
}

/**
 * Saves the body of an answer to a file, byte for byte as received.
 * @returns the URI of the file, and how many bytes were written
 */
async function saveAnswer(
  { answers, prompts, memento }: AnswerCommandsParts,
  run: Run,
  { to, confirmed: isConfirmed = false }: SaveOptions,
): Promise<{ uri: string; bytes: number }> {
  const { body, head } = await answers.find(run);
  if (body === undefined || body.bytes === 0) {
    checkHasAnswer(run, body);
    throw new UserError(t('The response of this run has no body.'));
  }
  const bytes = await answers.bytes(run);
  if (!isConfirmed) await askIfCut(prompts, body, bytes.length);
  const ending = endingFor(head?.headers['content-type'] ?? '', body.beginning);
  const uri =
    to === undefined
      ? await askWhere(prompts, vscode.Uri.joinPath(lastFolder(memento), fileNameOf(run, ending)))
      : await given(prompts, to, isConfirmed);
  try {
    await vscode.workspace.fs.writeFile(uri, bytes);
  } catch (error) {
    throw new UserError(t('{0} cannot be written: {1}.', shortName(uri), failureText(error)), {
      cause: error,
      remedies: [{ kind: 'tryAgain' }],
    });
  }
  await memento.update(folderKey, vscode.Uri.joinPath(uri, '..').toString());
  showBriefly(t('Saved {0} to {1}.', bytesText(bytes.length), shortName(uri)));
  return { uri: uri.toString(), bytes: bytes.length };
}

async function askIfCut(prompts: Prompts, { bytes, isComing }: KeptBody, kept: number): Promise<void> {
  if (kept >= bytes && isComing !== true) return;
  const question =
    isComing === true
      ? t('Save {0} of a response that is still arriving?', bytesText(kept))
      : t('Save the first {0} of {1}?', bytesText(kept), bytesText(bytes));
  const detail = t('Only this part of the response was stored.');
  if (!(await prompts.confirm(question, detail, t('Save Beginning')))) throw notSaved();
}

async function askWhere(prompts: Prompts, proposed: vscode.Uri): Promise<vscode.Uri> {
  const uri = await prompts.saveFile(t('Save Response As…'), proposed);
  if (uri === undefined) throw notSaved();
  return uri;
}

/** The file named by the caller. Asks before it replaces a file, as a save dialog does by itself. */
async function given(prompts: Prompts, to: string, isConfirmed: boolean): Promise<vscode.Uri> {
  const uri = await givenFile(to);
  const isThere = await vscode.workspace.fs.stat(uri).then(
    () => true,
    // A file that cannot be checked counts as missing: writing it reports the error.
    () => false,
  );
  if (isConfirmed || !isThere) return uri;
  const question = t('Replace {0}?', shortName(uri));
  const detail = t("This replaces the file's content.");
  if (!(await prompts.confirm(question, detail, t('Replace')))) throw notSaved();
  return uri;
}

function lastFolder(memento: vscode.Memento): vscode.Uri {
  const last = memento.get<string>(folderKey);
  if (last !== undefined) return vscode.Uri.parse(last);
  return vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
}

function fileNameOf({ input, startedAt }: Run, ending: string): string {
  return `${input.appName.replaceAll(/[^\p{L}\p{N}_.-]/gu, '-')}-${stampOf(startedAt)}.${ending}`;
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
