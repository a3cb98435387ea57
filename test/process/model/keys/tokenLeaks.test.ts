import assert from 'node:assert/strict';
import { findTokenLeaks } from '../../../../src/model/keys/tokenLeaks.ts';
import { assertLinear } from '../../../support/time/assertLinear.ts';
import { jwt } from '../../../support/service/jwt.ts';

describe('tokens in a text', () => {
  const stored = 'opaque-token-1';
  const ours = jwt({ project_id: 'p-1' });
  const found = (text: string) => {
    const needles = { tokens: [stored, 'short'], webhookSecrets: [], projectIds: ['p-1'] };
    const leaks = findTokenLeaks(text, needles);
    return leaks.map(({ start, end }) => text.slice(start, end));
  };

  for (const text of [
    `TOKEN=${stored}`,
    `"${stored}"`,
    `Authorization: Bearer ${stored}\n`,
    `It is ${stored}.`,
    `https://x.example/?t=${stored}`,
  ]) {
    it(`are found where they are stored: ${JSON.stringify(text)}`, () =>
      assert.deepEqual(found(text), [stored]));
  }

  it('are found where their claims name a project', () => {
    assert.deepEqual(found(`a: ${ours}\nb: '${ours}'`), [ours, ours]);
  });

  it('are found once where both are so', () => {
    const needles = { tokens: [ours], webhookSecrets: [], projectIds: ['p-1'] };
    assert.deepEqual(findTokenLeaks(ours, needles), [
      { kind: 'token', start: 0, end: ours.length, projectId: 'p-1' },
    ]);
  });

  for (const text of [
    ...['', 'short', `x${stored}`, `${stored}2`, `${stored}-and-more`],
    ...[jwt({ project_id: 'p-2' }), jwt({ sub: 'p-1' }), 'eyJ.eyJ.x'],
  ]) {
    it(`are not seen in ${JSON.stringify(text.slice(0, 40))}`, () => assert.deepEqual(found(text), []));
  }

  it('are looked for no longer than the text is long', () => {
    assertLinear(5000, (size) => assert.deepEqual(found('eyJ'.repeat(size)), []));
  });
});

describe('webhook secrets in a text', () => {
  const long = 'qX3-vT_9pLw0aZ6uKk2m';
  const short = 'abc';
  const found = (text: string) =>
    findTokenLeaks(text, { tokens: [], webhookSecrets: [long, short], projectIds: [] }).map(
      ({ kind, start, end }) => [kind, text.slice(start, end)],
    );

  for (const text of [`x ${long} y`, `SECRET=${long}`, `["${long}"]`, `${long}.`, `\n${long}\r\n`]) {
    it(`are found wherever they stand: ${JSON.stringify(text)}`, () =>
      assert.deepEqual(found(text), [['webhookSecret', long]]));
  }

  for (const text of [
    ...['WEBHOOK_SECRET=abc', 'export SECRET="abc"', 'webhookSecret: abc\n', `{"secret": "abc"}`],
    ...["const secret = 'abc';", "const secret: string = 'abc'", 'send --secret abc', '<secret>abc</secret>'],
    ...['X-Webhook-Secret: abc', "createHmac('sha256', 'x'); hmac('abc')", "secrets['webhook'] = 'abc'"],
  ]) {
    it(`that are short are found as the value of a secret: ${JSON.stringify(text)}`, () =>
      assert.deepEqual(found(text), [['webhookSecret', 'abc']]));
  }

  for (const text of [
    ...['abc', '"abc"', 'alphabet = "abc"', 'the secret abc', 'secret=abcd', 'secret=xabc', 'abc=secret'],
    ...['secret = other\nname = abc', `x${long}`, `${long}1`],
  ]) {
    it(`are not seen in ${JSON.stringify(text)}`, () => assert.deepEqual(found(text), []));
  }

  it('are told from tokens, the first hundred of both', () => {
    const needles = { tokens: ['opaque-token-1'], webhookSecrets: [long, 'opaque-token-1'], projectIds: [] };
    const leaks = findTokenLeaks(`opaque-token-1 ${long}\n`.repeat(200), needles);
    assert.deepEqual(
      leaks.map(({ kind }) => kind),
      Array.from({ length: 50 }, () => ['token', 'webhookSecret']).flat(),
    );
  });

  it('that are short are looked for no longer than the text is long', () => {
    assertLinear(5000, (size) => assert.equal(found('secret=abc '.repeat(size)).length, 100));
  });
});
