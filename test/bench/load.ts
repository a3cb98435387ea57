import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { sign } from '../../src/service/signature/signature.ts';

export const benchSecret = 'the secret of the benchmark';

/** The signature headers: the service's, or those of the Standard Webhooks specification. */
export type Scheme = 'service' | 'standard';

/** Signed requests as bytes, prepared so that signing is not measured. */
export function signedRequests(count: number, bodyBytes: number, scheme: Scheme = 'service'): Buffer[] {
  const timestamp = Math.floor(Date.now() / 1000).toString();
  const series = crypto.randomUUID();
  return Array.from({ length: count }, (_, index) => {
    const requestId = `${series}-${index}`;
    const start = `{"run_id":"${requestId}","response":"`;
    const body = Buffer.from(`${start}${'x'.repeat(Math.max(0, bodyBytes - start.length - 2))}"}`);
    const digits = sign(benchSecret, requestId, timestamp, body);
    const signed =
      scheme === 'service'
        ? [
            `X-Request-Id: ${requestId}`,
            `X-Service-Webhook-Timestamp: ${timestamp}`,
            `X-Service-Webhook-Signature: v1,${digits}`,
          ]
        : [
            `Webhook-Id: ${requestId}`,
            `Webhook-Timestamp: ${timestamp}`,
            `Webhook-Signature: v1,${Buffer.from(digits, 'hex').toString('base64')}`,
          ];
    const head = [
      'POST / HTTP/1.1',
      'Host: 127.0.0.1',
      'Content-Type: application/json',
      ...signed,
      `Content-Length: ${body.length}`,
    ];
    return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
  });
}

/**
 * Sends requests on each connection, each as soon as the one before it is answered.
 * @param maxAnswers ends after so many answers, where the time is not over before
 */
export async function sendContinuously(
  port: number,
  requests: readonly Buffer[],
  connections: number,
  durationMs: number,
  maxAnswers = Number.POSITIVE_INFINITY,
): Promise<{ answers: number; perSecond: number }> {
  let next = 0;
  let answers = 0;
  const started = performance.now();
  const until = started + durationMs;
  const drive = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      const send = (): void => {
        const request = requests[next % requests.length];
        next += 1;
        if (request !== undefined) socket.write(request);
      };
      socket.setNoDelay(true);
      socket.on('connect', send);
      socket.on('data', (answer) => {
        if (!answer.includes('HTTP/1.1 200')) {
          reject(new Error(`Not answered with 200: ${answer.toString('latin1')}`));
          socket.destroy();
          return;
        }
        answers += 1;
        if (next < maxAnswers && performance.now() < until) send();
        else socket.destroy();
      });
      socket.on('close', () => resolve());
      socket.on('error', reject);
    });
  await Promise.all(Array.from({ length: connections }, drive));
  return { answers, perSecond: (answers * 1000) / (performance.now() - started) };
}

/**
 * Sends requests at a steady rate, without waiting for answers. Resolves to the latencies in milliseconds.
 * @param unanswered called for each connection that is closed without a response; by default this rejects
 */
export async function sendAtRate(
  port: number,
  requests: readonly Buffer[],
  perSecond: number,
  durationMs: number,
  unanswered = (error: Error): void => {
    throw error;
  },
): Promise<number[]> {
  const taken: number[] = [];
  const waiting: Promise<void>[] = [];
  const started = performance.now();
  const count = Math.floor((durationMs * perSecond) / 1000);
  for (let index = 0; index < count; index += 1) {
    const due = started + (index * 1000) / perSecond;
    while (performance.now() < due) await new Promise((resolve) => setTimeout(resolve, 1));
    const request = requests[index % requests.length];
    if (request !== undefined) {
      waiting.push(sendOnce(port, request).then((ms) => void taken.push(ms), unanswered));
    }
  }
  await Promise.all(waiting);
  return taken;
}

function sendOnce(port: number, request: Buffer): Promise<number> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.on('error', reject).on('close', () => reject(new Error('Closed without a response.')));
    socket.on('data', (answer) => {
      if (!answer.includes('HTTP/1.1 200')) reject(new Error(`Not answered with 200: ${String(answer)}`));
      resolve(performance.now() - started);
      socket.destroy();
    });
  });
}
