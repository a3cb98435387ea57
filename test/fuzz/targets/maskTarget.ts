import assert from 'node:assert/strict';
import { SecretMask } from '../../../src/model/masking/secretMask.ts';
import { secretWritings } from '../../support/secretWritings.ts';
import { seedsOf, type Target } from '../target.ts';

const values = ['eyJhbGciOiJIUzI1NiJ9.eyJwaWQiOiJwLTEifQ.c2lnbmF0dXJl', 'kF3-x9/ü_Qm7 zT+pe'];
const mask = new SecretMask(values);
const others = new SecretMask(['nobody has ever sent this one', 'nor-this/one+either=']);

/** All writings in which a value is looked for in the text. */
const writings = values.flatMap((value) => Object.values(secretWritings).map((write) => write(value)));

/**
 * A text that tells tokens and secrets in some writing: none of those comes through. What holds none stays, and a
 * text that comes in pieces is masked as a whole one is.
 */
export const maskTarget: Target = {
  name: 'mask',
  seeds: seedsOf(
    ...writings.map((writing) => `{"to":"https://a.example/?q=${writing}&next=1","note":"${writing}"}`),
    `X-Echo: ${values[0]}\r\nCookie: a=${values[1]}`,
    'nothing in it at all, 7 "times"',
  ),
  words: [...writings, '%25', '\\u00', '","b":"', '&b=', '\\\\', '=', '\r\n'],
  read: async (input) => {
    const text = input.toString();
    const masked = mask.text(text);
    for (const writing of writings) assert.ok(!masked.includes(writing), writing);
    assert.equal(others.text(text), text);
    const pieces: Uint8Array[] = [];
    for await (const piece of mask.body(inPieces(input))) pieces.push(piece);
    const streamed = Buffer.concat(pieces).toString();
    for (const writing of writings) assert.ok(!streamed.includes(writing), `in pieces: ${writing}`);
  },
};

async function* inPieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  const length = 1 + (bytes.length % 61);
  for (let at = 0; at < bytes.length; at += length) {
    yield await Promise.resolve(bytes.subarray(at, at + length));
  }
}
