import assert from 'node:assert/strict';
import type { KeyLists } from '../../../src/editor/projects/keyLists.ts';
import { TokenCheck } from '../../../src/editor/projects/tokenCheck.ts';
import { serviceAnswered, ServiceError } from '../../../src/service/client/errors.ts';
import type { UserError } from '../../../src/shared/text/userError.ts';

describe('the check of a token before it is stored', () => {
  const service = { baseUrl: 'http://127.0.0.1:1', proxyUrl: '' };
  const ref = { projectId: 'p', serviceAccountId: 'sa' };
  let warnings: string[];
  const offline = { ask: () => Promise.reject(new Error('no network')) };
  const holds = async () => Promise.resolve(true);
  const holdsNone = async () => Promise.resolve(false);

  const report = ({ message, remedies }: UserError) => {
    warnings.push([message, ...remedies.map(({ kind }) => kind)].join(' | '));
  };
  beforeEach(() => {
    warnings = [];
  });

  it('says of a token that was stored why it was not checked, once', async () => {
    const check = new TokenCheck(offline, holdsNone, report);
    assert.equal(await check.of(service, ref)('a-token', new AbortController().signal), undefined);
    check.tell('a-token');
    check.tell('a-token');
    assert.equal(warnings.length, 1);
    assert.match(warnings[0]!, /^The token was stored, but could not be checked\. /);
  });

  it('says of a token that was stored that no address is set, and asks for it', async () => {
    const check = new TokenCheck({ ask: () => assert.fail('nobody can be asked') }, holds, report);
    await check.of({ baseUrl: '', proxyUrl: '' }, ref)('a-token', new AbortController().signal);
    check.tell('a-token');
    const why = 'No address of the service is set.';
    assert.deepEqual(warnings, [`The token was stored, but could not be checked. ${why} | setAddress`]);
  });

  it('leaves to the view what the service has against the request, not the token', async () => {
    const ask = () => Promise.reject(serviceAnswered(403, 'Not allowed for this account'));
    const asks = new TokenCheck({ ask }, holds, report);
    const { signal } = new AbortController();
    // Nobody knows of it that it works: it replaces none unasked.
    assert.match(
      (await asks.of(service, ref)('a-token', signal)) ?? '',
      /could not be checked\. .* The old one is kept/,
    );
    const check = new TokenCheck({ ask }, holdsNone, report);
    assert.equal(await check.of(service, ref)('a-token', signal), undefined);
    assert.deepEqual([check.leavesToView('a-token'), check.leavesToView('another')], [true, false]);
    check.tell('a-token');
    assert.deepEqual(warnings, []);
  });

  it('says nothing of a question that was closed meanwhile', async () => {
    const ask = async (...[, , , signal]: Parameters<KeyLists['ask']>) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      });
    const check = new TokenCheck({ ask }, holdsNone, report);
    const closed = new AbortController();
    const checking = check.of(service, ref)('a-token', closed.signal);
    closed.abort();
    await checking;
    // The next token is stored without a question.
    check.tell('a-token');
    assert.deepEqual(warnings, []);
  });

  it('says nothing of a token that was stored after another one had been left', async () => {
    const check = new TokenCheck(offline, holdsNone, report);
    await check.of(service, ref)('a-token', new AbortController().signal);
    check.tell('another-token');
    check.tell('a-token');
    assert.deepEqual(warnings, []);
  });

  it('gives the words of the service, which may be about the project', async () => {
    const ask = () => Promise.reject(serviceAnswered(403, 'The token is not one of the project "p".'));
    const problem = await new TokenCheck({ ask }, holdsNone, report).of(service, ref)(
      'a-token',
      new AbortController().signal,
    );
    assert.match(
      problem ?? '',
      /^The service rejected this token \(403: The token is not one of the project "p"\)\. Paste another/,
    );
  });

  it('takes no page for the word of the service that it accepts a token', async () => {
    const ask = () => Promise.reject(new ServiceError('The service returned 200, but no JSON: Sign in', 200));
    const check = new TokenCheck({ ask }, holdsNone, report);
    await check.of(service, ref)('a-token', new AbortController().signal);
    check.tell('a-token');
    assert.deepEqual(warnings, [
      'The token was stored, but could not be checked. The service returned 200, but no JSON: Sign in. | openSettings',
    ]);
  });

  it('asks before a token that could not be checked replaces another one', async () => {
    const check = new TokenCheck(offline, holds, report);
    const problem = await check.of(service, ref)('a-token', new AbortController().signal);
    assert.match(problem ?? '', /^This token could not be checked\. /);
    const wait = { ms: 172_800_000, until: Date.now() + 172_800_000 };
    const busy = { ask: () => Promise.reject(serviceAnswered(429, 'Too many requests', wait)) };
    const told = await new TokenCheck(busy, holds, report).of(service, ref)(
      'a-token',
      new AbortController().signal,
    );
    assert.match(told ?? '', /Try again in 2 days\. The old one is kept/);
  });
});
