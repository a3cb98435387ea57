import assert from 'node:assert/strict';
import { type RunUrl, runUrl, withWebhook } from '../../../src/service/runs/runUrl.ts';
import { UserError } from '../../../src/shared/text/userError.ts';
import { seedsOf, type Target } from '../target.ts';

const proxy = 'https://proxy.example/eu';
const listener = 'http://127.0.0.1:4711/';
const base = '/eu/v4/p-1/hello/';

/** The URL of a run must stay below its app, and `resultAddresses` must list every address that receives the result. */
export const runUrlTarget: Target = {
  name: 'runUrl',
  seeds: seedsOf(
    'run',
    'run?q=a%20b&flag&t=~!*()&e=%2F;k=1&x=%E9',
    'v1/chat/../x%2f..%5c%252e%252e?webhookEndpoint=http%3A%2F%2F192.0.2.2%2F%3Fa%3D1%26b%3D2',
    'run;webhookEndpoint=http:%2F%2F192.0.2.2?WebhookEndpoint[]=http://192.0.2.3/&webhook%45ndpoint=https://u:p@h/',
    '/files/é x/%c0%ae%c0%ae/..;a=b/%u002e?#',
  ),
  tokens: [
    '..',
    '.',
    '%2e',
    '%2f',
    '%5c',
    '%25',
    '\\',
    '//',
    '\t',
    '?',
    '#',
    '&',
    ';',
    '%c0%ae',
    'webhookEndpoint=',
  ],
  check: (input) => {
    const written = input.toString('utf8');
    let url: RunUrl;
    let asked: RunUrl;
    try {
      asked = runUrl(proxy, { projectId: 'p-1', appName: 'hello', path: written });
      url = asked.resultAddresses.length > 0 ? asked : withWebhook(asked, listener);
    } catch (error) {
      assert.ok(error instanceof UserError, String(error));
      return;
    }
    const parsed = new URL(url.href);
    assert.equal(`${parsed.origin}${parsed.username}${parsed.hash}`, 'https://proxy.example');
    assert.equal(parsed.pathname, url.pathname);
    assert.match(url.pathname + url.search, /^[\x21-\x7e]+$/);
    const query = written.includes('?') ? written.slice(written.indexOf('?')) : '?';
    const ascii = encodeURI(query).replaceAll('%25', '%').replaceAll('%5B', '[').replaceAll('%5D', ']');
    if (!/[\\^`{|}]/.test(query)) assert.ok(query === '?' || url.search.startsWith(ascii), url.search);
    for (const text of decodings(url.pathname)) {
      assert.ok(new URL(text.replaceAll('\\', '/'), proxy).pathname.startsWith(base), text);
    }
    const told = url.resultAddresses.map(({ origin }) => origin);
    for (const text of decodings(url.search)) {
      for (const [name, value] of new URLSearchParams(text)) {
        const named = name.toLowerCase() === 'webhookendpoint' ? URL.parse(value)?.origin : undefined;
        assert.ok(named === undefined || told.includes(named), `${value} is not told of`);
      }
    }
  },
};

/** A text, and the results of percent-decoding it repeatedly. */
function decodings(text: string): string[] {
  const decoded = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
  return decoded === text ? [text] : [text, ...decodings(decoded)];
}
