import * as vscode from 'vscode';
import { t } from '../model/text/l10n.ts';
import { DeclinedError } from './prompts/declinedError.ts';

/** What takes longer than this, in milliseconds, shows that it is under way: a flash of a notification tells nothing. */
const showAfterMs = 1000;

/** How far the work has come. */
export type TellProgress = (done: number, of: number) => void;

/**
 * Does work that may take long: after a second a notification shows it, with a button that cancels it.
 * @param work ends early where the signal is aborted: what it resolves with by then is the result
 * @throws DeclinedError where it was cancelled and the work rejects
 */
export async function cancellableProgress<T>(
  title: string,
  work: (signal: AbortSignal, tell: TellProgress) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  let shown: vscode.Progress<{ message: string; increment: number }> | undefined;
  let told = { done: 0, of: 0 };
  let before = 0;
  const tell: TellProgress = (done, of) => {
    told = { done, of };
    shown?.report({ message: `${done}/${of}`, increment: (100 * (done - before)) / of });
    before = shown === undefined ? 0 : done;
  };
  const result = work(abort.signal, tell);
  const ended = Promise.allSettled([result]);
  const timer = setTimeout(() => {
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    void vscode.window.withProgress(options, (progress, cancellation) => {
      cancellation.onCancellationRequested(() => abort.abort());
      shown = progress;
      if (told.of > 0) tell(told.done, told.of);
      return ended;
    });
  }, showAfterMs);
  try {
    return await result;
  } catch (error) {
    throw abort.signal.aborted ? new DeclinedError(t('Cancelled.')) : error;
  } finally {
    clearTimeout(timer);
  }
}
