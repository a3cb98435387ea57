import assert from 'node:assert/strict';
import { SecretMask } from '../../../src/shared/masking/secretMask.ts';
import { secretEncodings } from '../../support/untrusted/secretEncodings.ts';
import { seedsOf, type Target } from '../target.ts';

const values = ['eyJhbGciOiJIUzI1NiJ9.eyJwaWQiOiJwLTEifQ.c2lnbmF0dXJl', 'kF3-x9/ü_Qm7 zT+pe'];
const mask = new SecretMask(values);
const unrelatedMask = new SecretMask(['nobody has ever sent this one', 'nor-this/one+either=']);

/** The secrets in all encodings that the mask knows. */
const encodedSecrets = values.flatMap((value) => Object.values(secretEncodings).map((write) => write(value)));

/**
 * A text with secrets in some encoding: no reading of what is left holds one, whether the text comes whole or in
 * pieces. A text without secrets must not change.
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
    assertHoldsNone(mask.text(text));
    assert.equal(unrelatedMask.text(text), text);
    const pieces: Uint8Array[] = [];
    for await (const piece of mask.body(inPieces(input))) pieces.push(piece);
    assertHoldsNone(Buffer.concat(pieces).toString());
  },
};

function assertHoldsNone(text: string): void {
  const ofJson = text.replace(/\\(?:u([\da-f]{4})|[^])/gi, (escape, hex: string | undefined) =>
    hex === undefined ? escape.slice(1) : String.fromCharCode(parseInt(hex, 16)),
  );
  const ofUrl = Buffer.from(
    Buffer.from(text)
      .toString('latin1')
      .replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString();
  for (const value of values) {
    for (const read of [text, ofJson, ofUrl]) {
      assert.ok(!read.includes(value), value);
      for (const digits of [
        Buffer.from(value).toString('base64'),
        Buffer.from(value).toString('base64url'),
      ]) {
        assert.ok(!read.includes(digits.replaceAll('=', '')), digits);
      }
    }
  }
}

async function* inPieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  const length = 1 + (bytes.length % 61);
  for (let at = 0; at < bytes.length; at += length) {
    yield await Promise.resolve(bytes.subarray(at, at + length));
  }
}
