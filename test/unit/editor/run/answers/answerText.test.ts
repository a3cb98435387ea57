import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../../../scripts/checkout.ts';
import { languages, readBundle } from '../../../../../scripts/l10n/bundles.ts';
import { runAnswerText, toldAddresses } from '../../../../../src/editor/run/answers/answerText.ts';
import type { Run, RunInput } from '../../../../../src/service/runs/run.ts';
import { runUrl, withWebhook } from '../../../../../src/service/runs/runUrl.ts';
import { useBundle } from '../../../../../src/shared/text/l10n.ts';
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

describe('the text of a run and its response', () => {
  const head = { status: 200, headers: { 'content-type': 'application/json' }, afterMs: 12 };
  const body = { text: '{\n  "a": 1\n}', bytes: 8 };
  const delivery = { id: 'a-1', receivedAt, verdict: 'verified', answered: 200, repeats: 0 } as const;

  const sentTo = { to: 'http://localhost:3000/', durationMs: 7 };

  it('has how it went, the body, the headers and the call', () => {
    const sent = { ...input, headers: { 'X-A': 'b', Authorization: 'Bearer x' }, body: '{"prompt":1.0}' };
    assert.equal(
      runAnswerText({ ...state, head, body, run: { ...run, input: sent, delivery } }),
      `200 OK · 8 B · 61 ms · ✓ verified

{
  "a": 1
}

── Headers · 1
  content-type: application/json
── Request · POST http://127.0.0.1:4100/v4/p-1/hello/run
  → http://127.0.0.1:8787/
  Run id run-1
  X-A: b
  Authorization: ••••••••
  
  {
    "prompt": 1.0
  }
`,
    );
  });

  it('says that the service could not reach this machine for a while, and guesses nothing then', () => {
    const waits = { ...state, waitingFor: 'delivery', elapsedMs: 90_000, head, body } as const;
    const text = runAnswerText({ ...waits, run: { ...run, awaited: true }, wasAway: true });
    const lines = text.slice(0, text.indexOf('\n\n')).split('\n');
    assert.deepEqual(lines.slice(1), [
      'Not delivered yet: the service could not reach this machine for a while',
    ]);
  });

  it('asks for the public URL of a late delivery only where it goes there', () => {
    const waits = { ...state, waitingFor: 'delivery', elapsedMs: 60_000, head, body } as const;
    const said = (sent: Run) => runAnswerText({ ...waits, run: { ...sent, awaited: true } });
    assert.match(said(run), /^- Can the address .* "Runhook: Check Public URL"/m);
    assert.doesNotMatch(said({ ...run, listenerPort: 8787 }), /Public URL/);
    assert.match(said({ ...run, listenerPort: 8787 }), /^- Is the app still running\?/m);
  });

  it('says where the service sends a delivery that does not come here', () => {
    const of: Run = { ...run, input: { ...input, webhook: 'http://127.0.0.1:4177/hook' } };
    const results = ['http://127.0.0.1:4177/hook'];
    const lines = (sent: Run) => runAnswerText({ ...state, results, head, body, run: sent }).split('\n');
    assert.equal(lines(of)[1], 'The service sends it to http://127.0.0.1:4177/hook.');
    const failed: Run = { ...of, outcome: { kind: 'answered', status: 502, durationMs: 61, bytes: 170 } };
    assert.match(lines(failed)[1] ?? '', /^Not delivered: the run failed \(502\)/);
  });

  it('says in its first line that nothing came, where the app did its work', () => {
    const brokenOff = { bytes: 812, times: 3 };
    const first = (more: Partial<Run>, waitingFor: 'nothing' | 'delivery' = 'nothing') =>
      runAnswerText({ ...state, head, body, waitingFor, run: { ...run, ...more } }).split('\n')[0] ?? '';
    assert.match(first({ brokenOff }), /^200 OK · .* · ⚠ not delivered$/);
    assert.match(first({}), / · ⚠ not delivered$/);
    assert.match(first({}, 'delivery'), /^200 OK · [^⚠]*$/);
    assert.match(first({ delivery }), /^200 OK · [^⚠]*$/);
  });

  it('says that nothing is delivered of a run whose sandbox has ended with the window', () => {
    const said = (runId: string | undefined) => {
      const interrupted = { ...run, runId, outcome: { kind: 'interrupted' as const } };
      return runAnswerText({ ...state, run: interrupted, isSandbox: true }).split('\n')[1];
    };
    assert.equal(said('run-1'), 'Not delivered: the sandbox ended with its window.');
    // It may have been delivered before, and nobody could tell that it was of this run.
    assert.equal(
      said(undefined),
      'Its run id is not known: if it was delivered before the sandbox ended, the Deliveries view shows it.',
    );
  });

  it('has the colours of JSON from its first line on where it is compared, without how it went', () => {
    const grammar = readFileSync(join(root, 'media/response.tmLanguage.json'), 'utf8');
    const { repository } = JSON.parse(grammar) as { repository: { outcome: { begin: string } } };
    const begins = new RegExp(repository.outcome.begin.replace('\\A', '^'));
    assert.deepEqual(
      ['200 OK · 8 B', '⚠ no response', '{', '['].map((line) => begins.test(line)),
      [true, true, false, false],
    );
  });

  const outcomes: [what: string, changes: Partial<Run>, first: RegExp][] = [
    ['repeats', { delivery: { ...delivery, repeats: 2 } }, /61 ms · ✓ verified · 2 repeats$/],
    ['a mismatch', { delivery: { ...delivery, verdict: 'mismatch' } }, / · ✗ mismatch$/],
    [
      'its handler',
      { delivery: { ...delivery, forward: { ...sentTo, status: 500 } } },
      / · ✓ verified · ⚠ 500 from your handler$/,
    ],
    [
      'a handler that took it',
      { delivery: { ...delivery, forward: { ...sentTo, status: 200 } } },
      / · ✓ verified · ✓ 200 from your handler$/,
    ],
    [
      'no handler',
      { delivery: { ...delivery, forward: { ...sentTo, error: 'ECONNREFUSED' } } },
      / · ⚠ your handler is not running$/,
    ],
    [
      'a failure',
      { outcome: { kind: 'failed', reason: 'it broke', durationMs: 5 } },
      /^✗ Failed after 5 ms: it broke · 200 OK · 8 B$/,
    ],
    [
      'what still comes',
      { outcome: { kind: 'running' } },
      /^200 OK · headers after 12 ms, receiving the body$/,
    ],
  ];
  for (const [what, changes, first] of outcomes) {
    it(`tells of ${what} in its first line`, () => {
      const [line = ''] = runAnswerText({ ...state, head, body, run: { ...run, ...changes } }).split('\n');
      assert.match(line, first);
    });
  }

  const named = { runId: 'run-1' };
  const parties: [whose: string, status: number, of: Partial<Run>, first: RegExp, text?: string][] = [
    ['the app, whose run has an id', 500, named, /^500 Internal Server Error from the app · 8 B/],
    ['the app, whose run was delivered', 422, { delivery }, /^422 Unprocessable Entity from the app · /],
    ['the service, which refused', 429, {}, /^429 Too Many Requests from the service · /],
    ['either', 500, {}, /^500 Internal Server Error · /],
    ['a page', 403, {}, /^403 Forbidden · /, '<html><title>Blocked</title>'],
    ['no error', 200, named, /^200 OK · /],
  ];
  for (const [whose, status, of, first, said = body.text] of parties) {
    it(`names whose error a status is: ${whose}`, () => {
      const outcome = { kind: 'answered', status, durationMs: 61, bytes: 8 } as const;
      const shown = { ...state, head: { ...head, status }, body: { ...body, text: said } };
      const unnamed: Run = { id: 'r', input, startedAt: 0, outcome };
      const text = runAnswerText({ ...shown, run: { ...unnamed, ...of } });
      assert.match(text, first);
      assert.equal(text.includes('the response does not say which'), whose === 'either');
    });
  }

  it('says what to do about a run that the service refused, though nothing was to be delivered', () => {
    for (const [status, next] of [
      [404, 'Check the id of the project, the name of the app, and the path.'],
      [403, 'Check whether the token is allowed to run the app.'],
    ] as const) {
      const outcome = { kind: 'answered', status, durationMs: 61, bytes: 8 } as const;
      const refused: Run = { id: 'r', input: { ...input, webhook: false }, startedAt: 0, outcome };
      const text = runAnswerText({ ...state, results: [], head: { ...head, status }, body, run: refused });
      assert.ok(text.includes(`\n${next}\n`), text);
    }
  });

  it('has the status, the verdict and the handler in their colours, in every language', () => {
    const grammar = readFileSync(join(root, 'media/response.tmLanguage.json'), 'utf8');
    const { repository } = JSON.parse(grammar) as {
      repository: { outcome: { patterns: { match: string; name: string }[] } };
    };
    const forward = { ...sentTo, status: 200 };
    const outcome = { kind: 'answered', status: 500, durationMs: 61, bytes: 8 } as const;
    const failed = { ...run, outcome, delivery: { ...delivery, forward } };
    for (const bundle of [{}, ...languages().map((language) => readBundle(language))]) {
      useBundle(bundle);
      const [line = ''] = runAnswerText({ ...state, head: { ...head, status: 500 }, run: failed }).split(
        '\n',
      );
      useBundle({});
      const colors = line.split(' · ').map((part, at) => {
        const fits = ({ match }: { match: string }) =>
          (at === 0 || !match.startsWith('^')) && part.search(new RegExp(match, 'u')) === 0;
        return repository.outcome.patterns.find(fits)?.name.split('.').at(-2);
      });
      assert.deepEqual(colors, ['response', undefined, 'verified', 'verified'], line);
    }
  });

  it('says when to try again, and what an HTML page says', () => {
    const busy = { ...head, status: 429, headers: { 'retry-after': '30' } };
    const page = { text: '<html>\n<title>Slow down</title><p>Too many calls.', bytes: 49 };
    const startedAt = new Date(2026, 10, 22, 14, 2, 42, 500).getTime();
    const text = runAnswerText({ ...state, results: [], head: busy, body: page, run: { ...run, startedAt } });
    const body = 'Slow down\nToo many calls.';
    const html = '── HTML · 49 B\n  <html>\n  <title>Slow down</title><p>Too many calls.\n── Headers';
    assert.ok(
      text.startsWith(
        `429 Too Many Requests from the app · 49 B · 61 ms\nTry again at 14:03:13.\n\n${body}\n\n${html}`,
      ),
      text,
    );
  });

  it('says how many days the service asks to wait', () => {
    const busy = { ...head, status: 429, headers: { 'retry-after': '172800' } };
    const startedAt = new Date(2026, 10, 22, 14, 2, 42, 500).getTime();
    const text = runAnswerText({ ...state, head: busy, body, run: { ...run, startedAt } });
    assert.match(text, /^Try again in 2 days\.$/m);
  });

  it('says what a page says that came in place of a response, and shows that of an app as it is', () => {
    const page = { text: '<html><title>Sign in</title>', bytes: 28 };
    const { runId, ...unnamed } = run;
    const first = (of: Run) =>
      runAnswerText({ ...state, results: [], head, body: page, run: of })
        .split('\n')
        .slice(1, 4);
    const note =
      'This is a web page that names no run. A proxy may be asking you to sign in, or the address is not that of the service.';
    assert.deepEqual(first(unnamed), [note, '', 'Sign in']);
    assert.deepEqual(first({ ...unnamed, runId: runId! }).slice(0, 2), ['', page.text]);
  });
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
