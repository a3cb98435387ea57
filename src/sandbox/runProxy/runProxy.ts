import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SandboxFault } from '../../model/service/sandboxFault.ts';
import type { AppAnswer, BuiltInApp } from './builtInApps.ts';
import { asJson, Capture } from './capture.ts';
import type { Clock } from '../../model/processes/clock.ts';
import { endToEndHeaders } from '../../model/service/endToEndHeaders.ts';
import { webhookEnvelope } from '../../model/deliveries/webhookEnvelope.ts';
import { UpstreamError, callLocalApp } from './localApp.ts';
import { readBody } from './readBody.ts';
import type { App } from '../sandboxState.ts';
import { shapedEnvelope } from '../webhook/shapedEnvelope.ts';
import { type AppResult, webhookBody } from '../webhook/webhookBody.ts';
import {
  queryForApp,
  targetForApp,
  type WebhookParameters,
  webhookParametersOf,
} from '../webhook/webhookParameters.ts';
import type { WebhookSender } from '../webhook/webhookSender.ts';

/** A call to an app. */
export interface RunCall {
  request: IncomingMessage;
  response: ServerResponse;
  app: App;
  /** What follows the app's name: `/run`. */
  path: string;
  query: string;
  faults: ReadonlySet<SandboxFault>;
}

const runIdHeader = 'X-Run-Id';

/** An answer that goes on to the caller as it comes. */
interface StreamedAnswer {
  status: number;
  /** Names and values in turn. */
  headers: readonly string[];
  contentType: string | undefined;
  body: AsyncIterable<Uint8Array>;
}

/** One run: its call, its id, and what becomes of its result. */
interface Run extends RunCall {
  id: string;
  webhook: WebhookParameters | undefined;
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
}

/**
 * The run proxy (service-interface.md, section 4.3). The answer of a built-in app comes in an envelope
 * (`run_id`, `result`, `timestamp`), that of the user's own app as it is, with the run's id in `X-Run-Id`;
 * the document shows neither. The webhook is the envelope either way (section 6).
 */
export class RunProxy {
  readonly #sender: WebhookSender;
  readonly #clock: Clock;

  constructor(sender: WebhookSender, clock: Clock) {
    this.#sender = sender;
    this.#clock = clock;
  }

  /** @throws Refusal where the call cannot be run */
  async run(call: RunCall): Promise<void> {
    const webhook = webhookParametersOf(call.request, call.query);
    const abandoned = new AbortController();
    // A webhook has a reader even where the caller has gone.
    if (webhook === undefined) call.response.on('close', () => abandoned.abort());
    const run: Run = { ...call, id: `run-${randomUUID()}`, webhook, signal: abandoned.signal };
    try {
      await (call.app.runs.kind === 'builtIn'
        ? this.#runBuiltIn(run, call.app.runs.app)
        : this.#runLocal(run, call.app.runs.url));
    } catch (error) {
      if (abandoned.signal.aborted) return;
      if (!(error instanceof UpstreamError)) throw error;
      this.#answerEnvelope(run, 502, JSON.stringify({ error: error.message }));
    }
  }

  async #runBuiltIn(run: Run, app: BuiltInApp): Promise<void> {
    const text = (await readBody(run.request)).toString('utf8');
    const answer: AppAnswer = await app({
      method: run.request.method ?? '',
      path: run.path,
      query: new URLSearchParams(queryForApp(run.query)),
      body: text === '' ? 'null' : asJson(text),
      signal: run.signal,
    });
    if (answer.kind === 'result') {
      this.#answerEnvelope(run, answer.status, answer.result);
      return;
    }
    const { contentType, body } = answer;
    await this.#answerStream(run, { status: 200, headers: ['Content-Type', contentType], contentType, body });
  }

  async #runLocal(run: Run, url: URL): Promise<void> {
    const answer = await callLocalApp(url, run.request, targetForApp(run), run.signal);
    await this.#answerStream(run, {
      status: answer.statusCode ?? 502,
      headers: endToEndHeaders(answer.rawHeaders, [runIdHeader.toLowerCase()]),
      contentType: answer.headers['content-type'],
      body: answer,
    });
  }

  #answerEnvelope(run: Run, status: number, result: string): void {
    const now = this.#clock.now();
    const { shape } = run.app;
    const call = { ...callOf(run, status), result };
    const body = Buffer.from(shape ? shapedEnvelope(shape, call, now) : webhookEnvelope(call, now));
    run.response.writeHead(status, {
      'Content-Type': 'application/json',
      'Content-Length': body.byteLength,
      [runIdHeader]: run.id,
    });
    run.response.end(body);
    const answer = { bytes: Buffer.byteLength(result), whole: result, content: result };
    this.#send(run, status, answer, now);
  }

  async #answerStream(run: Run, { status, headers, contentType, body }: StreamedAnswer): Promise<void> {
    const { response } = run;
    const capture = run.webhook && new Capture();
    response.writeHead(status, [...headers, runIdHeader, run.id]);
    response.flushHeaders();
    let error: string | undefined;
    try {
      for await (const chunk of body) {
        capture?.add(chunk);
        if (!response.destroyed && !response.write(chunk)) await roomOrGone(response);
      }
      response.end();
    } catch {
      error = 'The answer of the app broke off.';
      // The only way left to tell the caller that there is more than what came.
      response.destroy();
    }
    if (capture) this.#send(run, status, capture.result(contentType), this.#clock.now(), error);
  }

  /** @param error why the answer is not whole */
  #send(run: Run, status: number, answer: AppResult, now: number, error?: string): void {
    const { id, app, webhook, faults } = run;
    if (webhook === undefined) return;
    const call = { ...callOf(run, status), ...(error !== undefined && { error }) };
    const what = webhookBody(call, answer, now, app.shape);
    void this.#sender.send({ runId: id, appName: app.name, ...webhook, ...what, faults });
  }
}

function callOf({ id, app }: Run, status: number): { runId: string; appName: string; status: number } {
  return { runId: id, appName: app.name, status };
}

async function roomOrGone(response: ServerResponse): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  try {
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
  } finally {
    over.abort();
  }
}
