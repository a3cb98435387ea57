import assert from 'node:assert/strict';
import { SecretMask } from '../../../src/model/masking/secretMask.ts';
import { secretEncodings } from '../../support/untrusted/secretEncodings.ts';
import { seedsOf, type Target } from '../target.ts';

const values = ['eyJhbGciOiJIUzI1NiJ9.eyJwaWQiOiJwLTEifQ.c2lnbmF0dXJl', 'kF3-x9/ü_Qm7 zT+pe'];
const mask = new SecretMask(values);
const unrelatedMask = new SecretMask(['nobody has ever sent this one', 'nor-this/one+either=']);

/** The secrets in all encodings. */
const encodedSecrets = values.flatMap((value) => Object.values(secretEncodings).map((write) => write(value)));

/**
 * A text with secrets in some encoding: none may come through, whether the text comes whole or in pieces. A text
 * without secrets must not change.
 */
export const maskTarget: Target = {
  name: 'mask',
  seeds: seedsOf(
    ...encodedSecrets.map((writing) => `{"to":"https://a.example/?q=${writing}&next=1","note":"${writing}"}`),
    `X-Echo: ${values[0]}\r\nCookie: a=${values[1]}`,
    'nothing in it at all, 7 "times"',
  ),
  tokens: [...encodedSecrets, '%25', '\\u00', '","b":"', '&b=', '\\\\', '=', '\r\n'],
  check: async (input) => {
    const text = input.toString();
    const masked = mask.text(text);
    for (const writing of encodedSecrets) assert.ok(!masked.includes(writing), writing);
    assert.equal(unrelatedMask.text(text), text);
    const pieces: Uint8Array[] = [];
    for await (const piece of mask.body(inPieces(input))) pieces.push(piece);
    const streamed = Buffer.concat(pieces).toString();
    for (const writing of encodedSecrets) assert.ok(!streamed.includes(writing), `in pieces: ${writing}`);
  },
};

async function* inPieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  const length = 1 + (bytes.length % 61);
  for (let at = 0; at < bytes.length; at += length) {
    yield await Promise.resolve(bytes.subarray(at, at + length));
  }
}
