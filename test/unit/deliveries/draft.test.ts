import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { WholeDelivery } from '../../../src/contract/delivery.ts';
import { masked } from '../../../src/shared/masking/likelySecrets.ts';
import { draftText } from '../../../src/deliveries/draft.ts';
import { readDraft } from '../../../src/deliveries/readDraft.ts';
import { deliveryOf } from '../../support/deliveries/deliveryOf.ts';

const secret = 'the "held" secret';
const headers = {
  host: '127.0.0.1:8787',
  'content-type': 'application/json',
  'content-length': '9',
  authorization: 'Bearer abc',
  cookie: 'a=b',
  'x-echo': `it is ${secret}`,
  'x-request-id': 'r-1',
  'x-service-webhook-signature': 'v1,0123',
};
const delivery = deliveryOf('d-1', { headers, body: '{ "n": 1.50, "id":12345678901234567890,"n":2 }' });
const of = (more: Partial<WholeDelivery>) => deliveryOf('d-1', { headers, ...more });
const read = (text: string, one: WholeDelivery = delivery) => readDraft(text, one, [secret]);
/** What is read of the draft once it was edited. */
const edited = (from: string | RegExp, to: string, one: WholeDelivery = delivery) => {
  const text = draftText(one, [secret]);
  const changed = text.replace(from, to);
  assert.notEqual(changed, text);
  return read(changed, one);
};

describe('the draft of a delivery', () => {
  it('is JSON of one shape, the body laid out as it is written', () => {
    const text = draftText(delivery, [secret]);
    assert.match(
      text,
      /^\{\n {2}"body": \{\n {4}"n": 1\.50,\n {4}"id": 12345678901234567890,\n {4}"n": 2\n {2}\},\n/,
    );
    assert.match(text, /\n {2}"headers": \{\n {4}"content-type"/);
    assert.deepEqual(Object.keys(JSON.parse(text) as object), ['body', 'headers']);
  });

  it('shows neither credentials nor signatures nor secrets, and nothing that is made anew', () => {
    const text = draftText(of({ body: JSON.stringify({ echo: secret }) }), [secret]);
    const draft = JSON.parse(text) as { headers: Record<string, string> };
    assert.deepEqual(draft.headers, {
      'content-type': 'application/json',
      authorization: masked,
      cookie: masked,
      'x-echo': `it is ${masked}`,
      'x-request-id': 'r-1',
      'x-service-webhook-signature': masked,
    });
    assert.doesNotMatch(text, /held|abc|0123/);
  });

  it('sends the bytes and the headers that came where it is as it was opened, whatever they are', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.json(),
      fc.constantFrom('"\u2028"', '\0\r\n\t', '', '\ufeff{}', secret),
    );
    const held = fc.array(fc.oneof(fc.string(), fc.constantFrom('n', '1', 'true', '{', '\\', secret)));
    fc.assert(
      fc.property(text, held, (body, secrets) => {
        const one = of({ body });
        assert.deepEqual(readDraft(draftText(one, secrets), one, secrets), {});
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const one = of({ body: Buffer.from(bytes).toString('base64'), bodyEncoding: 'base64' });
        assert.deepEqual(read(draftText(one, [secret]), one), {});
      }),
    );
  });

  it('sends any other body that is written there', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.jsonValue()), (value) => {
        const { body } = read(JSON.stringify({ body: value }), of({ body: 'what came' }));
        assert.equal(body, typeof value === 'string' ? value : JSON.stringify(value));
      }),
      { examples: [['"'], [null], [0]] },
    );
  });

  it('may be laid out in another way', () => {
    const text = draftText(delivery, [secret]).replaceAll(/\n\s*/g, '\r\n\t');
    assert.deepEqual(read(text), {});
  });

  it('keeps digits and keys that stand there twice', () => {
    assert.deepEqual(edited('1.50', '1.70'), { body: '{"n":1.70,"id":12345678901234567890,"n":2}' });
  });

  it('takes JSON for JSON and a string for a text', () => {
    assert.deepEqual(read('{"body":[1, 2]}'), { body: '[1,2]' });
    assert.deepEqual(read(String.raw`{"body":"a\n\"b\""}`), { body: 'a\n"b"' });
    const text = of({ body: '"a string of JSON"' });
    assert.deepEqual(edited(String.raw`\"a string`, String.raw`\"another`, text), {
      body: '"another of JSON"',
    });
  });

  it('has a body of any bytes in base64', () => {
    const one = of({ body: '/w==', bodyEncoding: 'base64' });
    assert.deepEqual(edited('/w==', 'AA==', one), { body: 'AA==', bodyEncoding: 'base64' });
    assert.deepEqual(edited('"bodyEncoding": "base64",', '', one), { body: '/w==' });
  });

  it('says which headers are others, new or gone', () => {
    const changes = edited('"x-request-id": "r-1"', '"X-Request-Id": "r-2", "X-New": ""');
    assert.deepEqual(changes, { headers: { 'X-Request-Id': 'r-2', 'X-New': '' } });
    assert.deepEqual(edited(/\n.*"cookie".*/, ''), { headers: { cookie: null } });
    assert.deepEqual(edited(`"authorization": "${masked}"`, '"authorization": "Basic x"'), {
      headers: { authorization: 'Basic x' },
    });
    assert.deepEqual(edited('"headers": {', '"headers": {"content-length":"5","Host":"x",'), {});
  });

  it('fills in the secret that it has hidden in a body', () => {
    const one = of({ body: JSON.stringify({ n: 1, echo: `<${secret}>` }) });
    assert.deepEqual(edited('"n": 1', '"n": 2', one), {
      body: JSON.stringify({ n: 2, echo: `<${secret}>` }),
    });
    assert.deepEqual(edited('<', '>', of({ body: `<${secret}` })), { body: `>${secret}` });
    const dots = of({ body: `{"n":1,"dots":"${masked}"}` });
    assert.deepEqual(edited('"n": 1', '"n": 2', dots), { body: `{"n":2,"dots":"${masked}"}` });
  });

  const mistakes: [what: string, text: string, said: RegExp][] = [
    ['no JSON', '{\n"body": {,}\n}', /not JSON\. Line 2, column 10/],
    ['no object', '[]', /Line 1 .*a JSON object/],
    ['no body', '{"headers":{}}', /Line 1 .*"body" is missing/],
    ['an unknown field', '{\n"body":{},\n"header":{}}', /Line 3 .*"header" is not known here/],
    ['headers of another shape', '{"body":{},\n"headers":[]}', /Line 2 .*"headers" must be an object/],
    ['a header that is no text', '{"body":{},"headers":{\n"x":1}}', /Line 2 .*"x" must be text/],
    ['no name of a header', '{"body":{},"headers":{\n"x y":"1"}}', /Line 2 .*"x y" is not a header name/],
    ['a line break', String.raw`{"body":{},"headers":{"x":"a\nb"}}`, /Line 1 .*contains a line break/],
    ['a header twice', '{"body":{},"headers":{"x":"1",\n"X":"2"}}', /Line 2 .*"X" appears twice/],
    ['a header half hidden', `{"body":{},"headers":{\n"cookie":"a${masked}"}}`, /Line 2 .*hidden/],
    ['a body half hidden', `{"body":{\n"a":"${masked}"}}`, /Line 2 .*hidden/],
    ['another encoding', '{"body":"","bodyEncoding":\n"hex"}', /Line 2 .*"bodyEncoding" must be "base64"/],
    ['no base64', '{"body":\n"ä","bodyEncoding":"base64"}', /Line 2 .*a base64 string/],
    ['JSON as base64', '{"body":\n{},"bodyEncoding":"base64"}', /Line 2 .*a base64 string/],
    ['what is too deep', `{"body":${'['.repeat(600)}${']'.repeat(600)}}`, /more than 500 levels/],
  ];
  for (const [what, text, said] of mistakes) {
    it(`is not sent with ${what}: it is said where, and what to do`, () => {
      assert.throws(() => read(text), said);
    });
  }

  it('says which line holds what it cannot fill in', () => {
    const one = of({ body: JSON.stringify({ n: 1, a: 'first held', b: 'second held' }) });
    const held = ['first held', 'second held'];
    const text = draftText(one, held).replace('"n": 1', '"n": 2');
    assert.throws(() => readDraft(text, one, held), /Line 4 .*hidden/);
  });
});
