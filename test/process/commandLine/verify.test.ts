import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sign } from '../../../src/webhooks/signature/signature.ts';
import { type ProgramResult, runhook } from '../../support/processes/commandLine.ts';

const secret = 'a secret of the test';

describe('runhook verify', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'runhook-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function verify(request: Buffer | string, held = secret, ...args: string[]): Promise<ProgramResult> {
    const file = join(folder, 'request.txt');
    writeFileSync(file, request);
    return runhook(['verify', file, '--secret-env', 'HELD', ...args], { HELD: held });
  }

  function request(body: Uint8Array, sent = body): Buffer {
    const head = [
      'POST /hook HTTP/1.1',
      'X-Request-Id: r-1',
      'X-Service-Webhook-Timestamp: 1790000000',
      `X-Service-Webhook-Signature: v1,${sign(secret, 'r-1', '1790000000', body)}`,
    ];
    return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), sent]);
  }

  it('exits with 0 where the signature is right, whatever the bytes and however long ago', async () => {
    for (const body of [Buffer.from('{"a":"é"}\r\n'), Buffer.from([0xff, 0x00, 0x80, 0x0a])]) {
      const { code, out, err } = await verify(request(body));
      assert.deepEqual([code, err], [0, '']);
      assert.match(out, /^The signature matches\.\n/);
    }
  });

  it('exits with 1 where it is not, and says why', async () => {
    const body = Buffer.from('{"a":1}');
    const changed = await verify(request(body, Buffer.from('{"a":1}\n')));
    assert.equal(changed.code, 1);
    assert.match(
      changed.out,
      /^The signature does not match\.\nThe body got a newline at its end after it was signed\./,
    );
    const other = await verify(request(body), `${secret} `);
    assert.equal(other.code, 1);
    assert.match(other.out, /white space around it/);
    const unsigned = await verify('X-Request-Id: a\n\n{}');
    assert.equal(unsigned.code, 1);
    assert.match(unsigned.out, /^The signature could not be checked\./);
  });

  it('checks how old the timestamp is where that is asked for', async () => {
    const old = await verify(request(Buffer.from('{}')), secret, '--tolerance', '60');
    assert.equal(old.code, 1);
    const young = await verify(request(Buffer.from('{}')), secret, '--tolerance', '999999999');
    assert.equal(young.code, 0);
    assert.equal((await verify('', secret, '--tolerance', '-1')).code, 2);
  });

  it('prints no signature that would make anything verify', async () => {
    const body = Buffer.from('{"a":2}');
    const { out } = await verify(request(Buffer.from('{"a":1}'), body));
    assert.ok(!out.includes(sign(secret, 'r-1', '1790000000', body)));
    assert.doesNotMatch(out, /shown on your screen/);
  });

  it('exits with 2 where the file holds no request', async () => {
    const { code, out, err } = await verify('{"a": 1}');
    assert.deepEqual([code, out], [2, '']);
    assert.match(
      err,
      /^runhook: The file holds no request: it takes headers, an empty line and the body\.\n/,
    );
  });
});
