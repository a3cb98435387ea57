import assert from 'node:assert/strict';
import fc from 'fast-check';
import '../../../support/random/seed.ts';
import { fillVariables, variablesIn } from '../../../../src/editor/run/payloads/payload.ts';
import { UserError } from '../../../../src/shared/text/userError.ts';

const fill = (document: unknown, values: Record<string, string>): unknown =>
  JSON.parse(fillVariables(JSON.stringify(document), ({ kind, name }) => values[`${kind}:${name}`] ?? '?'));

describe('the variables of a payload', () => {
  it('are found with their places, in texts alone', () => {
    const found = variablesIn(
      JSON.stringify({
        $runhook: { headers: { 'X-Key': 'a ${env:KEY} ${input:q}' } },
        '${env:NAME_OF_A_MEMBER}': ['${workspaceFolder}', 1, '${else}', '${file}'],
      }),
    );
    assert.deepEqual(
      found.map(({ kind, name, place }) => [kind, name, place]),
      [
        ['env', 'KEY', '$runhook.headers.X-Key'],
        ['input', 'q', '$runhook.headers.X-Key'],
        ['workspaceFolder', '', '"${env:NAME_OF_A_MEMBER}".0'],
      ],
    );
  });

  it('are put in as values: a quote, a brace or a line break stays a character of its text', () => {
    const value = '"}, "webhook": "https://elsewhere.example/\n${env:B}';
    assert.deepEqual(fill({ a: 'x ${env:A}' }, { 'env:A': value }), { a: `x ${value}` });
  });

  it('leave every other character as it was written', () => {
    const text = '{ "id" : 12345678901234567890, "a":"\\u00e9\\/ ${else}",\n "b": "${env:B}" }\n';
    assert.equal(
      fillVariables(text, () => 'x'),
      text.replace('${env:B}', 'x'),
    );
  });

  it('are meant as they are written behind a second $', () => {
    assert.deepEqual(fill({ a: '$${env:A} ${env:A}' }, { 'env:A': 'x' }), { a: '${env:A} x' });
    assert.deepEqual(variablesIn('{"a": "$${env:A}"}'), []);
  });

  it('are none in what the block says of the payload itself', () => {
    const block = { app: '${env:A}', project: '${env:A}', inputs: [{ description: '${env:A}' }] };
    assert.deepEqual(fill({ $runhook: block }, { 'env:A': 'x' }), { $runhook: block });
  });

  it('name something', () => {
    assert.throws(
      () => variablesIn('["${env:}"]'),
      new UserError('${env:} in the payload has no name after the colon.'),
    );
  });

  it('never change the structure of the document, whatever their values are', () => {
    const piece = fc.constantFrom('${env:A}', '${input:B}', '$${env:A}', '${', '}', '"', '\\', 'é', '\u2028');
    const words = fc.array(fc.oneof(piece, fc.string({ unit: 'binary' }))).map((all) => all.join(''));
    const { document } = fc.letrec((tie) => ({
      document: fc.oneof(
        { depthSize: 'small' },
        words,
        fc.double({ noDefaultInfinity: true, noNaN: true }),
        fc.constantFrom(true, false, null),
        fc.array(tie('document')),
        fc.dictionary(words, tie('document')),
      ),
    }));
    fc.assert(
      fc.property(document, fc.string({ unit: 'binary' }), (value, put) => {
        const text = JSON.stringify(value);
        const before: unknown = JSON.parse(text);
        const filled: unknown = JSON.parse(fillVariables(text, () => put));
        assert.deepEqual(filled, valuesFilled(before, put));
      }),
    );
  });
});

/** The same by going through the values. */
function valuesFilled(value: unknown, put: string): unknown {
  if (typeof value === 'string') {
    return value.replace(/(\$?)\$\{(?:env|input):[^{}]+\}/g, (whole, doubled) =>
      doubled === '$' ? whole.slice(1) : put,
    );
  }
  if (Array.isArray(value)) return value.map((one) => valuesFilled(one, put));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, valuesFilled(one, put)]));
}
