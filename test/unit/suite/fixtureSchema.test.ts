import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import * as v from 'valibot';
import { deliverySchema } from '../../../scripts/build/deliverySchema.ts';
import { root } from '../../../scripts/checkout.ts';
import { fixtureSchema, variantNames } from '../../../src/suite/fixture/fixtureSchema.ts';

const written = JSON.parse(readFileSync(join(root, 'media/delivery.schema.json'), 'utf8')) as object;

describe('the JSON schema of fixtures', () => {
  it('is made of the one that reads them: `npm run schema` writes it anew', () => {
    assert.deepEqual(written, JSON.parse(JSON.stringify(deliverySchema())));
  });

  it('says of each field what it is', () => {
    const { properties } = written as { properties: Record<string, { description?: string }> };
    const silent = Object.entries(properties).filter(
      ([name, { description }]) => name !== '$schema' && !description,
    );
    assert.deepEqual(silent, []);
  });

  it('takes the same as the reader', () => {
    const isValid = new Ajv({
      allowUnionTypes: true,
      keywords: ['errorMessage', 'patternErrorMessage'],
    }).compile(written);
    const some = <T>(one: fc.Arbitrary<T>) =>
      fc.oneof({ weight: 25, arbitrary: one }, { weight: 1, arbitrary: odd });
    const odd = fc.constantFrom<unknown>(null, 0, -1, 2.5, '', 'x', '/', '//a', [], {}, { x: 1 }, true, [
      'all',
    ]);
    const status = some(
      fc.constantFrom<unknown>(
        99,
        100,
        200,
        202,
        599,
        '2xx',
        '5xx',
        '2xx or 4xx',
        '2XX',
        '2xx or',
        '2xx or 404',
      ),
    );
    const within = some(fc.constantFrom<unknown>(1, 500, 600_000, 600_001));
    const path = some(fc.constantFrom<unknown>('/', '/a?b=c', '/c', '/d', '/a b', '/#', '/\\a'));
    /** An object of these fields, and sometimes something else. */
    const optional = (shape: Record<string, fc.Arbitrary<unknown>>, required: string) =>
      some(fc.record(shape, { requiredKeys: [required] }));
    const after = optional({ get: path, status, bodyContains: some(fc.constant('1')), within }, 'get');
    const headers = some(
      fc.dictionary(
        fc.constantFrom('a', 'X-B', 'c', 'd', 'a b'),
        some(fc.constantFrom('1', 'é', '1', 'ß', '→')),
      ),
    );
    const expect = optional(
      { status, headers, within, after, bodyContains: some(fc.constant('a')) },
      'status',
    );
    const variant = some(
      fc.oneof(
        fc.constantFrom<unknown>(...variantNames),
        optional({ name: some(fc.constantFrom(...variantNames)), expect }, 'name'),
      ),
    );
    const body = some(
      fc.oneof(
        fc.jsonValue(),
        fc.constantFrom<unknown>({ base64: 'AA==' }, { base64: '%' }, { base64: 1 }, { base64: '', a: 1 }),
      ),
    );
    const file = optional(
      {
        $schema: some(fc.constant('x')),
        app: some(fc.constant('hello')),
        method: some(fc.constantFrom('POST', 'post', 'M-SEARCH')),
        path,
        headers,
        body,
        expect,
        variants: some(fc.oneof(fc.constant('all'), fc.array(variant, { maxLength: 3 }))),
      },
      'body',
    );
    const seen = { true: 0, false: 0 };
    fc.assert(
      fc.property(file, (one) => {
        const value: unknown = JSON.parse(JSON.stringify(one));
        const isRead = v.is(fixtureSchema, value);
        seen[`${isRead}`] += 1;
        assert.equal(isValid(value), isRead, JSON.stringify(value));
      }),
      { numRuns: 3000 },
    );
    assert.ok(seen.true > 20 && seen.false > 20, JSON.stringify(seen));
  });
});
