import { clockTime } from '../../../../../src/shared/text/durationText.ts';
import assert from 'node:assert/strict';
import { runAnswerText, toldAddresses } from '../../../../../src/editor/run/answers/answerText.ts';
import type { Run, RunInput } from '../../../../../src/service/runs/run.ts';
import { runUrl, withWebhook } from '../../../../../src/service/runs/runUrl.ts';
import { input } from '../../../../support/deliveries/runInput.ts';

const receivedAt = '2026-11-22T12:04:11.203Z';
const state = {
  url: 'http://127.0.0.1:4100/v4/p-1/hello/run',
  results: ['http://127.0.0.1:8787/'],
  isSandbox: false,
  waitingFor: 'nothing',
  elapsedMs: 0,
} as const;
const run: Run = {
  ...{ id: 'r', input, startedAt: 0, runId: 'run-1' },
  outcome: { kind: 'answered', status: 200, durationMs: 61, bytes: 170 },
};

describe('the text of a run and its answer', () => {
  for (const [repeats, ending] of [
    [0, ''],
    [1, ', and once more'],
    [3, ', and 3 more times'],
  ] as const) {
    it(`has the time of its delivery as the output panel has it, where it was repeated ${repeats} times`, () => {
      const delivery = { id: 'a-1', receivedAt, verdict: 'verified', answered: 200, repeats } as const;
      const lines = runAnswerText({ ...state, run: { ...run, delivery } }).split('\n');
      const line = lines.find((one) => one.startsWith('Delivered'));
      assert.equal(line, `Delivered: verified, ${clockTime(new Date(receivedAt))}${ending}`);
    });
  }
});

const proxyUrl = 'https://proxy.example/eu';
const call = { projectId: 'p', appName: 'a', method: 'POST', headers: {} };

/** What is told of a call that was written so, and filled with `value`. */
function told(kept: Omit<RunInput, keyof typeof call>, value: string) {
  const filled = JSON.parse(JSON.stringify(kept).replaceAll('${env:X}', value)) as typeof kept;
  const written = runUrl(proxyUrl, { ...call, ...filled });
  const own = typeof filled.webhook === 'string' ? withWebhook(written, filled.webhook) : written;
  const url = filled.webhook === true ? withWebhook(written, 'http://127.0.0.1:1/listener') : own;
  return toldAddresses({ written, url, proxyUrl, kept: { ...call, ...kept } });
}

describe('the addresses that an answer tells', () => {
  it('are those of the call', () => {
    const written = runUrl(proxyUrl, { ...call, path: 'run?q=a%20b' });
    const url = withWebhook(written, 'https://elsewhere.example/x');
    assert.deepEqual(toldAddresses({ written, url, proxyUrl }), {
      url: 'https://proxy.example/eu/v4/p/a/run?q=a%20b',
      results: ['https://elsewhere.example/x'],
    });
  });

  it('are as the payload writes them where its values are not kept', () => {
    const address = 'https://proxy.example/eu/v4/p/a';
    assert.deepEqual(told({ path: '/run', query: { a: ['${env:X}', 1] }, webhook: true }, 'value'), {
      url: `${address}/run?a=\${env:X}&a=1`,
      results: ['http://127.0.0.1:1/listener'],
    });
    assert.deepEqual(told({ path: '${env:X}?b=1', query: { a: 2 }, webhook: 'https://${env:X}/' }, 'value'), {
      url: `${address}/\${env:X}?b=1&a=2`,
      results: ['https://${env:X}/'],
    });
    const inQuery = { path: 'run', query: { webhookEndpoint: 'https://${env:X}.example/' }, webhook: false };
    assert.deepEqual(told(inQuery, 'value'), {
      url: `${address}/run?webhookEndpoint=https://\${env:X}.example/`,
      results: [],
    });
  });
});
