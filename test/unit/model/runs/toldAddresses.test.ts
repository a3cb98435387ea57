import assert from 'node:assert/strict';
import type { RunInput } from '../../../../src/model/runs/run.ts';
import { runUrl, withWebhook } from '../../../../src/model/runs/runUrl.ts';
import { toldAddresses } from '../../../../src/model/runs/toldAddresses.ts';

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
