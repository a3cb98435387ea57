import assert from 'node:assert/strict';
import { MockAgent } from 'undici';
import { ServiceError } from '../../../../src/service/client/errors.ts';
import { ManagementClient, retryParts } from '../../../../src/service/client/managementClient.ts';
import { masked } from '../../../../src/shared/masking/likelySecrets.ts';
import { dispatcherTransport } from '../../../../src/service/client/undiciTransport.ts';

const origin = 'https://api.example';
const keysPath = '/v2/p-1/service-accounts/sa-1/keys';

describe('the management client', () => {
  let agent: MockAgent;
  let waits: number[];

  beforeEach(() => {
    agent = new MockAgent();
    agent.disableNetConnect();
    waits = [];
  });
  afterEach(async () => agent.close());

  function client(token = 'the-token', retry: Partial<typeof retryParts> = {}): ManagementClient {
    return new ManagementClient({
      transport: dispatcherTransport(() => Promise.resolve({ direct: agent, proxied: agent })),
      service: { baseUrl: origin, proxyUrl: '' },
      token,
      userAgent: 'Runhook/0.0.0',
      retry: {
        random: () => 1,
        now: () => Date.parse('2026-11-20T12:00:00Z'),
        wait: (ms) => Promise.resolve(void waits.push(ms)),
        ...retry,
      },
    });
  }
  const onKeys = () => agent.get(origin).intercept({ path: keysPath });
  const onApp = () =>
    agent.get(origin).intercept({ path: '/v2/projects/p-1/apps/a-1', method: 'PATCH', body: () => true });

  it('lists keys with the bearer header and its own user agent', async () => {
    agent
      .get(origin)
      .intercept({
        path: keysPath,
        headers: { authorization: 'Bearer the-token', 'user-agent': 'Runhook/0.0.0' },
      })
      .reply(200, { keys: [] });
    assert.deepEqual(await client().listKeys('p-1', 'sa-1'), { keys: [] });
  });

  it('rejects with what a page says that comes in place of a list', async () => {
    onKeys().reply(200, '<html><title>Sign in</title>');
    await assert.rejects(client().listKeys('p-1', 'sa-1'), {
      name: 'ServiceError',
      message:
        /^The service returned a web page: Sign in\. A proxy may be asking you to sign in, or the address/,
    });
  });

  it('does not take a page for the response to a change', async () => {
    onApp().reply(200, '<html><title>Sign in</title>');
    const change = client().modifyApp('p-1', 'a-1', { gpuCount: 1 });
    await assert.rejects(change, {
      name: 'MaybeAppliedError',
      message: /web page: Sign in\. A proxy .* The change may not/,
    });
  });

  it('tries a GET three times in all, with back-off', async () => {
    onKeys().reply(503, '').times(2);
    onKeys().reply(200, []);
    assert.deepEqual(await client().listKeys('p-1', 'sa-1'), []);
    assert.deepEqual(waits, [500, 1000]);
  });

  it('gives up after the third try, and says what the service said', async () => {
    onKeys().reply(500, { message: 'out of order' }).times(3);
    await assert.rejects(client().listKeys('p-1', 'sa-1'), (error) => {
      assert.ok(error instanceof ServiceError);
      assert.equal(error.status, 500);
      assert.match(error.message, /500.*out of order/);
      return true;
    });
    agent.assertNoPendingInterceptors();
  });

  for (const [header, delay] of [
    ['2', 2000],
    ['Fri, 20 Nov 2026 12:00:03 GMT', 3000],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['soon', 500],
  ] as const) {
    it(`waits as Retry-After asks: ${header}`, async () => {
      onKeys().reply(429, '', { headers: { 'retry-after': header } });
      onKeys().reply(200, []);
      await client().listKeys('p-1', 'sa-1');
      assert.deepEqual(waits, [delay]);
    });
  }

  it('does not wait in silence for more than three seconds', async () => {
    onKeys().reply(429, '', { headers: { 'retry-after': '4' } });
    await assert.rejects(client().listKeys('p-1', 'sa-1'), { status: 429, message: /Try again at/ });
    assert.deepEqual(waits, []);
  });

  for (const status of [400, 401, 403, 404, 422]) {
    it(`does not repeat a GET that was answered ${status.toString()}`, async () => {
      onKeys().reply(status, {});
      await assert.rejects(client().listKeys('p-1', 'sa-1'), { status });
      assert.deepEqual(waits, []);
    });
  }

  it('repeats a GET that got no answer', async () => {
    onKeys().replyWithError(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
    onKeys().reply(200, []);
    assert.deepEqual(await client().listKeys('p-1', 'sa-1'), []);
  });

  for (const status of [429, 500, 503]) {
    it(`never repeats a PATCH: ${status.toString()}`, async () => {
      onApp().reply(status, '');
      await assert.rejects(client().modifyApp('p-1', 'a-1', { gpuCount: 1 }), { status });
      assert.deepEqual(waits, []);
    });
  }

  it('says what to check where there is no such app', async () => {
    onApp().reply(404, { error: 'app not found' });
    await assert.rejects(client().modifyApp('p-1', 'a-1', { gpuCount: 1 }), {
      message: 'The service returned 404: app not found. Check the ids of the project and the app.',
    });
  });

  it('is cancelled with the reason of the signal, also between two tries', async () => {
    onKeys().reply(503, '');
    const stop = new AbortController();
    const reason = new Error('the user has had enough');
    const wait: typeof retryParts.wait = (ms, signal) => {
      setImmediate(() => stop.abort(reason));
      return retryParts.wait(ms, signal);
    };
    const listing = client('the-token', { wait }).listKeys('p-1', 'sa-1', stop.signal);
    await assert.rejects(listing, reason);
  });

  it('is cancelled with the reason of the signal, also where that comes with a failed answer', async () => {
    for (const status of [503, 403]) {
      onKeys().reply(status, '');
      const stop = new AbortController();
      const reason = new Error('the user has had enough');
      const random = () => {
        stop.abort(reason);
        return 1;
      };
      await assert.rejects(client('the-token', { random }).listKeys('p-1', 'sa-1', stop.signal), reason);
    }
    assert.deepEqual(waits, []);
  });

  it('never repeats a PATCH: no answer', async () => {
    onApp().replyWithError(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
    await assert.rejects(client().modifyApp('p-1', 'a-1', { gpuCount: 1 }), {
      name: 'MaybeAppliedError',
      message: /the connection was reset\. The change may have been applied: /,
    });
  });

  it('sends the settings of a PATCH as they are', async () => {
    agent
      .get(origin)
      .intercept({
        path: '/v2/projects/p-1/apps/a-1',
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: '{"cpu":"0.5","gpuCount":1}',
      })
      .reply(200, '');
    assert.equal(await client().modifyApp('p-1', 'a-1', { cpu: '0.5', gpuCount: 1 }), undefined);
  });

  it('follows no redirect, and names where it leads', async () => {
    onKeys().reply(302, '', { headers: { location: 'https://elsewhere.example/keys?token=x' } });
    await assert.rejects(client().listKeys('p-1', 'sa-1'), (error) => {
      assert.ok(error instanceof ServiceError);
      assert.match(error.message, /https:\/\/elsewhere\.example \(302\)/);
      return true;
    });
  });

  it('never repeats its own token, even where the service echoes it', async () => {
    // Not in words by which it would be taken for a secret anyway.
    onKeys().reply(400, { message: 'nobody knows short-one! here' });
    await assert.rejects(client('short-one!').listKeys('p-1', 'sa-1'), (error) => {
      assert.ok(error instanceof Error);
      assert.doesNotMatch(error.message, /short-one/);
      return true;
    });
  });

  it('takes its own token out of a list that holds it', async () => {
    onKeys().reply(200, [{ id: 'k-1', note: 'made with short-one!' }]);
    assert.deepEqual(await client('short-one!').listKeys('p-1', 'sa-1'), [
      { id: 'k-1', note: `made with ${masked}` },
    ]);
  });

  it('takes it out however JSON writes it', async () => {
    const token = 'short/one"';
    onKeys().reply(200, `[{"note":"made with short\\/one\\""},{"note":${JSON.stringify(token)}}]`);
    assert.deepEqual(await client(token).listKeys('p-1', 'sa-1'), [
      { note: `made with ${masked}` },
      { note: masked },
    ]);
    onKeys().reply(302, '', { headers: { location: 'https://the-token.example/' } });
    await assert.rejects(client().listKeys('p-1', 'sa-1'), (error) => !String(error).includes('the-token'));
  });

  it('rejects before anything is sent where no address is set', async () => {
    const none = new ManagementClient({
      transport: () => assert.fail('sent'),
      service: { baseUrl: '', proxyUrl: '' },
      token: 't',
      userAgent: 'Runhook/0.0.0',
    });
    await assert.rejects(none.listKeys('p-1', 'sa-1'), /"runhook\.baseUrl".*addresses of the project/);
  });
});
