import assert from 'node:assert/strict';
import { UserError } from '../../../../../src/shared/text/userError.ts';
import {
  type ExplanationWork,
  explainInThread,
} from '../../../../../src/editor/deliveries/explanation/explainInThread.ts';
import { sign } from '../../../../../src/service/signature/signature.ts';
import { defaultSecret } from '../../../../support/listener/defaultSecret.ts';
import { cpuUsageMs } from '../../../../support/time/cpuTime.ts';
import { explanationEntry as worker } from '../../../../support/processes/entryPoints.ts';

const secret = 'a secret of the explanation';
const largest = 10 * 1024 * 1024;

function work(body: string, signature = '0'.repeat(64)): ExplanationWork {
  return {
    headers: {
      'x-request-id': 'r-1',
      'x-service-webhook-timestamp': '1790000000',
      'x-service-webhook-signature': `v1,${signature}`,
    },
    body,
    secrets: [defaultSecret(secret), defaultSecret('one before', 1), defaultSecret('and before', 1)],
    clock: 1_790_000_000,
    toleranceSeconds: 300,
    messages: {},
    language: 'en',
  };
}

const explain = (asked: ExplanationWork, signal = new AbortController().signal) =>
  explainInThread(worker, asked, signal);

/** How much this thread did at one go, at most, while a promise was waited for. */
async function longestStuck(promise: Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = process.threadCpuUsage();
  const look = (): void => {
    longest = Math.max(longest, cpuUsageMs(process.threadCpuUsage(last)));
    last = process.threadCpuUsage();
  };
  const ticker = setInterval(look, 5);
  await promise.finally(() => clearInterval(ticker));
  look();
  return longest;
}

/** As many of a piece as make the largest body. */
const full = (piece: string, start = '', end = ''): string =>
  start + piece.repeat((largest - start.length - end.length) / piece.length) + end;

describe('an explanation in a thread of its own', () => {
  const bodies: [what: string, body: () => string, searchMs?: number][] = [
    [
      '187 KB of usual JSON',
      () => JSON.stringify(Array.from({ length: 9000 }, (_, i) => ({ i, s: 'é/<' }))),
      2000,
    ],
    ['brackets in brackets', () => full('[', '', ']'.repeat(largest / 2)).slice(0, largest)],
    // Some of the attempts take long each, and are cut by the limit of all.
    ['one string of what others escape', () => full('<', '"', '"'), 2000],
    ['line endings', () => full('\r\n')],
    ['small numbers', () => full('0 , ', '[', '0]')],
  ];
  for (const [what, body, searchMs = 300] of bodies) {
    it(`is made within 3 seconds after the search has to end, while this one goes on: ${what}`, async () => {
      const asked = work(body());
      const limits = { overallMs: 3500, searchMs };
      const started = process.cpuUsage();
      const explaining = explainInThread(worker, asked, new AbortController().signal, limits);
      const stuck = await longestStuck(explaining);
      const took = cpuUsageMs(process.cpuUsage(started));
      console.log(`      ${Math.round(took)} ms, this thread stuck for ${Math.round(stuck)} ms`);
      const { text } = await explaining;
      assert.match(
        text,
        /^The signature does not match\.\nNone of the (usual causes fits|causes tried fits\. Not all)/,
      );
      assert.ok(took < searchMs + 3000, `it took ${took} ms`);
      assert.ok(stuck < 1000, `this thread was stuck for ${stuck} ms`);
    });
  }

  it('finds what happened to a large body', async () => {
    const value = Array.from({ length: 40_000 }, (_, id) => ({ id, name: 'né', list: [1.5, null] }));
    const signature = sign(secret, 'r-1', '1790000000', Buffer.from(JSON.stringify(value, null, 2)));
    // As long as a busy machine takes.
    const limits = { overallMs: 60_000, searchMs: 60_000 };
    const asked = work(JSON.stringify(value), signature);
    const { text } = await explainInThread(worker, asked, new AbortController().signal, limits);
    assert.match(text, /Body re-serialised/);
  });

  it('is broken off at once where nobody waits any more', async () => {
    const abort = new AbortController();
    const started = process.cpuUsage();
    const explaining = explain(work(full(' ')), abort.signal);
    setTimeout(() => abort.abort(), 100);
    await assert.rejects(explaining, UserError);
    assert.ok(cpuUsageMs(process.cpuUsage(started)) < 2000);
    await assert.rejects(explain(work(''), abort.signal));
  });

  it('gives what was known by then, where the thread does not end', async () => {
    const code = `import { parentPort } from 'node:worker_threads';
      parentPort.postMessage({ text: 'known' });
      for (;;);`;
    const hanging = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
    const known = await explainInThread(hanging, work(''), new AbortController().signal);
    assert.equal(known.text, 'known');
  });

  it('says what a thread that cannot start says', async () => {
    const missing = explainInThread('/no/such/file.js', work(''), new AbortController().signal);
    await assert.rejects(missing, /file\.js/);
  });
});
