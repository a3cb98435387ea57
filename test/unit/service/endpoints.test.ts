import assert from 'node:assert/strict';
import fc from 'fast-check';
import { appUrl, keysUrl, leavesItsPlace, noAddress, parseHttpUrl } from '../../../src/service/endpoints.ts';
import { runUrl } from '../../../src/service/runs/runUrl.ts';
import { UserError } from '../../../src/shared/text/userError.ts';
import { isListenerItself } from '../../../src/shared/http/loopback.ts';
import {
  attemptColumns,
  attemptLine,
  judgeAttempt,
  maxDelayMs,
  retryDelayMs,
  type WebhookAttempt,
} from '../../../src/service/webhookAttempt.ts';
import { hostileTexts } from '../../support/untrusted/hostileTexts.ts';

describe('endpoints (service-interface.md, section 4)', () => {
  it('4.1: the keys of a service account', () => {
    assert.equal(
      keysUrl('https://api.example', 'p-1', 'sa-1').href,
      'https://api.example/v2/p-1/service-accounts/sa-1/keys',
    );
  });

  it('4.2: an app', () => {
    assert.equal(
      appUrl('https://api.example', 'p-1', 'a-1').href,
      'https://api.example/v2/projects/p-1/apps/a-1',
    );
  });

  it('are missing until they are set: the sandbox, which has its own, does not mend that', () => {
    const { message, remedies } = noAddress('p-1');
    assert.deepEqual(remedies, [{ kind: 'setAddress', projectId: 'p-1' }]);
    assert.doesNotMatch(message, /sandbox/i);
  });

  it('keeps a path and drops query and hash of the base address', () => {
    assert.equal(
      appUrl('https://api.example/eu//?x=1#y', 'p', 'a').href,
      'https://api.example/eu/v2/projects/p/apps/a',
    );
  });

  it('keeps every id within its segment', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
        fc.pre(!leavesItsPlace(id));
        const url = keysUrl('https://api.example', id, id);
        const [, version, project, accounts, account, keys, ...rest] = url.pathname.split('/');
        assert.deepEqual([version, accounts, keys, rest], ['v2', 'service-accounts', 'keys', []]);
        assert.equal(decodeURIComponent(project!), id);
        assert.equal(decodeURIComponent(account!), id);
      }),
    );
  });

  for (const id of ['', '.', '..', '%2e%2E', '../x', 'x\\..', '..;a', '\ud800']) {
    it(`refuses ${JSON.stringify(id)} as an id`, () => {
      assert.throws(() => keysUrl('https://api.example', id, 'sa'), UserError);
      assert.throws(() => appUrl('https://api.example', 'p', id), UserError);
      assert.throws(
        () => runUrl('https://proxy.example', { projectId: 'p', appName: id, path: 'run' }),
        UserError,
      );
    });
  }

  for (const address of ['', 'api.example', 'file:///etc/passwd', 'javascript:alert(1)']) {
    it(`refuses "${address}" as an address of the service`, () => {
      assert.throws(() => parseHttpUrl(address), UserError);
    });
  }

  it('takes no user name and no password in an address of the service, and does not repeat it', () => {
    for (const address of ['https://me:pa55@api.example/', 'https://me@api.example']) {
      assert.throws(
        () => keysUrl(address, 'p', 'sa'),
        (error) => error instanceof UserError && !error.message.includes('pa55'),
      );
    }
  });
});

describe('the listener itself', () => {
  const isListener = (url: string, publicUrl: string): boolean =>
    isListenerItself(new URL(url), { port: 8787, publicUrl });

  it('is reached at its public address and below it', () => {
    for (const publicUrl of ['https://host.example/hook', 'https://host.example/hook/']) {
      assert.ok(isListener('https://host.example/hook', publicUrl));
      assert.ok(isListener('https://host.example/hook/', publicUrl));
      assert.ok(isListener('https://host.example/hook/of/hello?x=1', publicUrl));
    }
    assert.ok(isListener('https://host.example/any', 'https://host.example'));
  });

  it('is reached where a proxy matches the beginning of a path', () => {
    assert.ok(isListener('https://host.example/hook2', 'https://host.example/hook'));
  });

  it('is not reached at another path or host', () => {
    assert.ok(!isListener('https://host.example/', 'https://host.example/hook'));
    assert.ok(!isListener('https://other.example/hook', 'https://host.example/hook'));
  });

  it('is reached at its port on this machine', () => {
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '[::]']) {
      assert.ok(isListener(`http://${host}:8787/`, 'https://host.example/'), host);
      assert.ok(!isListener(`http://${host}:8788/`, 'https://host.example/'), host);
    }
  });
});

const first: WebhookAttempt = {
  runId: 'run-1',
  appName: 'hello',
  requestId: 'id-1',
  to: 'http://127.0.0.1:8787/hook',
  at: '2026-11-22T12:04:11.203Z',
  number: 1,
  durationMs: 3,
  error: 'connect ECONNREFUSED 127.0.0.1:8787',
  outcome: 'retry',
  nextInMs: 812,
};
const second: WebhookAttempt = {
  ...{ ...first, error: undefined! },
  ...{ at: '2026-11-22T12:04:12.018Z', number: 2, durationMs: 1204, status: 500, outcome: 'givenUp' },
};

describe('the attempts to deliver a webhook', () => {
  it('are a line each in a log', () => {
    assert.equal(
      attemptLine(first),
      'Webhook of run run-1, attempt 1 of 3: connect ECONNREFUSED 127.0.0.1:8787; the next in 812 ms.',
    );
    assert.equal(
      attemptLine(second),
      'Webhook of run run-1, attempt 2 of 3: returned 500; no more attempts.',
    );
  });

  it('are plain text on lines of their own, whatever somebody has written into them', () => {
    for (const text of hostileTexts) {
      const hostile = { ...first, appName: text, error: text, to: text, runId: text };
      assert.doesNotMatch(attemptColumns(hostile), /[\n\r]/);
    }
  });
});

describe('the retry table (service-interface.md, section 6)', () => {
  const rows = [
    [200, 'delivered'],
    [204, 'delivered'],
    [299, 'delivered'],
    [404, 'retry'],
    [400, 'permanentFailure'],
    [401, 'permanentFailure'],
    [410, 'permanentFailure'],
    [429, 'permanentFailure'],
    [500, 'permanentFailure'],
    [503, 'permanentFailure'],
    [599, 'permanentFailure'],
    [301, 'retry'],
    [304, 'retry'],
    [600, 'retry'],
  ] as const;
  for (const [status, verdict] of rows) {
    it(`${status.toString()} → ${verdict}`, () => {
      assert.equal(judgeAttempt({ kind: 'response', status }), verdict);
    });
  }

  it('a network error → retry', () => {
    assert.equal(judgeAttempt({ kind: 'networkError', reason: 'ECONNREFUSED' }), 'retry');
  });

  it('never waits longer than 5 seconds', () => {
    for (let attempt = 1; attempt < 20; attempt += 1) {
      for (const random of [0, 0.5, 0.999999]) {
        assert.ok(retryDelayMs(attempt, random) <= maxDelayMs);
        assert.ok(retryDelayMs(attempt, random) > 0);
      }
    }
  });
});
