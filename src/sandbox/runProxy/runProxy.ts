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
  /** The part of the path after the app's name, such as `/run`. */
  path: string;
  query: string;
  faults: ReadonlySet<SandboxFault>;
}

const runIdHeader = 'X-Run-Id';

/** An answer that is streamed to the caller. */
interface StreamedAnswer {
  status: number;
  /** Alternating names and values. */
  headers: readonly string[];
  contentType: string | undefined;
  /** `Content-Encoding`. */
  encoding?: string | undefined;
  body: AsyncIterable<Uint8Array>;
}

/** One run: its call, its id, and where its result goes. */
interface Run extends RunCall {
  id: string;
  webhook: WebhookParameters | undefined;
  /** Aborted when nobody waits for the response any more. */
  signal: AbortSignal;
}

/**
 * The run proxy (service-interface.md, section 4.3). A built-in app's answer is returned in an envelope (`run_id`,
 * `result`, `timestamp`), and the answer of the user's own app unchanged, with the run's id in `X-Run-Id`. The
 * interface document shows neither. The webhook is always the envelope (section 6).
 */
export class RunProxy {
  readonly #sender: WebhookSender;
  readonly #clock: Clock;

  constructor(sender: WebhookSender, clock: Clock) {
    this.#sender = sender;
    this.#clock = clock;
  }

  /** @throws Refusal if the call cannot be run */
  async run(call: RunCall): Promise<void> {
    const webhook = webhookParametersOf(call.request, call.query);
    const abandoned = new AbortController();
    // With a webhook, the result is still needed after the caller has disconnected.
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
    const answer = await callLocalApp(url, run.request, targetForApp(run), {
      isCaptured: run.webhook !== undefined,
      signal: run.signal,
    });
    await this.#answerStream(run, {
      status: answer.statusCode ?? 502,
      headers: endToEndHeaders(answer.rawHeaders, [runIdHeader.toLowerCase()]),
      contentType: answer.headers['content-type'],
      encoding: answer.headers['content-encoding'],
      body: answer,
    });
  }

  #answerEnvelope(run: Run, status: number, result: string): void {
    const now = this.#clock.now();
    const body = Buffer.from(webhookEnvelope({ ...callOf(run, status), result }, now));
    run.response.writeHead(status, {
      'Content-Type': 'application/json',
      'Content-Length': body.byteLength,
      [runIdHeader]: run.id,
    });
    run.response.end(body);
    const answer = { bytes: Buffer.byteLength(result), whole: result, content: result };
    this.#send(run, status, answer, now);
  }

  async #answerStream(
    run: Run,
    { status, headers, contentType, encoding, body }: StreamedAnswer,
  ): Promise<void> {
    const { response } = run;
    const capture = run.webhook && new Capture();
    response.writeHead(status, [...headers, runIdHeader, run.id]);
    response.flushHeaders();
    let error: string | undefined;
    try {
      for await (const chunk of body) {
        capture?.add(chunk);
        if (!response.destroyed && !response.write(chunk)) await drainedOrClosed(response);
      }
      response.end();
    } catch {
      error = 'The answer of the app broke off.';
      // The only way left to tell the caller that the answer is incomplete.
      response.destroy();
    }
    if (capture === undefined) return;
    const said = await capture.decoded(encoding);
    this.#send(run, status, said.result(contentType), this.#clock.now(), error);
  }

  /** @param error why the answer is incomplete */
  #send(run: Run, status: number, answer: AppResult, now: number, error?: string): void {
    const { id, app, webhook, faults } = run;
    if (webhook === undefined) return;
    const call = { ...callOf(run, status), ...(error !== undefined && { error }) };
    const what = webhookBody(call, answer, now);
    void this.#sender.send({ runId: id, appName: app.name, ...webhook, ...what, faults });
  }
}

function callOf({ id, app }: Run, status: number): { runId: string; appName: string; status: number } {
  return { runId: id, appName: app.name, status };
}

async function drainedOrClosed(response: ServerResponse): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  try {
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
  } finally {
    over.abort();
  }
}
