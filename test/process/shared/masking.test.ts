import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isSecretField, masked, maskJson, maskSecrets } from '../../../src/shared/masking/likelySecrets.ts';
import { SecretMask } from '../../../src/shared/masking/secretMask.ts';
import { assertLinear } from '../../support/time/assertLinear.ts';
import { jwt } from '../../support/service/jwt.ts';
import { inLongerBase64, secretEncodings } from '../../support/untrusted/secretEncodings.ts';

describe('masking', () => {
  const secrets = [
    jwt({ sub: 'x' }),
    'eyJhbGciOiJub25lIn0.e30.',
    'sk-proj-abcdefghijklmnop1234',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'Zm9vYmFyMTIzNDU2Nzg5MGFiY2RlZmdoaWprbG1ub3A=',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ];
  for (const secret of secrets) {
    it(`takes out ${secret.slice(0, 12)}…`, () => {
      assert.equal(maskSecrets(secret), masked);
      assert.equal(maskSecrets(`before ${secret}, after`), `before ${masked}, after`);
    });
  }

  it('takes out credentials after their scheme', () => {
    assert.equal(
      maskSecrets('Authorization: Bearer hunter2!'.replace('!', '')),
      `Authorization: Bearer ${masked}`,
    );
  });

  for (const harmless of [
    'deploy-bot',
    '3f2b8c1e-7f0a-4f6e-9d35-0c8f1b2a3d4e',
    '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    'a-rather-long-name-of-a-key-that-has-no-digits-in-it',
    '2027-03-02T10:00:00.000Z',
    '12345678901234567890123456789012345',
  ]) {
    it(`leaves ${harmless}`, () => assert.equal(maskSecrets(harmless), harmless));
  }

  it('finds a token wherever it begins, and its end', () => {
    const token = jwt({ sub: 'x' });
    for (const before of ['x', 'a.', 'a.b.', '..', 'eyJ.', '-']) {
      assert.equal(maskSecrets(`${before}${token}`), `${before}${masked}`);
    }
    assert.equal(maskSecrets('eyJhbGci.. and eyJhbGci'), 'eyJhbGci.. and eyJhbGci');
  });

  it('takes no longer than the text is long', () => {
    for (const tail of ['', '.', '..']) {
      assertLinear(5000, (size) => maskSecrets(`${'eyJ'.repeat(size)}${tail}`));
    }
  });

  it('knows fields that hold a secret by their name', () => {
    for (const name of [
      'token',
      'access_token',
      'apiKey',
      'Secret',
      'client-secret',
      'privateKey',
      'key',
      'password',
    ]) {
      assert.ok(isSecretField(name), name);
    }
    for (const name of ['id', 'key_id', 'tokenType', 'name', 'next_page_token', 'keys', 'monkey']) {
      assert.ok(!isSecretField(name), name);
    }
  });

  it('takes secrets out of JSON, in names too, and keeps the rest', () => {
    assert.deepEqual(
      maskJson({ id: 7, list: [secrets[0], true, null], secret: 'x', token: { a: 1 }, [secrets[5]!]: 1 }),
      {
        id: 7,
        list: [masked, true, null],
        secret: masked,
        token: { a: 1 },
        [masked]: 1,
      },
    );
  });

  it('takes out several secrets in one field', () => {
    assert.deepEqual(maskJson({ credentials: ['hunter2', ['3'], { id: 'k' }, 7], names: ['hunter2'] }), {
      credentials: [masked, [masked], { id: 'k' }, 7],
      names: ['hunter2'],
    });
  });
});

const token = 'eyJhbGciOiJIUzI1NiJ9.eyJwaWQiOiJwLTEifQ.c2lnbmF0dXJl';
const secret = 'a "secret"/with\\marks';

async function* inPieces(text: string, length: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += length) {
    yield await Promise.resolve(bytes.subarray(at, at + length));
  }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** Stands around a secret, and in none. */
const border = '§';
const odd = fc.constantFrom(
  '"',
  '\\',
  '/',
  '%',
  '+',
  ' ',
  '\n',
  '\t',
  '=',
  '&',
  'ü',
  '€',
  '😀',
  '41',
  'u0041',
);
const anySecret = fc
  .oneof(
    fc.stringMatching(/^[\w.~+/-]{8,80}={0,2}$/),
    fc.string({ unit: 'grapheme', minLength: 8, maxLength: 30 }),
    fc
      .array(fc.oneof(fc.string({ maxLength: 3 }), odd), { minLength: 3, maxLength: 12 })
      .map((all) => all.join('')),
  )
  .filter((one) => one.trim() === one && one.length >= 8 && !one.includes(border));
/** A secret, and any writing of it. */
const written = fc
  .tuple(anySecret, fc.constantFrom(...Object.values(secretEncodings)))
  .map(([value, write]) => ({ value, text: write(value) }));
const surroundings = fc
  .tuple(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('', '\\', '%', '%4', '\\u00'))
  .map((parts) => parts.join('').toWellFormed());

describe('a token or secret that is held', () => {
  it('is in no text, in whatever way of them it is written, and what stands around it stays', () => {
    fc.assert(
      fc.property(written, surroundings, surroundings, ({ value, text }, one, other) => {
        fc.pre(!`${one}${border}${other}`.includes(text));
        const [before, after] = [one + border, border + other];
        const clean = new SecretMask([value]).text(before + text + after);
        assert.ok(!clean.includes(text));
        assert.ok(clean.includes(masked) && clean.startsWith(before) && clean.endsWith(after), clean);
      }),
      { numRuns: 1000 },
    );
  });

  it('is in no body that comes in pieces, wherever they are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        written,
        surroundings,
        fc.integer({ min: 1, max: 40 }),
        async ({ value, text }, one, length) => {
          const mask = new SecretMask([value]);
          const body = one + border + text + border;
          const clean = await textOf(mask.body(inPieces(body, length)));
          assert.ok(!clean.includes(text));
          assert.equal(clean, await textOf(mask.body(inPieces(body, Infinity))));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is in no lines, wherever it is broken into them', () => {
    fc.assert(
      fc.property(written, fc.array(fc.nat(100), { maxLength: 4 }), ({ value, text }, cuts) => {
        const broken = cuts.reduce((all, at) => `${all.slice(0, at)}\n${all.slice(at)}`, text);
        const clean = new SecretMask([value]).lines(`${border}${broken}${border}`.split(/[\r\n]+/)).join('');
        assert.ok(!clean.includes(text.replace(/[\r\n]+/g, '')), clean);
        assert.ok(clean.includes(masked));
      }),
      // Without its line end the first is shorter than what is found anywhere.
      { numRuns: 500, examples: [[{ value: '!   "\n !', text: '!   "\n !' }, []]] },
    );
  });

  it('is in no base64 of a longer text, wherever it stands in that', () => {
    fc.assert(
      fc.property(anySecret, fc.nat(7), fc.boolean(), (value, before, isUrl) => {
        const { text, own } = inLongerBase64(value, before, isUrl);
        const clean = new SecretMask([value]).text(text);
        assert.ok(clean.includes(masked) && !clean.includes(own), clean);
      }),
    );
  });

  it('is in no header and no JSON, in names and numbers neither', () => {
    const mask = new SecretMask([token, secret, '1234567890']);
    assert.deepEqual(mask.headers({ [`x-${token}`]: `Bearer ${token}`, other: 'stays' }), {
      [`x-${masked}`]: `Bearer ${masked}`,
      other: 'stays',
    });
    assert.deepEqual(
      mask.json({ list: [secret, 7, 1234567890], [`is ${token}`]: { deep: `is ${secret}.` }, no: null }),
      { list: [masked, 7, masked], [`is ${masked}`]: { deep: `is ${masked}.` }, no: null },
    );
  });

  it('is masked once each time, and leaves its beginning where the body ends', async () => {
    const json = JSON.stringify({ authorization: `Bearer ${token}`, secret, name: 'ümläut' });
    const body = `${json}${token}${token}${secret} ${json.replaceAll('/', '\\/')}${token.slice(0, 20)}`;
    const inJson = `{"authorization":"Bearer ${masked}","secret":"${masked}","name":"ümläut"}`;
    const expected = `${inJson}${masked.repeat(3)} ${inJson}${token.slice(0, 20)}`;
    const mask = new SecretMask([token, secret]);
    for (let length = 1; length <= body.length; length += 1) {
      assert.equal(await textOf(mask.body(inPieces(body, length))), expected);
    }
  });

  it('holds nothing of a body back but its beginning', async () => {
    const mask = new SecretMask([token, secret]);
    const begun = token.slice(0, 9);
    const pieces = mask.body(
      (async function* () {
        for (const piece of ['data: 1\n\n', `data: ${begun}`, 'x\n\n', begun]) {
          yield await Promise.resolve(Buffer.from(piece));
        }
      })(),
    );
    const seen = [];
    for await (const piece of pieces) seen.push(Buffer.from(piece).toString());
    assert.deepEqual(seen, ['data: 1\n\n', 'data: ', `${begun}x\n\n`, begun]);
  });

  it('leaves a body to whoever stops to read it', async () => {
    let left = false;
    const endless = (async function* () {
      try {
        for (;;) yield await Promise.resolve(Buffer.from('x'));
      } finally {
        left = true;
      }
    })();
    for await (const piece of new SecretMask([token]).body(endless)) if (piece.length > 0) break;
    assert.ok(left);
  });

  it('is taken out of the end of a text that was cut off', () => {
    const mask = new SecretMask([token, 'hunter2']);
    assert.equal(mask.start(`is ${token.slice(0, 20)}`), `is ${masked}`);
    assert.equal(mask.start(`is ${Buffer.from(token).toString('base64').slice(0, 20)}`), `is ${masked}`);
    assert.equal(mask.start(`is ${token}`), `is ${masked}`);
    assert.equal(mask.start(`is ${token.slice(0, 20)}…`), `is ${masked}…`);
    assert.equal(mask.start('is %65yJhbGciOi%4'), `is ${masked}`);
    for (const stays of ['is eyJ', 'at 7 %', 'xhunter2', '…'.repeat(20_000)])
      assert.equal(mask.start(stays), stays);
  });

  it('takes no longer than the text is long, however much of it is like a secret', () => {
    const a = 'a'.repeat(500);
    const mask = new SecretMask([a, `${a}b${a}`, `b${a}`, `${a}b`]);
    for (const piece of ['a', '\\u0061', '%', 'YWFh']) {
      assertLinear(20_000 / piece.length, (size) => {
        const text = piece.repeat(size);
        mask.text(text);
        mask.start(text);
      });
    }
  });
});

describe('a short token or secret', () => {
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
  for (const [text, expected] of rows) {
    it(`is masked as a word by itself alone: ${text}`, async () => {
      assert.equal(mask.text(text), expected);
      for (let length = 1; length < 9; length += 1) {
        assert.equal(await textOf(mask.body(inPieces(text, length))), expected);
      }
    });
  }
});

describe('what is no token or secret', () => {
  it('stays byte for byte, whatever it is', () => {
    const mask = new SecretMask(['webhook-secret', token]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.jsonValue(), (text, value) => {
        assert.equal(mask.text(text), text);
        assert.deepEqual(mask.json(value), value);
      }),
    );
    for (const text of ['X-Webhook-Secret', 'webhook_secret', `${token.slice(0, -1)}!`]) {
      assert.equal(mask.text(text), text);
    }
  });
});
