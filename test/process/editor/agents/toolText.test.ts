import assert from 'node:assert/strict';
import fc from 'fast-check';
import { toldDelivery, toolErrorText, toolText } from '../../../../src/agents/toolValues.ts';
import { isSecretField, masked } from '../../../../src/shared/masking/likelySecrets.ts';
import { SecretMask } from '../../../../src/shared/masking/secretMask.ts';
import { maskNamedText } from '../../../../src/shared/masking/namedSecrets.ts';
import { cpuMs } from '../../../support/time/cpuTime.ts';
import '../../../support/random/seed.ts';

describe('toolText', () => {
  const secret = 'kF3-x9/_Qm7zT+pe';
  const mask = new SecretMask([secret]);

  it('is the value as JSON', () => {
    const value = [{ id: 'a', verdict: 'verified', forward: { status: 200 } }];
    assert.deepEqual(JSON.parse(toolText(value, mask)), value);
  });

  it('is null where a command returns nothing', () => {
    assert.equal(toolText(undefined, mask), 'null');
  });

  it('cuts a long text, and says so', () => {
    const { body } = JSON.parse(toolText({ body: 'x'.repeat(10_000) }, mask)) as { body: string };
    assert.match(body, /^x{4000}… \(cut here, after 4000 characters\)$/);
  });

  it('cuts a long answer, and says so', () => {
    const text = toolText(
      Array.from({ length: 100 }, () => ({ body: 'x'.repeat(3000) })),
      mask,
    );
    assert.match(text, /^.{100000}… \(cut here, after 100000 characters\)$/s);
  });

  it('has no value of the mask, nor the beginning of one where a text is cut, here or before', () => {
    const told = JSON.parse(
      toolText(
        {
          [secret]: [secret, { note: `is ${secret}` }],
          here: `${'x'.repeat(3990)}${secret}`,
          before: `${'x'.repeat(100)} ${secret.slice(0, 12)}`,
        },
        mask,
      ),
    ) as Record<string, unknown>;
    assert.deepEqual(told[masked], [masked, { note: `is ${masked}` }]);
    assert.match(String(told.here), /^x{3990}•{8}$/);
    assert.match(String(told.before), /^x{100} •{8}$/);
  });
});

/** What is in the value of a secret, and nowhere else. */
const mark = 'zqvj';

describe('what a tool tells of fields that name a secret', () => {
  const nobody = new SecretMask([]);
  const name = fc.constantFrom(
    ...[
      'password',
      'api_key',
      'apiKey',
      'API-Key',
      'client_secret',
      'credentials',
      'authorization',
      'private_key',
    ],
    ...[
      'token',
      'access token',
      'value',
      'key',
      'passphrase',
      'jwt',
      'Bearer',
      'X-Webhook-Secret',
      'user.password',
    ],
  );
  const odd = fc.constantFrom(
    '',
    '"',
    "'",
    '\\',
    '&',
    '=',
    ' ',
    '\n',
    ';',
    '{',
    '}',
    '[',
    ']',
    ':',
    'ü',
    '%',
    '#',
    '?',
    ',',
    '\\"',
    '|',
    '--',
  );
  const secretText = fc.tuple(odd, odd, odd).map(([a, b, c]) => `${mark}${a}${mark}${b}x${c}${mark}`);
  const secret = fc.oneof(secretText, fc.array(secretText, { minLength: 1, maxLength: 3 }));
  const plain = fc.oneof(fc.integer(), fc.boolean(), odd, fc.constant('a long text'), fc.constant(null));
  const content = fc
    .tuple(fc.dictionary(fc.constantFrom('a', 'note', 'b c'), plain), name, secret, fc.boolean())
    .map(([others, field, value, isFirst]) =>
      isFirst ? { [field]: value, ...others } : { ...others, [field]: value, last: 1 },
    );
  const nested: fc.Arbitrary<unknown> = fc.oneof(
    content,
    content.map((one) => ({ deep: [{ one }] })),
    content.map((one) => ({ text: JSON.stringify(one) })),
    content.map((one) => ({ text: JSON.stringify({ text: JSON.stringify(one) }) })),
  );
  const layout = fc.constantFrom<(value: unknown) => string>(
    (value) => JSON.stringify(value),
    (value) => JSON.stringify(value, undefined, 2),
    (value) => JSON.stringify(value).replaceAll('":', '" : '),
    (value) => JSON.stringify(value).replace(/^\{/, '{"n":12345678901234567890,"m":1.0,'),
    (value) => JSON.stringify(value).replaceAll('p', '\\u0070'),
  );
  const texts = fc.tuple(nested, layout).map(([value, lay]) => lay(value));
  const tellsNothing = (told: string) => assert.ok(!told.includes(mark), told);

  it('is none of their values: in an answer, its text, a delivery, an attempt, an error, an explanation', () => {
    fc.assert(
      fc.property(texts, fc.nat(400), (text, cut) => {
        const value: unknown = JSON.parse(text);
        const delivery = {
          ...{
            id: 'd',
            receivedAt: '',
            verdict: 'verified' as const,
            method: 'POST',
            bytes: 1,
            answered: 200,
          },
          ...{
            path: '/hook',
            headers: { 'x-echo': text },
            body: text,
            forward: { to: '', durationMs: 1, answer: text },
          },
        };
        tellsNothing(toolText({ status: 200, body: value, bodyText: text }, nobody));
        tellsNothing(toolText(toldDelivery(delivery), nobody));
        tellsNothing(toolText({ answer: text.slice(0, cut) }, nobody));
        tellsNothing(toolErrorText(`The service returned 422: ${text}.`, nobody));
        tellsNothing(toolErrorText(`It said ${JSON.stringify(text)} (422)`, nobody));
        const lines = `r-1.1700000000.${text}`.split('\n').map((line) => `  | ${line}`);
        tellsNothing(toolText(`Signed content:\n${lines.join('\n')}\n  | … and 3 more bytes`, nobody));
        tellsNothing(
          toolText(
            {
              body: btoa(`${JSON.stringify(value).replace(/[^\x20-\x7e]/g, '?')}\xff`),
              bodyEncoding: 'base64',
            },
            nobody,
          ),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('is none of their values in queries and forms', () => {
    const form = fc
      .tuple(
        fc.array(fc.tuple(fc.constantFrom('a', 'note'), odd)),
        name,
        secretText,
        fc.constantFrom('', '[]', '[0]'),
      )
      .map(
        ([others, field, value, end]) =>
          new URLSearchParams([...others, [field + end, value], ['last', '1']]),
      );
    const written = fc.tuple(form, fc.constantFrom(0, 1, 2)).map(([all, way]) => {
      if (way === 0) return all.toString();
      const spell =
        way === 1
          ? encodeURIComponent
          : (one: string) => encodeURI(one).replace(/[&#?+=]/g, encodeURIComponent);
      return [...all].map((pair) => pair.map(spell).join('=')).join('&');
    });
    fc.assert(
      fc.property(written, (text) => {
        const path = `/hook?${text}`;
        tellsNothing(
          toolText(
            { path, headers: { referer: `https://a.example${path}` }, body: text, answer: text },
            nobody,
          ),
        );
        tellsNothing(toolErrorText(`POST https://a.example${path} was refused`, nobody));
        tellsNothing(toolText({ path: `/hook?inner=${encodeURIComponent(path)}` }, nobody));
      }),
      { numRuns: 300 },
    );
  });

  it('is none of their values in parts of forms, header lines and cookies', () => {
    const part = `--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n${mark}\r\n--b--`;
    for (const text of [
      part,
      `Authorization: Token ${mark}\nX: 1`,
      `  | X-Api-Key: ${mark}`,
      `Cookie: a=${mark}`,
      `{"cookie":"a=${mark}"}`,
      `{"credentials":{"pin":"${mark}","n":[{"x":"${mark}"}]},"a":1}`,
      `?data=${encodeURIComponent(JSON.stringify({ password: mark }))}`,
      `{"password":"${mark}`,
      `{'user': 'a', 'password': '${mark}\\'${mark}'}`,
      `{ user: 'a', api_key: '${mark}' }`,
      `{ api_key: "${mark}", b: 1 }`,
      `input={'password': "${mark}"}`,
      `array('password' => '${mark}')`,
      `password = "${mark}"`,
      `<a><password type="x">${mark}</password></a>`,
      `<password>${mark}</password>`,
      `?data=${encodeURIComponent(encodeURIComponent(JSON.stringify({ password: mark })))}`,
      `{"password":["${mark}", "${mark}`,
    ]) {
      tellsNothing(toolText({ text }, nobody));
    }
    const told = toolText({ password: 12345678, body: '{"pin_token":12345678}' }, nobody);
    assert.ok(!told.includes('12345678'), told);
  });

  it('leaves everything else as it was written', () => {
    for (const text of [
      '{"label":"cat","value":0.93,"key":5,"tokens":12,"max_tokens":3}',
      '{"n":12345678901234567890,"m":1.0,"say":"a \\"b\\": c=d"}',
      'Key: the default one. The secret: say="no" & a=b; 5" wide',
      '/run?mode=read&x=%22a%22',
    ]) {
      assert.equal(maskNamedText(text), text);
    }
    const value = { id: 'k', status: 'valid', value: 5, key: { id: 'x' }, password: '', hasPassword: true };
    assert.deepEqual(JSON.parse(toolText(value, nobody)), value);
    assert.ok(isSecretField('value'));
  });

  it('takes no longer than the text is long', () => {
    for (const piece of [
      '"',
      '\\"',
      '"a":',
      '{"key":',
      '[',
      'a=',
      'a=%22',
      'password=',
      '"password":[',
      '\n  | ',
      'name="a"\r\n',
    ]) {
      const text = `form-data ${piece.repeat(20_000 / piece.length)}`;
      assert.ok(cpuMs(() => void maskNamedText(text)) < 2000, piece);
    }
  });
});
