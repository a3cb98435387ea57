import type * as vscode from 'vscode';
import { BrokenOffError } from '../../client/errors.ts';
import { type RunAnswer, RunClient, runHead } from '../../client/runClient.ts';
import type { Transport } from '../../client/transport.ts';
import { appName as nameOf } from '../../model/projects/project.ts';
import type { PayloadVariable } from './payloads/payload.ts';
import type { Delivery } from '../../model/deliveries/delivery.ts';
import { failureText } from '../../model/service/failureReason.ts';
import { type Run, type RunInput, refusedStatus, refusalText } from '../../model/runs/run.ts';
import { type RunUrl, runUrl, withWebhook } from '../../model/runs/runUrl.ts';
import { type ToldAddresses, toldAddresses, type PlainBody } from './answers/answerText.ts';
import { isSuccess } from '../../model/service/isSuccess.ts';
import { t } from '../../model/text/l10n.ts';
import { mendedBy, UserError } from '../../model/text/userError.ts';
import { AnswerJoin } from '../../model/runs/answerJoin.ts';
import { ArrivingAnswer } from './answers/arrivingAnswer.ts';
import type { AnswerStore } from './answers/answerFile.ts';
import { boundedBody } from '../../client/boundedBody.ts';
import type { CopiedRequest } from '../../webhooks/requests/copiedRequest.ts';
import type { Listener } from '../listener/feature.ts';
import type { Projects } from '../projects/feature.ts';
import type { RunHistory } from './history/runHistory.ts';
import { type AskedRun, runCall } from './runQuestion.ts';

/** A call that is checked and allowed, with a place for its delivery to go to. */
export interface PreparedRun extends Omit<AskedRun, 'file' | 'asWritten' | 'isWayChosen'> {
  /** What the history stores of the call, if it differs from what is sent. */
  kept?: RunInput;
  /** The addresses of the call, as its answer shows and keeps them. */
  told: ToldAddresses;
  /** Signs the delivery. */
  secret?: string;
  client: RunClient;
  /** Notes whether the service took the token of the call. @param refused the status of a refusal */
  noteToken: (refused?: number) => Promise<void>;
  hold?: number;
}

export interface PrepareOptions {
  confirmed?: boolean;
  file?: vscode.Uri;
  /** The document that contains the call, opened if the call has to be changed. */
  document?: vscode.Uri;
  /** The name of the payload. */
  payload?: string;
  /** The call as its file writes it, with variables in place of their values. */
  asWritten?: RunInput;
  /** Whether the file does not say how it is run, so that the user chose it. */
  isWayChosen?: boolean;
  /** The environment variables that the call contains. */
  reads?: readonly PayloadVariable[];
  /** What the history stores of the run: without values of the environment and passwords. */
  kept?: RunInput;
  /** A secret for this run only. If the run needs one and none is given, the user is asked. */
  secret?: string | undefined;
  /** The most bytes of the answer that are held in memory for the caller. A longer answer is not read further. */
  hold?: number;
}

export interface SentRun {
  run: Run;
  /** The answer as far as it has arrived. */
  arriving: ArrivingAnswer;
  /** Resolves with the head. The caller of `send` must read the body to its end, or abort. */
  answer: Promise<RunAnswer>;
}

export interface RunnerParts {
  projects: Pick<Projects, 'get' | 'service' | 'access' | 'noteAnswer'>;
  listener: Pick<Listener, 'onDidReceiveDelivery' | 'webhookEndpoint' | 'noteRun' | 'noteApp'>;
  /** The secret that signs the webhook of a run. `given` is the secret for this run only. */
  secretOf: (input: RunInput, given?: string) => Promise<string | undefined>;
  /** Asks before a run. Rejects if the user declines. */
  ask: (run: AskedRun) => Promise<void>;
  history: RunHistory;
  /** The stored answers of the runs. */
  answers: AnswerStore;
  /** Whether a project belongs to the sandbox. */
  isSandbox: (projectId: string) => boolean;
  transport: Transport;
  userAgent: string;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Stands in for a token or a secret. Code that writes the call down replaces it by a variable. */
const placeholder = 'from-the-environment';

/** Runs apps: checks the call, opens the listener for the delivery, and keeps the history. */
export class Runner implements vscode.Disposable {
  readonly #parts: RunnerParts;
  readonly #join = new AnswerJoin((run, delivery) => this.#joinByAnswer(run, delivery));
  readonly #received: vscode.Disposable;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    this.#received = parts.listener.onDidReceiveDelivery((delivery) => this.#join.noteDelivery(delivery));
  }

  /**
   * Checks a call and asks for what is missing: a token, the listener, and permission to run under `prod` or if
   * the call contains more than the user has seen.
   * @param options.file the file that contains the call, unless it is Runhook's own
   * @throws UserError for unknown projects and apps, and for calls that cannot be sent
   */
  async prepare(input: RunInput, options: PrepareOptions = {}): Promise<PreparedRun> {
    const { confirmed = false, file, payload, reads = [], kept, document, hold } = options;
    const { asWritten, isWayChosen = false } = options;
    const { projects, ask, secretOf, transport, userAgent } = this.#parts;
    const asked = this.#check(input);
    // guard S116: Runhook asks the user, unless the argument says that the user has agreed.
    const call = runCall({ input, written: asked, ...(payload !== undefined && { payload }) });
    const access = await projects.access(input.projectId, { ...call, confirmed });
    const written = runUrl(access.service.proxyUrl, input);
    if (written.href !== asked.href) {
      throw new UserError(t('The address of the service has changed while you were asked. Run again.'), {
        remedies: [{ kind: 'tryAgain' }],
      });
    }
    const webhook = await this.#webhook(input, written, () => secretOf(input, options.secret));
    // guard S53: The first run of a file asks, and again if any part of the call but the body has changed.
    if (!confirmed) {
      const reading = reads.length > 0 && document !== undefined && { reads, document };
      const shown = { ...(file && { file }), ...(asWritten && { asWritten }), ...reading };
      await ask({ input, written, url: webhook.url, isWayChosen, ...shown });
    }
    const [named] = written.resultAddresses;
    const namedWebhook = input.webhook === true && named !== undefined && { webhook: named.href };
    const client = new RunClient({ transport, userAgent, token: access.token });
    const told = toldAddresses({ written, url: webhook.url, proxyUrl: access.service.proxyUrl, kept });
    const noteToken = async (refused?: number) => projects.noteAnswer(input.projectId, access, refused);
    const sent = { input: { ...input, ...namedWebhook }, written, ...webhook, told, client, noteToken };
    return { ...sent, ...(kept && { kept }), ...(hold !== undefined && { hold }) };
  }

  /**
   * The call as it would be sent now, for use outside Runhook. Asks nothing, and contains no token or secret.
   * @throws UserError for calls that cannot be sent
   */
  async copied(input: RunInput): Promise<CopiedRequest> {
    const written = this.#check(input);
    const secretOf = () => Promise.resolve(input.signing === 'unsigned' ? undefined : placeholder);
    const { url, secret } = await this.#webhook(input, written, secretOf);
    const { headers, body } = input;
    const content = body === undefined ? {} : { body };
    const call = { url, method: input.method, headers, ...content, ...(secret !== undefined && { secret }) };
    return { url: url.href, ...runHead(call, placeholder), ...content };
  }

  /** Sends a prepared call. */
  send(prepared: PreparedRun, signal?: AbortSignal): SentRun {
    const { input, kept, url, secret, client } = prepared;
    const { history, now } = this.#parts;
    const run = history.begin(input, now(), kept);
    const arriving = this.#arriving(run, prepared);
    if (input.webhook === true) this.#join.begun(run);
    const { method, headers, body } = input;
    const call = {
      url,
      method,
      headers,
      ...(body !== undefined && { body }),
      ...(secret !== undefined && { secret }),
    };
    const answer = client.run(call, signal).then(
      (head) => {
        history.answering(run, this.#since(run));
        const read = { ...head, body: boundedBody(head.body, prepared.hold ?? Infinity) };
        return { ...head, body: this.#follow(run, read, arriving, prepared, signal) };
      },
      async (error: unknown) => {
        this.#failed(run, error, signal);
        await arriving.end();
        throw error;
      },
    );
    return { run, arriving, answer };
  }

  dispose(): void {
    this.#received.dispose();
  }

  /** Refuses calls that cannot be sent, before anything is asked or started. */
  #check(input: RunInput): RunUrl {
    const { projectId, appName, webhook } = input;
    const { projects } = this.#parts;
    const project = projects.get(projectId);
    if (!project.apps.some((app) => nameOf(app) === appName)) {
      throw new UserError(t('{0} has no app "{1}".', project.name ?? project.id, appName), {
        remedies: [{ kind: 'addApp', projectId }],
      });
    }
    const url = runUrl(projects.service(projectId).proxyUrl, input);
    if (typeof webhook === 'string') withWebhook(url, webhook);
    runHead({ ...input, url, headers: input.headers }, placeholder);
    return url;
  }

  /**
   * Adds the webhook to the URL, and finds the secret that signs it. If the query names a result address, that
   * address is used in place of the listener, and signed like any other.
   */
  async #webhook(
    input: RunInput,
    written: RunUrl,
    secretOf: () => Promise<string | undefined>,
  ): Promise<{ url: RunUrl; secret?: string }> {
    const { webhook } = input;
    if (webhook === false) return { url: written };
    const { listener } = this.#parts;
    const secret = await secretOf();
    const signed = secret !== undefined && { secret };
    if (webhook === true && written.resultAddresses.length > 0) return { url: written, ...signed };
    if (typeof webhook === 'string') return { url: withWebhook(written, webhook), ...signed };
    const endpoint = await listener.webhookEndpoint(written.hostname, input.appName);
    try {
      return { url: withWebhook(written, endpoint), ...signed };
    } catch (error) {
      // The webhook address from the settings cannot be used.
      throw mendedBy(error, [{ kind: 'setPublicUrl' }, { kind: 'runWithoutWebhook' }]);
    }
  }

  #arriving(run: Run, { told, hold, input }: PreparedRun): ArrivingAnswer {
    const record = { ...told, isSandbox: this.#parts.isSandbox(input.projectId) };
    return new ArrivingAnswer(run, record, this.#parts.answers, hold);
  }

  /** Yields the body as it arrives and gathers it. Reports the run's id and outcome to the history. */
  async *#follow(
    run: Run,
    { status, headers, body }: RunAnswer,
    arriving: ArrivingAnswer,
    { noteToken }: Pick<PreparedRun, 'noteToken'>,
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const gathered = arriving.begin({ status, headers, afterMs: this.#since(run) });
    let complete = false;
    try {
      for await (const piece of body) {
        await gathered.push(piece);
        this.#identify(run, gathered.runId);
        yield piece;
      }
      complete = true;
    } catch (error) {
      this.#failed(run, error, signal);
      throw error;
    } finally {
      gathered.end();
      this.#identify(run, gathered.runId);
      const { bytes, text } = gathered;
      if (complete) {
        this.#join.answered(run, text);
        this.#parts.history.end(run, { kind: 'answered', status, durationMs: this.#since(run), bytes });
        if (refusedStatus(run) === 401) await noteToken(401);
        else if (isSuccess(status) || run.runId !== undefined) await noteToken();
      } else if (run.outcome.kind === 'running') {
        this.#join.unanswered(run, this.#parts.now());
        this.#parts.history.end(run, { kind: 'cancelled', durationMs: this.#since(run) });
      }
      await arriving.end();
    }
  }

  #identify(run: Run, runId: string | undefined): void {
    if (runId === undefined || run.runId === runId) return;
    this.#parts.history.identify(run, runId);
    this.#parts.listener.noteRun({ runId, appName: run.input.appName, startedAt: run.startedAt });
  }

  #joinByAnswer(run: Run, delivery: Delivery): void {
    if (delivery.runId !== undefined) {
      this.#identify(run, delivery.runId);
      return;
    }
    this.#parts.history.join(run, delivery);
    this.#parts.listener.noteApp({ id: delivery.id, appName: run.input.appName });
  }

  #failed(run: Run, error: unknown, signal?: AbortSignal): void {
    const durationMs = this.#since(run);
    this.#join.unanswered(run, this.#parts.now());
    this.#parts.history.end(
      run,
      signal?.aborted === true
        ? { kind: 'cancelled', durationMs }
        : {
            kind: 'failed',
            reason: failureText(error),
            durationMs,
            ...(error instanceof BrokenOffError && { bytes: error.bytes }),
          },
    );
  }

  #since(run: Run): number {
    return this.#parts.now() - run.startedAt;
  }
}

/** What `runhook.runApp` returns. */
export type RunAppResult = { status: number; headers: Record<string, string> } & RunFacts & PlainBody;

/** What is known of a run after its answer. */
interface RunFacts {
  /** Runhook's own id of the run, for use if the answer names no run id. */
  id: string;
  runId?: string;
  /** Why the requested webhook will not come. */
  notDelivered?: string;
}

export function runFacts(run: Run): RunFacts {
  const { id, runId, input } = run;
  const notDelivered = input.webhook === false ? undefined : refusalText(run);
  return { id, ...(runId !== undefined && { runId }), ...(notDelivered !== undefined && { notDelivered }) };
}
