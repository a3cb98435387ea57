import { Worker } from 'node:worker_threads';
import type { WholeDelivery } from '../../../contract/delivery.ts';
import type { HeldSecret } from '../../../service/signature/webhookSecret.ts';
import { t } from '../../../shared/text/l10n.ts';
import { UserError } from '../../../shared/text/userError.ts';
import type { Evidence } from '../../../service/diagnosis/diagnosis.ts';
import type { About, Explanation } from '../../../service/explanation/explanation.ts';

/** How long an explanation may take in all, and the search for the cause as a part of it. Milliseconds. */
const usualLimits = { overallMs: 3500, searchMs: 2000 };
/** The memory limit of the thread: exceeding it ends the thread, and nothing else. */
const mostMegabytes = 768;

/**
 * Explains in a thread of its own, which ends with the answer, so the host is never blocked. If the thread is still
 * running when the time is over, resolves with what was known by then.
 * @param file the bundle of explanation.worker.ts
 * @throws UserError if nothing was known by then, or the signal is aborted
 */
export function explainInThread(
  file: string | URL,
  work: ExplanationWork,
  signal: AbortSignal,
  { overallMs, searchMs } = usualLimits,
): Promise<Explanation> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const worker = new Worker(file, {
      workerData: { ...work, searchMs } satisfies ThreadWork,
      name: 'runhook-explanation',
      resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
    });
    let latest: Explanation | undefined;
    const end = (failure: Error): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      if (latest === undefined || signal.aborted) reject(failure);
      else resolve(latest);
      void worker.terminate();
    };
    const cancel = (): void => end(new UserError(t('Cancelled.')));
    // guard S103: An explanation is made in a thread of its own, with limits of time, bytes and memory.
    const timer = setTimeout(() => {
      end(
        new UserError(t('The explanation took too long. Try again when the machine is less busy.'), {
          remedies: [{ kind: 'tryAgain' }],
        }),
      );
    }, overallMs);
    signal.addEventListener('abort', cancel);
    worker.on('message', (explanation: Explanation) => {
      latest = explanation;
    });
    worker.on('error', (error: Error) => end(error));
    worker.on('exit', () => end(new Error('The thread that explains has ended without an explanation.')));
  });
}

/** What a thread is to explain. The body is text or base64, as the editor has it, since decoding it takes time. */
export interface ExplanationWork extends Omit<Evidence, 'body' | 'effort'> {
  body: string;
  bodyEncoding?: 'base64';
  about?: About;
  /** The translations, as `vscode.l10n.bundle` has them. */
  messages: Record<string, string>;
  /** That of the editor, for times. */
  language: string;
}

/** The `workerData` of the thread. */
export interface ThreadWork extends ExplanationWork {
  /** How long the cause is searched for, in milliseconds. */
  searchMs: number;
}

/** The evidence for explaining a kept delivery, as of its arrival. */
export function evidenceOf(
  { headers, body, bodyEncoding, receivedAt, waitedMs = 0 }: WholeDelivery,
  secrets: readonly HeldSecret[],
  toleranceSeconds: number,
): Omit<ExplanationWork, 'messages' | 'language'> {
  // Its timestamp is judged by the time at which a relay took it.
  const clock = (Date.parse(receivedAt) - waitedMs) / 1000;
  return { headers, body, bodyEncoding, secrets, clock, toleranceSeconds };
}
