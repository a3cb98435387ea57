import assert from 'node:assert/strict';
import { cpuMs } from '../../../support/time/cpuTime.ts';
import { type Query, type RunUrl, runUrl } from '../../../../src/service/runs/runUrl.ts';

const to = (path: string, query: Query = {}): RunUrl =>
  runUrl('https://proxy.example', { projectId: 'p', appName: 'a', path, query });
const resultsOf = ({ resultAddresses }: RunUrl): string[] => resultAddresses.map(({ href }) => href);

describe('the addresses that a query names for the result', () => {
  const stranger = 'http://192.0.2.2/x';
  const names = [
    ...[
      'webhookEndpoint',
      'WEBHOOKENDPOINT',
      'webhook_endpoint',
      'webhook-endpoint',
      'webhookEndpoint[]',
      'webhookEndpoint[0]',
    ],
    ...[
      'webhook%45ndpoint',
      'webhook%2545ndpoint',
      'a=1;webhookEndpoint',
      'a=1%26webhookEndpoint',
      'a?webhookEndpoint',
      '+webhookEndpoint',
    ],
    ...[
      '%20webhookEndpoint',
      'webhookEndpoint%00',
      'webhookEndpoint%00.x',
      'a=b%23webhookEndpoint',
      'webhookEndpo\u0131nt',
      '\uff57ebhookEndpoint',
    ],
    ...['a&amp;webhookEndpoint', '%u0077ebhookEndpoint', 'webhookEndpoint%5B%5D'],
  ];
  for (const name of names) {
    it(`are found by whoever reads it: ${name}`, () => {
      assert.deepEqual(resultsOf(to(`run?${name}=${encodeURIComponent(stranger)}`)), [stranger]);
      assert.deepEqual(resultsOf(to(`run?${name}=${stranger}`)), [stranger]);
    });
  }

  it('are found in the path too', () => {
    assert.deepEqual(resultsOf(to('run;webhookEndpoint=http:%2F%2F192.0.2.2%2Fx')), [stranger]);
    assert.deepEqual(resultsOf(to('run%3fwebhookEndpoint=http:%2F%2F192.0.2.2%2Fx')), [stranger]);
  });

  it('are all of them, by all readings', () => {
    assert.deepEqual(resultsOf(to('run?webhookEndpoint=http://a/&webhookEndpoint=http://b/')), [
      'http://a/',
      'http://b/',
    ]);
    assert.deepEqual(resultsOf(to('run?webhookEndpoint=http://a/xy&webhookEndpoint=http://a/x')), [
      'http://a/xy',
      'http://a/x',
    ]);
    assert.deepEqual(resultsOf(to('run', { webhookEndpoint: ['http://a/?b=1&c=2', 'http://d/'] })), [
      'http://a/?b=1&c=2',
      'http://d/',
    ]);
    const many = Array.from({ length: 6 }, (_, index) => `http://h${index}/`);
    assert.throws(() => to('run', { webhookEndpoint: many }), /more than 5 addresses/);
    assert.throws(
      () =>
        to(`run?${'webhookEndpoint=http://h/%s&'.repeat(9).replaceAll('%s', () => String(Math.random()))}`),
      /more than 5/,
    );
  });

  it('are refused where they may be read in two ways', () => {
    const twofold = [
      ...[
        'http%3A%2F%2Fevil%252f@127.0.0.1/',
        'http://u:p@h/',
        'http://h+',
        '+http://h/',
        'http://h%2f@evil/',
        'http://é.example/',
      ],
      ...[
        'http:/h/',
        'http:h',
        'http:\\\\h',
        '%09http://h/',
        'http://u%C0%AE/',
        'http%3A//u%C0%AE/',
        '//h/',
        'http://h%2500/',
        'x',
      ],
      ...['http://h:8x/', 'http://[::1/', 'https://h%252e/', 'http://', ''],
    ];
    for (const value of twofold)
      assert.throws(() => to(`run?webhookEndpoint=${value}`), /with a plain host/, value);
    for (const value of [
      'http://[::1]:8/',
      'HTTPS://H_x-1.example:1?a',
      'http%253A%252F%252Fh',
      'http://h/%E9%zz@+',
    ])
      assert.equal(to(`run?webhookEndpoint=${value}`).resultAddresses.length, 1, value);
  });

  it('are none where it names none', () => {
    for (const path of [
      'run',
      'run?webhook=http://a/',
      'run?x=webhookEndpoint',
      'run?my_webhook_endpoint=1',
      'run?q=see%20webhookEndpoint=x',
    ])
      assert.deepEqual(resultsOf(to(path)), [], path);
  });

  it('are looked for in no more time than a long query takes', () => {
    const long = Array.from({ length: 20_000 }, (_, index) => `webhookEndpoint=http://h/${index}`).join('&');
    const took = cpuMs(() => {
      assert.throws(() => to(`run?${long}`), /more than 5/);
      assert.throws(() => to(`run?x=%${'25'.repeat(100_000)}`), /too many times/);
      to(`run?x=${'%41'.repeat(300_000)}`);
    });
    assert.ok(took < 3000, `it took ${took} ms`);
  });
});
