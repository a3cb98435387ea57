import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jwt } from '../support/service/jwt.ts';
import { encodingsOf, SecretSearch } from '../support/untrusted/secretSearch.ts';

const token = jwt({ sub: 'planted' }, 'a signature of its own');
const opaque = 'opaque/with+"quotes" & \\more';

describe('the search for secrets', () => {
  /** Where a text gives a secret away, by the forms that are found. */
  function formsIn(text: string, secret: string): string[] {
    const search = new SecretSearch();
    search.add('here', text);
    return search.hits({ secret }).map(({ encoding: form }) => form);
  }

  const around = 'nothing but words';
  for (const [name, secret] of Object.entries({ token, opaque })) {
    it(`finds ${name} however it is written`, () => {
      const written: [form: RegExp, text: string][] = [
        [/^as it is/, `Bearer ${secret}`],
        [/^in JSON/, JSON.stringify({ authorization: secret })],
        [/slashes/, JSON.stringify({ authorization: secret }).replaceAll('/', '\\/')],
        [/^percent/, `https://api.example/?t=${encodeURIComponent(secret)}`],
        [/^in a query/, new URLSearchParams({ t: secret, more: '1' }).toString()],
        [/^in hex/, Buffer.from(`Bearer ${secret}`).toString('hex')],
        [/^in UTF-16/, Buffer.from(`Bearer ${secret}!`, 'utf16le').toString('latin1')],
        ...['', 'B', 'Be', 'Bearer '].flatMap((before): [RegExp, string][] => [
          [/^in base64,/, Buffer.from(`${before}${secret} after`).toString('base64')],
          [/^in base64url,/, Buffer.from(`${before}${secret}`).toString('base64url')],
        ]),
      ];
      for (const [form, text] of written) {
        assert.ok(
          formsIn(`${around}${text}${around}`, secret).some((one) => form.test(one)),
          `${String(form)} was not found in ${text}`,
        );
      }
    });
  }

  it('finds the signature of a token alone', () => {
    assert.deepEqual(formsIn(`…${token.split('.')[2]!}`, token), ['its signature']);
  });

  it('finds nothing where there is nothing, and no form is empty', () => {
    assert.deepEqual(formsIn(around, token), []);
    for (const form of [...encodingsOf(token).values(), ...encodingsOf('abc').values()])
      assert.notEqual(form, '');
  });

  it('looks into every file of a folder, hidden ones and names too', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'runhook-search-'));
    try {
      const deep = join(folder, 'globalStorage', 'runhook.runhook', '.hidden');
      await mkdir(deep, { recursive: true });
      await writeFile(join(deep, 'state'), Buffer.concat([Buffer.from([0, 255]), Buffer.from(token)]));
      await writeFile(join(folder, token.slice(-40)), '');
      const search = new SecretSearch();
      await search.addFolder(folder);
      const places = search.hits({ token }).map(({ place }) => place.slice(folder.length + 1));
      assert.ok(places.includes(join('globalStorage', 'runhook.runhook', '.hidden', 'state')));
      assert.ok(places.includes(token.slice(-40)));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
