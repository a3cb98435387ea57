import * as vscode from 'vscode';
import { type RunAnswer, type RunCall, RunClient } from '../../client/runClient.ts';
import { RunIdFinder } from '../../client/runIdFinder.ts';
import type { Transport } from '../../client/transport.ts';
import { runUrl, type Service } from '../../model/endpoints.ts';
import { appName as nameOf, type Project } from '../../model/project.ts';
import type { Delivery } from '../../model/delivery.ts';
import type { Run, RunInput } from '../../model/run.ts';
import { UserError } from '../../model/userError.ts';
import { webhookEndpoint } from '../../model/webhookEndpoint.ts';
import { AnswerJoin } from './answerJoin.ts';
import { AnswerText } from './answerText.ts';
import type { RunHistory } from './runHistory.ts';

/** What running needs of the projects. */
export interface RunProjects {
  get(projectId: string): Project;
  access(
    projectId: string,
    call: { action: string; confirmed?: boolean },
  ): Promise<{ service: Service; token: string }>;
}

/** What running needs of the listener. */
export interface RunListener {
  readonly onDidReceiveDelivery: vscode.Event<Delivery>;
  webhookTarget(proxyUrl: string): Promise<{ endpoint: string; secret: string }>;
  noteRun(run: { runId: string; appName: string; startedAt: number }): void;
  /** Tells which app a delivery is of that names no run. */
  noteApp(delivery: { id: string; appName: string }): void;
}

/** A call that has been checked and allowed, and has a place for its delivery to go to. */
export interface PreparedRun {
  input: RunInput;
  /** Without the webhook address. */
  url: string;
  webhook?: NonNullable<RunCall['webhook']>;
  client: RunClient;
}

export interface SentRun {
  run: Run;
  /** Resolves with the head. Whoever sent the run reads the body to its end, or aborts. */
  answer: Promise<RunAnswer>;
}

export interface RunnerParts {
  projects: RunProjects;
  listener: RunListener;
  /** The secret that deliveries are signed with; a new one where there is none yet. */
  secret: () => Promise<string>;
  history: RunHistory;
  transport: Transport;
  userAgent: string;
  /** Milliseconds since the epoch. */
  now: () => number;
}

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
   * Asks for what is missing: a token, leave to run under `prod`, the listener.
   * @throws UserError for unknown projects and apps, and for calls that cannot be sent
   */
  async prepare(input: RunInput, options: { confirmed?: boolean } = {}): Promise<PreparedRun> {
    const { projects, transport, userAgent } = this.#parts;
    this.#check(input);
    const action = vscode.l10n.t('Run {0}', input.appName);
    const access = await projects.access(input.projectId, { action, ...options });
    const webhook = await this.#webhook(input.webhook, access.service);
    const { t } = vscode.l10n;
    const { projectId, appName, path } = input;
    const { href } = runUrl(access.service.proxyUrl, projectId, appName, path, undefined, t);
    const client = new RunClient({ transport, userAgent, translate: vscode.l10n.t, ...access });
    return { input, url: href, client, ...(webhook && { webhook }) };
  }

  send({ input, webhook, client }: PreparedRun, signal?: AbortSignal): SentRun {
    const { history, now } = this.#parts;
    const run = history.begin(input, now());
    if (input.webhook === true) this.#join.begun(run);
    const answer = client.run(callOf(input, webhook), signal).then(
      (head) => ({ ...head, body: this.#follow(run, head, signal) }),
      (error: unknown) => {
        this.#failed(run, error, signal);
        throw error;
      },
    );
    return { run, answer };
  }

  dispose(): void {
    this.#received.dispose();
  }

  #check({ projectId, appName, path, webhook }: RunInput): void {
    const project = this.#parts.projects.get(projectId);
    if (!project.apps.some((app) => nameOf(app) === appName)) {
      throw new UserError(vscode.l10n.t('{0} has no app "{1}".', project.name ?? project.id, appName));
    }
    if (typeof webhook === 'string') webhookEndpoint(webhook, vscode.l10n.t);
    // A path that leaves the app is refused before anything is asked or started.
    runUrl('http://localhost', projectId, appName, path, undefined, vscode.l10n.t);
  }

  async #webhook(webhook: boolean | string, service: Service): Promise<RunCall['webhook']> {
    if (webhook === false) return undefined;
    if (webhook === true) return this.#parts.listener.webhookTarget(service.proxyUrl);
    return { endpoint: webhook, secret: await this.#parts.secret() };
  }

  /** The body as it comes; on the way the run's id is found, and the history told how it ended. */
  async *#follow(run: Run, answer: RunAnswer, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    const finder = new RunIdFinder(answer.headers);
    const text = new AnswerText();
    let bytes = 0;
    let complete = false;
    try {
      for await (const chunk of answer.body) {
        bytes += chunk.length;
        finder.push(chunk);
        text.push(chunk);
        this.#identify(run, finder.id);
        yield chunk;
      }
      complete = true;
    } catch (error) {
      this.#failed(run, error, signal);
      throw error;
    } finally {
      this.#identify(run, finder.end());
      if (complete) {
        this.#join.answered(run, text.whole);
        this.#parts.history.end(run, {
          kind: 'answered',
          status: answer.status,
          durationMs: this.#since(run),
          bytes,
        });
      } else if (run.outcome.kind === 'running') {
        this.#join.unanswered(run, this.#parts.now());
        this.#parts.history.end(run, { kind: 'cancelled', durationMs: this.#since(run) });
      }
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
        : { kind: 'failed', reason: error instanceof Error ? error.message : String(error), durationMs },
    );
  }

  #since(run: Run): number {
    return this.#parts.now() - run.startedAt;
  }
}

function callOf(
  { projectId, appName, path, method, headers, body }: RunInput,
  webhook: RunCall['webhook'],
): RunCall {
  return {
    ...{ projectId, appName, path, method, headers },
    ...(body !== undefined && { body }),
    ...(webhook && { webhook }),
  };
}
