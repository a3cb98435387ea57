import assert from 'node:assert/strict';
import { masked } from '../../../../src/model/masking/masking.ts';
import { SecretMask } from '../../../../src/model/masking/secretMask.ts';

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

describe('what a call was sent with', () => {
  const mask = new SecretMask([token, secret]);

  it('is taken out of a body, wherever the body is cut', async () => {
    const json = JSON.stringify({ authorization: `Bearer ${token}`, secret, name: 'ümläut' });
    const body = `${json}${token}${token}${secret} ${json.replaceAll('/', '\\/')}${token.slice(0, 20)}`;
    const inJson = `{"authorization":"Bearer ${masked}","secret":"${masked}","name":"ümläut"}`;
    const expected = `${inJson}${masked.repeat(3)} ${inJson}${token.slice(0, 20)}`;
    for (let length = 1; length <= body.length; length += 1) {
      assert.equal(await textOf(mask.body(inPieces(body, length))), expected);
    }
  });

  it('holds nothing back but the beginning of a secret', async () => {
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

  it('is taken out of headers and texts', () => {
    assert.deepEqual(mask.headers({ echo: `Bearer ${token}`, other: 'stays' }), {
      echo: `Bearer ${masked}`,
      other: 'stays',
    });
    assert.equal(mask.text(JSON.stringify([secret, token])), `["${masked}","${masked}"]`);
  });

  it('stays where it is too short to be told from any other text', async () => {
    const short = new SecretMask(['', 'abc']);
    assert.equal(short.text('abcabc'), 'abcabc');
    assert.equal(await textOf(short.body(inPieces('abcabc', 2))), 'abcabc');
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
    for await (const piece of mask.body(endless)) if (piece.length > 0) break;
    assert.ok(left);
  });
});
