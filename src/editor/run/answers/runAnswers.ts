import { plainBody } from '../../../service/runs/plainBody.ts';
import { shownAnswer, type KeptAnswer } from './answerText.ts';
import type { AnswerStore } from './answerFile.ts';
import { prettyJson } from '../../../shared/json/jsonText.ts';
import { payloadText } from '../payloads/payload.ts';
import type { Run } from '../../../service/runs/run.ts';
import { failureText } from '../../../shared/http/failureReason.ts';
import { t } from '../../../shared/text/l10n.ts';
import { plainText } from '../../../shared/text/plainText.ts';
import { UserError } from '../../../shared/text/userError.ts';
import { awayFrom, type ListenerState } from '../../../deliveries/listenerState.ts';
import type { AppRef } from '../../../service/projects/project.ts';
import { comparedBody, type RawBody } from '../../../deliveries/comparedBody.ts';
import { waitedMs } from '../deliveryWaits.ts';
import type { RunHistory } from '../history/runHistory.ts';
import { answerContent, type AnswerContent, type AskedAnswer, nothingKept } from './answerDocument.ts';

/** The runs of the history, and their kept answers. */
export class RunAnswers {
  readonly #history: RunHistory;
  readonly #store: AnswerStore;
  readonly #listener: { readonly state: ListenerState };

  /** @param listener the deliveries come to it */
  constructor(history: RunHistory, store: AnswerStore, listener: { readonly state: ListenerState }) {
    this.#history = history;
    this.#store = store;
    this.#listener = listener;
  }

  /** The run with that id, Runhook's or the service's; without an id, the last run. @throws UserError if there is none */
  run(id?: string): Run {
    const run = this.#history.sent(id) ?? this.#history.all().find(({ runId }) => runId === id);
    if (run === undefined) {
      throw new UserError(t('This run is no longer kept.'), { remedies: [{ kind: 'runApp' }] });
    }
    return run;
  }

  /** The kept answer of a run. @throws UserError if it is no longer kept or cannot be read */
  async find(run: Run): Promise<KeptAnswer> {
    const answer = await readable(this.#store.find(run));
    if (answer === undefined) {
      throw new UserError(
        t(
          'The response of this run is no longer kept: only the last 50 of each app are, up to 200 MB in all.',
        ),
        { remedies: [{ kind: 'runAgain', id: run.id }] },
      );
    }
    return answer;
  }

  /** The kept bytes of the body. @throws UserError if they cannot be read */
  async bytes(run: Run): Promise<Uint8Array> {
    return (await readable(this.#store.bytes(run))) ?? new Uint8Array();
  }

  /** The last earlier run of the same app whose answer has a body. @throws UserError if there is none */
  async previous(run: Run): Promise<Run> {
    const runs = this.#history.list(run.input);
    for (const one of runs.slice(runs.indexOf(run) + 1)) {
      if ((await readable(this.#store.find(one)))?.body !== undefined) return one;
    }
    throw new UserError(t('No response of an earlier run of {0} is kept.', plainText(run.input.appName)), {
      remedies: [{ kind: 'runAgain', id: run.id }],
    });
  }

  /** Deletes the runs of an app and their answers, except runs in flight. @returns how many were deleted */
  async clear(app: AppRef): Promise<number> {
    const runs = await this.#history.clear(app);
    await this.#store.remove(
      app,
      runs.map(({ id }) => id),
    );
    return runs.length;
  }

  /** The content of a document. */
  async content({ id, part, first }: AskedAnswer): Promise<AnswerContent> {
    const run = this.#history.sent(id);
    if (run === undefined) return nothingKept();
    switch (part) {
      case 'response': {
        const answer = await readable(this.#store.find(run));
        if (answer === undefined) return nothingKept(run);
        const waitingFor = run.awaited === true && this.#history.isOwn(run) ? 'delivery' : 'nothing';
        const elapsedMs = waitedMs(run, Date.now());
        const away = awayFrom(run, answer.results, this.#listener.state);
        return answerContent({ ...shownAnswer(answer), run, waitingFor, elapsedMs, away });
      }
      case 'payload':
        return { text: payloadOf(run), lenses: [] };
      case 'body':
        return { text: await this.#comparedText(run, first), lenses: [] };
      case 'made':
        // Made for one comparison.
        return nothingKept(run);
    }
  }

  async #comparedText(run: Run, firstId: string | undefined): Promise<string> {
    const first = firstId === undefined ? undefined : this.#history.sent(firstId);
    const [body, other] = [await this.#rawBody(run), await this.#rawBody(first ?? run)];
    const compared = comparedBody(body, other, []);
    switch (compared.kind) {
      case 'json':
        return `${prettyJson(compared.text) ?? compared.text}\n`;
      case 'hex':
        return [...compared.lines, ...(compared.sha256 === undefined ? [] : [compared.sha256])].join('\n');
      case 'lines':
        return compared.lines.join('\n');
    }
  }

  async #rawBody(run: Run): Promise<RawBody> {
    return rawBody(await this.bytes(run));
  }
}

function rawBody(bytes: Uint8Array): RawBody {
  const plain = plainBody(bytes, 'text/plain');
  return 'bodyEncoding' in plain ? plain : { body: String(plain.body) };
}

function payloadOf(run: Run): string {
  return run.bodyDropped === true
    ? t(
        'The request of this run is not kept: it is too large, or contains an environment variable or a password. Run it from its payload.',
      )
    : payloadText(run.input);
}

async function readable<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw new UserError(t('The response of this run cannot be read: {0}.', failureText(error)), {
      cause: error,
      remedies: [{ kind: 'tryAgain' }, { kind: 'showLog' }],
    });
  }
}
