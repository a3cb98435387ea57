import assert from 'node:assert/strict';
import { isSecretField, maskJson, masked, maskSecrets } from '../../../../src/model/masking/masking.ts';
import { assertLinear } from '../../../support/time/assertLinear.ts';
import { jwt } from '../../../support/service/jwt.ts';

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
