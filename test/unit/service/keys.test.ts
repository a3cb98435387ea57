import assert from 'node:assert/strict';
import fc from 'fast-check';
import { originsInClear } from '../../../src/service/endpoints.ts';
import { environmentReference } from '../../../src/editor/kit/environmentReference.ts';
import {
  cleanToken,
  looksLikeToken,
  readClaims,
  tokenExpiry,
  tokenWarnings,
} from '../../../src/service/keys/token.ts';
import { UserError } from '../../../src/shared/text/userError.ts';
import { jwt } from '../../support/service/jwt.ts';

describe('where tokens go to unencrypted', () => {
  const of = (baseUrl: string, proxyUrl = '') => originsInClear({ baseUrl, proxyUrl });

  it('is an http address that is not on this machine', () => {
    assert.deepEqual(of('http://api.example/base'), ['http://api.example']);
    assert.deepEqual(of('', 'HTTP://10.0.0.8:8080'), ['http://10.0.0.8:8080']);
    assert.deepEqual(of('http://128.0.0.1', 'http://localhost.example'), [
      'http://128.0.0.1',
      'http://localhost.example',
    ]);
    assert.deepEqual(of('http://127.0.0.1@api.example'), ['http://api.example']);
  });

  it('is said once of an address that both have', () => {
    assert.deepEqual(of('http://api.example/a', 'http://api.example:80/b'), ['http://api.example']);
  });

  it('is neither this machine, nor https, nor what is no address', () => {
    for (const address of [
      ...['http://127.0.0.1', 'http://127.9.8.7:4100', 'http://[::1]:80', 'http://localhost:3000'],
      ...['https://api.example', 'api.example', '', 'http://'],
    ]) {
      assert.deepEqual(of(address, address), [], address);
    }
  });
});

describe('what stands for a value that comes from the environment', () => {
  const of = (languageId: string, before = '"', after = before) => {
    const { text, withQuotes } = environmentReference('TOKEN', languageId, before, after);
    const [left, right] = withQuotes;
    return `${left ? before.slice(0, -1) : before}${text}${right ? after.slice(1) : after}`;
  };

  for (const [languageId, expected] of Object.entries({
    typescript: 'process.env.TOKEN',
    javascriptreact: 'process.env.TOKEN',
    python: 'os.environ["TOKEN"]',
    ruby: 'ENV.fetch("TOKEN")',
    go: 'os.Getenv("TOKEN")',
    php: "getenv('TOKEN')",
    java: 'System.getenv("TOKEN")',
    yaml: '"$TOKEN"',
    shellscript: '"$TOKEN"',
    constructor: '"$TOKEN"',
  })) {
    it(`is ${expected} in ${languageId}`, () => assert.equal(of(languageId), expected));
  }

  it('is joined to a longer text of a program', () => {
    assert.equal(of('typescript', 'a = "Bearer ', '";'), 'a = "Bearer " + process.env.TOKEN;');
    assert.equal(of('typescript', "a = '", " b';"), "a = process.env.TOKEN + ' b';");
    assert.equal(of('typescript', 'a = `Bearer ', '`;'), 'a = `Bearer ${process.env.TOKEN}`;');
    assert.equal(of('python', 't = f"Bearer ', '"'), 't = f"Bearer " + os.environ["TOKEN"]');
    assert.equal(of('php', "$a = 'it\\'s ', 'b ", " c';"), "$a = 'it\\'s ', 'b ' . getenv('TOKEN') . ' c';");
  });

  it('is a name where it is no text of a program', () => {
    assert.equal(of('typescript', '', ''), '$TOKEN');
    assert.equal(of('typescript', '// ', ''), '// $TOKEN');
    assert.equal(of('yaml', 'a: "Bearer ', '"'), 'a: "Bearer $TOKEN"');
  });
});

const now = Date.parse('2026-11-20T00:00:00Z');
const inDays = (days: number) => now / 1000 + days * 24 * 60 * 60;

describe('a token', () => {
  it('has its expiry and its claims read, also where they are not ASCII', () => {
    const token = jwt({ exp: inDays(1), name: 'Zoë 🚀' });
    assert.equal(tokenExpiry(token), inDays(1) * 1000);
    assert.equal(readClaims(token)?.['name'], 'Zoë 🚀');
  });

  for (const token of ['opaque', 'a.b', 'a.b.c', 'e30.W10.x', 'e30.bm8.x', '...', 'e30.e30.x.y', '']) {
    it(`is no JWT: ${JSON.stringify(token)}`, () => {
      assert.equal(readClaims(token), undefined);
      assert.match(tokenWarnings(token, 'p-1', now).join('|'), /^This is not a JWT, [^|]*$/);
    });
  }

  it('is told from ids, names and addresses by its looks, however it is pasted', () => {
    const token = jwt({ exp: 1 });
    for (const text of [
      token,
      ` "${token}"\n`,
      `Bearer ${token}`,
      'authorization: Bearer opaque',
      'bearer x1',
    ]) {
      assert.ok(looksLikeToken(text), text);
    }
    const plain = [
      '',
      'p-1',
      'eyJ',
      'eyjafjallajokull.prod',
      'bearer',
      'eu.prod.ci',
      'https://eyJ.example/a.b',
    ];
    for (const text of plain) assert.ok(!looksLikeToken(text), text);
  });

  const cases: [string, object, RegExp[]][] = [
    ['a good one', { exp: inDays(30), project_id: 'p-1' }, []],
    ['expired', { exp: inDays(-1) }, [/has expired/]],
    ['of another project', { exp: inDays(30), projectId: 'p-2' }, [/the project p-2/]],
    ['without expiry', {}, [/never expires/]],
    ['with a senseless expiry', { exp: 'soon' }, [/has an expiry date that cannot be read/]],
    ['with an expiry as a text', { exp: String(inDays(30)) }, []],
    ['with an expiry in milliseconds', { exp: inDays(30) * 1000 }, []],
    ['with an expiry as a date', { exp: new Date(inDays(30) * 1000).toISOString() }, []],
    ['with null as expiry', { exp: null }, [/never expires/]],
    ['longer than a year', { exp: inDays(400) }, [/more than a year/]],
    ['expired, and of another project', { exp: inDays(-1), project: 'p-2' }, [/project p-2/, /has expired/]],
  ];
  for (const [name, claims, texts] of cases) {
    it(`is warned of: ${name}`, () => {
      const warnings = tokenWarnings(jwt({ ...claims }), 'p-1', now);
      assert.equal(warnings.length, texts.length);
      for (const [at, text] of texts.entries()) assert.match(warnings[at]!, text);
      for (const warning of warnings) assert.match(warning, /^This token/);
    });
  }

  for (const pasted of [
    ...['tok', ' tok\n', 'Bearer tok', 'bearer  tok', '"tok"', 'Authorization: Bearer tok', 'Bearer "tok"'],
    // As it stands in a curl command, and in a program.
    ...['"Authorization: Bearer tok"', "'Authorization: Bearer tok'\n", '"Bearer tok"', '" tok "'],
  ]) {
    it(`is cleaned of what was pasted with it: ${JSON.stringify(pasted)}`, () => {
      assert.equal(cleanToken(pasted), 'tok');
    });
  }

  for (const pasted of [
    '',
    '  ',
    'a b',
    'a\nb',
    'a\r\nx-header: b',
    'tök',
    'a\u0000b',
    'Bearer ',
    '"Bearer "',
    '""',
  ]) {
    it(`is refused: ${JSON.stringify(pasted)}`, () => {
      assert.throws(() => cleanToken(pasted), UserError);
    });
  }

  it('is read without a throw, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.string(), (a, b, c) => {
        tokenWarnings(`${a}.${b}.${c}`, 'p', now);
      }),
    );
  });
});
