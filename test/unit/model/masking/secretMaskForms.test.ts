import assert from 'node:assert/strict';
import fc from 'fast-check';
import { masked } from '../../../../src/model/masking/masking.ts';
import { SecretMask } from '../../../../src/model/masking/secretMask.ts';
import { secretEncodings } from '../../../support/untrusted/secretEncodings.ts';

const token = 'eyJhbGciOiJIUzI1NiJ9.eyJwaWQiOiJwLTEifQ.c2lnbmF0dXJl';
const secret = 'kF3-"x9/ü_Qm\\7 zT+p=';

describe('a token or secret that is held', () => {
  const mask = new SecretMask([token, secret]);

  for (const [name, write] of Object.entries(secretEncodings)) {
    it(`is taken out where it is ${name}, and the rest stays`, () => {
      for (const value of [token, secret]) {
        for (const [before = '', after = ''] of [
          ['', ''],
          ['{"n": 1, "v": "', '", "next": true}'],
          ['id=7&v=', '&w=8'],
        ]) {
          const written = write(value);
          const text = mask.text(before + written + after);
          assert.ok(text.startsWith(before) && text.endsWith(after), text);
          const left = text.slice(before.length, text.length - after.length);
          assert.ok(left.includes(masked), left);
          const others = new RegExp(`${masked}|(x-)?next(-part)?`, 'g');
          assert.doesNotMatch(left.replace(others, ''), /\w{6}/, `${written} → ${left}`);
        }
      }
    });
  }

  it('is taken out of base64 of a longer text, wherever it stands in that', () => {
    for (const value of [token, secret]) {
      for (let before = 0; before < 7; before += 1) {
        const text = Buffer.from(`${'-'.repeat(before)}${value}----`).toString('base64');
        const [start, end] = mask.text(text).split(masked);
        assert.equal(mask.text(text).split(masked).length, 2);
        assert.ok(text.startsWith(start!) && text.endsWith(end!));
        assert.equal(Buffer.from(start!, 'base64').toString().replaceAll('-', ''), '');
      }
    }
  });

  it('is taken out of the values of headers and JSON, also where it is split over several', () => {
    const [one, two, three] = [token.slice(0, 9), token.slice(9, 30), token.slice(30)];
    assert.deepEqual(mask.headers({ 'x-a': one, 'x-b': two, 'x-c': three, 'x-d': 'stays' }), {
      ...{ 'x-a': masked, 'x-b': masked, 'x-c': masked, 'x-d': 'stays' },
    });
    const value = {
      list: [one, two, three, 7],
      [`name-${token}`]: { deep: `is ${secret}.` },
      id: 'a-1',
      no: null,
    };
    assert.deepEqual(mask.json(value), {
      ...{
        list: [masked, masked, masked, 7],
        [`name-${masked}`]: { deep: `is ${masked}.` },
        id: 'a-1',
        no: null,
      },
    });
    assert.deepEqual(new SecretMask(['1234567890']).json({ n: 1234567890, m: 12 }), { n: masked, m: 12 });
  });

  it('is taken out of the end of a text that was cut off', () => {
    assert.equal(mask.start(`is ${token.slice(0, 20)}`), `is ${masked}`);
    assert.equal(mask.start(`is ${Buffer.from(token).toString('base64').slice(0, 20)}`), `is ${masked}`);
    assert.equal(mask.start(`is ${token}`), `is ${masked}`);
    assert.equal(mask.start(`is ${token.slice(0, 20)}…`), `is ${masked}…`);
    assert.equal(mask.start('is eyJ'), 'is eyJ');
  });
});

describe('a short one', () => {
  const mask = new SecretMask(['hunter2', 'abc', '', ' ', 'pass', '!!##!!##']);
  const rows: [string, string][] = [
    ['is hunter2.', `is ${masked}.`],
    ['is %68unter2', `is ${masked}`],
    [`is ${Buffer.from('hunter2').toString('base64url')}`, `is ${masked}`],
    ['hunter2-1 xhunter2 hunter', 'hunter2-1 xhunter2 hunter'],
    ['abc', 'abc'],
    ['pass the password', `${masked} the password`],
    ['a!!##!!##b', `a${masked}b`],
  ];
  for (const [text, expected] of rows) it(`in ${text}`, () => assert.equal(mask.text(text), expected));
});

describe('what is no token or secret', () => {
  const mask = new SecretMask(['webhook-secret', token]);

  it('stays, however close it comes', () => {
    for (const text of [
      'X-Webhook-Secret',
      'the webhook secret',
      'webhook_secret',
      `${token.slice(0, -1)}!`,
    ]) {
      assert.equal(mask.text(text), text);
    }
  });

  it('stays byte for byte, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.jsonValue(), (text, value) => {
        assert.equal(mask.text(text), text);
        assert.deepEqual(mask.json(value), value);
      }),
    );
  });
});
