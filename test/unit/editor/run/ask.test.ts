import assert from 'node:assert/strict';
import fc from 'fast-check';
import '../../../support/random/seed.ts';
import { variablesIn } from '../../../../src/editor/run/payloads/payload.ts';
import { agreementOf, type ShownCall } from '../../../../src/editor/run/ask.ts';

const call: ShownCall = {
  source: 'file:///a.json',
  origin: 'https://run.example',
  written: {
    ...{ projectId: 'p', appName: 'a', path: 'run', method: 'POST', webhook: false },
    query: { mode: 'read' },
    headers: { 'X-A': '1' },
    body: '{}',
  },
  reads: [{ kind: 'env', name: 'A', place: '$runhook.headers.X-A' }],
};
const having = (written: Partial<ShownCall['written']>): ShownCall => ({
  ...call,
  written: { ...call.written, ...written },
});

describe('what was agreed to before a run', () => {
  const others: [what: string, other: ShownCall][] = [
    ['file', { ...call, source: 'file:///b.json' }],
    ['service', { ...call, origin: 'https://other.example' }],
    ['project', having({ projectId: 'q' })],
    ['app', having({ appName: 'b' })],
    ['method', having({ method: 'DELETE' })],
    ['path', having({ path: 'run2' })],
    ['query of the path', having({ path: 'run?mode=all' })],
    ['query', having({ query: { mode: 'read', force: true } })],
    ['value in the query', having({ query: { mode: 'delete-all' } })],
    ['header', having({ headers: { 'X-A': '1', Cookie: 'a=b' } })],
    ['value of a header', having({ headers: { 'X-A': '2' } })],
    ['place of the result', having({ webhook: true })],
    ['address of the result', having({ webhook: 'https://a.example' })],
    ['signature', having({ signing: 'unsigned' })],
    ['variable', { ...call, reads: [{ kind: 'env', name: 'B', place: '$runhook.headers.X-A' }] }],
    ['place of a variable', { ...call, reads: [{ kind: 'env', name: 'A', place: 'b' }] }],
    ['number of variables', { ...call, reads: [] }],
  ];
  for (const [what, other] of others) {
    it(`does not hold for another ${what}`, () => assert.notEqual(agreementOf(other), agreementOf(call)));
  }

  it('holds for another body, and for headers in another order', () => {
    assert.equal(agreementOf(having({ body: '{"all":true}' })), agreementOf(call));
    const [one, other] = [
      { A: '1', B: '2' },
      { B: '2', A: '1' },
    ];
    assert.equal(agreementOf(having({ headers: one })), agreementOf(having({ headers: other })));
  });

  it('holds for no other call, whatever is in their parts', () => {
    const text = fc.constantFrom('', 'a', '.', '","', 'a b', '1');
    const written = fc.record({
      ...{ projectId: text, appName: text, path: text, query: fc.dictionary(text, text) },
      ...{ headers: fc.dictionary(text, text), method: fc.constantFrom('GET', 'POST') },
      webhook: fc.oneof(fc.boolean(), text),
    });
    const reads = fc.array(fc.record({ kind: fc.constant('env' as const), name: text, place: text }));
    const shown = fc.record({ source: text, origin: text, written, reads });
    const content = ({ written: one, reads: all, ...rest }: ShownCall) => ({
      ...rest,
      written: { ...one, query: Object.entries(one.query ?? {}) },
      reads: all.map(({ name, place }) => JSON.stringify([name, place])).sort(),
    });
    fc.assert(
      fc.property(shown, shown, (one, other) => {
        const isSame = JSON.stringify(content(one)) === JSON.stringify(content(other));
        if (isSame) assert.equal(agreementOf(one), agreementOf(other));
        else if (agreementOf(one) === agreementOf(other)) assert.deepEqual(content(one), content(other));
      }),
    );
  });

  it('knows the places of variables apart, though keys hold dots and quotation marks', () => {
    const key = fc.constantFrom('a', 'b', 'a.b', '.', '"a"', '"a.b"', '', 'X-Y', '["a"]');
    const nested = (keys: readonly string[]) =>
      keys.reduceRight<unknown>((value, name) => ({ [name]: value }), '${env:A}');
    const placeOf = (keys: readonly string[]) => variablesIn(JSON.stringify(nested(keys)))[0]?.place;
    const keys = fc.array(key, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(keys, keys, (one, other) => {
        assert.equal(placeOf(one) === placeOf(other), JSON.stringify(one) === JSON.stringify(other));
      }),
    );
  });
});
