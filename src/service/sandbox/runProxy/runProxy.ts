import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { webhookEnvelope } from '../../webhookEnvelope.ts';
import { isJson } from '../../../shared/json/jsonScanner.ts';
import type { Clock } from '../../../shared/async/clock.ts';
import { endToEndHeaders } from '../../../shared/http/endToEndHeaders.ts';
import type { SandboxFault } from '../sandboxFault.ts';
import { decodedStart, encodingsIn } from '../../encoding/decodedBody.ts';
import { readBody } from '../requestBody.ts';
import type { ServedApp } from '../serviceState.ts';
import { type AppResult, maxWebhookBytes, webhookBody } from '../webhook/webhookBody.ts';
import {
  type WebhookParameters,
  queryForApp,
  targetForApp,
  webhookParametersOf,
} from '../webhook/webhookParameters.ts';
import type { WebhookSender } from '../webhook/webhookSender.ts';
import type { BuiltInAnswer, BuiltInApp } from './builtInApps.ts';
import { UpstreamError, callLocalApp } from './localApp.ts';

/** A call to an app. */
interface RunCall {
  request: IncomingMessage;
  response: ServerResponse;
  app: ServedApp;
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
    const answer: BuiltInAnswer = await app({
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
      error = "The app's response broke off.";
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
    const call = { ...callOf(run, status), error };
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

/** Captures an app's answer while it is passed on to the caller, up to the size of a webhook. */
export class Capture {
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;

  add(chunk: Uint8Array): void {
    if (this.#bytes < maxWebhookBytes) this.#chunks.push(chunk);
    this.#bytes += chunk.byteLength;
  }

  /** The captured answer without its encoding: the webhook holds what the app said. @param header `Content-Encoding` */
  async decoded(header: string | undefined): Promise<Capture> {
    if (this.#bytes > maxWebhookBytes || encodingsIn(header).length === 0) return this;
    const content = Buffer.concat(this.#chunks);
    const most = maxWebhookBytes;
    const { start, bytes, problem } = await decodedStart(content, header, { bytes: content.length, most });
    if (problem !== undefined) return this;
    const decoded = new Capture();
    decoded.add(start);
    decoded.#bytes = bytes ?? start.length;
    return decoded;
  }

  /**
   * The captured answer: unchanged if it is JSON, else its text, else its bytes.
   * @param contentType the answer's Content-Type
   */
  result(contentType: string | undefined): AppResult {
    const content = Buffer.concat(this.#chunks).subarray(0, maxWebhookBytes);
    const isWhole = this.#bytes <= maxWebhookBytes;
    const text = decodeUtf8(content, isWhole);
    if (!isWhole) return { bytes: this.#bytes, content: text ?? content };
    const json = isJsonType(contentType) && text !== undefined ? bareJson(text) : undefined;
    const whole = json ?? JSON.stringify(text ?? content.toString('base64'));
    return { bytes: this.#bytes, whole, content: json ?? text ?? content };
  }
}

function isJsonType(contentType: string | undefined): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\b/i.test(contentType ?? '');
}

/** Converts a text to JSON text: unchanged if it is JSON already, else as a JSON string. */
function asJson(text: string): string {
  return bareJson(text) ?? JSON.stringify(text);
}

/** The text without a byte-order mark; undefined if it is not JSON. */
function bareJson(text: string): string | undefined {
  const bare = text.replace(/^\ufeff/, '');
  return isJson(bare) ? bare : undefined;
}

/** Undefined if the bytes are not UTF-8. @param isWhole if false, the last character may be incomplete */
function decodeUtf8(bytes: Uint8Array, isWhole: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: !isWhole });
  } catch {
    return undefined;
  }
}
