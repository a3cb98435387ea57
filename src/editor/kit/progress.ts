import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import { DeclinedError } from './prompts.ts';

const shownMs = 5000;

/** Shows a text in the status bar for a few seconds: the user need not close it, and it covers nothing. */
export function showBriefly(text: string): void {
  vscode.window.setStatusBarMessage(text, shownMs);
}

/** Work that takes longer than this, in milliseconds, shows a notification. A shorter one would only flash. */
const showAfterMs = 1000;

/** Reports the progress of the work. */
export type TellProgress = (done: number, of: number) => void;

/**
 * Runs work that may take long. After a second, a notification with a cancel button appears.
 * @param work ends early if the signal is aborted. What it resolves with then is the result.
 * @throws DeclinedError if it was cancelled and the work rejects
 */
export async function cancellableProgress<T>(
  title: string,
  work: (signal: AbortSignal, tell: TellProgress) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  let shown: vscode.Progress<{ message: string; increment: number }> | undefined;
  let latest = { done: 0, of: 0 };
  let lastDone = 0;
  const tell: TellProgress = (done, of) => {
    latest = { done, of };
    shown?.report({ message: `${done}/${of}`, increment: (100 * (done - lastDone)) / of });
    lastDone = shown === undefined ? 0 : done;
  };
  const result = work(abort.signal, tell);
  const ended = Promise.allSettled([result]);
  const timer = setTimeout(() => {
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    void vscode.window.withProgress(options, (progress, cancellation) => {
      cancellation.onCancellationRequested(() => abort.abort());
      shown = progress;
      if (latest.of > 0) tell(latest.done, latest.of);
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
