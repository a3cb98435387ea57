import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { root } from '../../../scripts/checkout.ts';
import { UserError } from '../../../src/shared/text/userError.ts';
import { FixtureError, readFixture } from '../../../src/suite/fixture/readFixture.ts';
import { variantsOf } from '../../../src/suite/run/variant.ts';

const name = 'a.delivery.json';
const read = (text: string) => readFixture(text, name);
const bytesOf = (body: string) => read(`{"body": ${body}}`).bytes.toString('latin1');

/** What is wrong with a text, and in which line, from 1. */
function problemOf(text: string, file = name): { line: number; message: string } {
  try {
    readFixture(text, file);
  } catch (error) {
    assert.ok(error instanceof FixtureError, String(error));
    return { line: error.place.line + 1, message: error.message };
  }
  return assert.fail('it was read');
}

describe('a fixture', () => {
  it('has a body that is a text, a JSON value or base64, and sends those bytes', () => {
    assert.equal(bytesOf('"a text\\nas it stands"'), 'a text\nas it stands');
    assert.equal(
      bytesOf('{ "n": 12345678901234567890, "f": [ 1.0, -0 ],\n "é": "\\u00e9" }'),
      Buffer.from('{"n":12345678901234567890,"f":[1.0,-0],"é":"\\u00e9"}').toString('latin1'),
    );
    assert.equal(bytesOf('{"base64": "AP8="}'), '\0\xff');
    assert.equal(bytesOf('{"base64": "AP8=", "more": 1}'), '{"base64":"AP8=","more":1}');
    for (const scalar of ['null', 'true', '0.10']) assert.equal(bytesOf(scalar), scalar);
    assert.equal(read('{"body": 1, "body": [ 2 ]}').bytes.toString(), '[2]', 'the last one counts');
    assert.equal(read('\uFEFF{"body": ""}').bytes.length, 0);
  });

  it('takes base64 of ten megabytes, and no more', () => {
    const base64 = (bytes: number): string =>
      JSON.stringify({ body: { base64: Buffer.alloc(bytes).toString('base64') } });
    assert.equal(read(base64(10 * 1024 * 1024)).bytes.length, 10 * 1024 * 1024);
    assert.match(problemOf(base64(10 * 1024 * 1024 + 1)).message, /body is larger than 10 MiB/);
    assert.match(problemOf(`{"body": "${'x'.repeat(17 * 1024 * 1024)}"}`).message, /larger than 16 MiB/);
  });

  const refused: [text: string, line: number, message: RegExp][] = [
    ['{\n"body": 1,\n"expct": {}}', 3, /^"expct" is unknown\. Write one of .*expect, variants\.$/],
    [
      '{"body": 1,\n"expect": {\n"stats": 200}}',
      3,
      /^"expect\.stats" is unknown\. Write one of status, bodyContains, headers, within, after\.$/,
    ],
    ['{"body": 1,\n"expect": {\n"after": {"get": "/", "x": 1}}}', 3, /^"expect\.after\.x" .* get, status,/],
    [
      '{"body": 1, "expect": {\n"status": "200"}}',
      2,
      /^"expect\.status" .* Write a number from 100 to 599, "2xx", or/,
    ],
    ['{"body": 1, "expect": {\n"within": 0.5}}', 2, /^"expect\.within" .* Write milliseconds/],
    ['{"body": 1, "expect": {\n"after": {}}}', 2, /^"expect\.after\.get" is missing\.$/],
    [
      '{"body": 1, "expect": {"after":\n{"get": "//elsewhere/"}}}',
      2,
      /^"expect\.after\.get" .* Write a path of/,
    ],
    ['{"body": 1, "expect": {"after":\n{"get": "/\\\\elsewhere/"}}}', 2, /Write a path of your handler/],
    ['{"body": 1, "expect": {"after":\n{"get": "http://elsewhere/"}}}', 2, /Write a path of your handler/],
    ['{"body": 1,\n"path": "hook"}', 2, /^"path" .* Write a path that begins with one "\/"/],
    ['{"body": 1,\n"method": "post"}', 2, /^"method" .* such as "POST"/],
    ['{"body": 1,\n"headers": {"a b": "1"}}', 2, /^"headers\.a b" .* Write names of headers/],
    ['{"body": 1, "headers":\n{"a": "1\\n2"}}', 2, /^"headers\.a" .* on one line/],
    ['{"body":\n{"base64": "%"}}', 1, /^"body" .* Write a text, a JSON value, or {"base64": "…"}\.$/],
    ['{"body": 1,\n"variants": ["repeat",\n"twice"]}', 3, /^"variants\.1" .* Write "all", or a list/],
    ['{"body": 1,\n"variants": [\n{"name": "twice"}]}', 3, /^"variants\.0\.name" .* Write one of "as it is"/],
    [
      '{"body": 1,\n"variants": [{"name": "stale",\n"expects": 1}]}',
      3,
      /^"variants\.0\.expects" .* name, expect/,
    ],
    ['{"body": 1,\n"variants": "some"}', 2, /^"variants" .* Write "all"/],
    ['{\n"method": "POST"}', 1, /^"body" is missing\.$/],
    ['[]', 1, /^Write an object/],
    ['{"body": 1,\n]', 2, /^Not JSON\. Line 2, column 1\./],
    ['', 1, /^Not JSON\. It is empty\./],
    ['['.repeat(600), 1, /^It is nested too deep\.$/],
  ];
  for (const [text, line, message] of refused) {
    it(`says in which line what is wrong with ${text.slice(0, 60).replaceAll('\n', ' ')}, and what to write`, () => {
      const problem = problemOf(text);
      assert.match(problem.message, message);
      assert.equal(problem.line, line);
    });
  }

  it('is what docs/testing.md and the sample show', () => {
    const guide = readFileSync(join(root, 'docs/testing.md'), 'utf8');
    const [, shown = ''] = /```json\n(\{.*?)```/s.exec(guide) ?? [];
    const sample = readFileSync(join(root, 'test/fixtures/handlers/payment.delivery.json'), 'utf8');
    for (const text of [shown, sample]) assert.equal(variantsOf(read(text)).length, 8);
  });

  it('of the old form is read as before, whatever else is in it', () => {
    const old = (file: object) => readFixture(JSON.stringify(file), 'old.json');
    assert.equal(old({ body: '/w==', bodyEncoding: 'base64' }).bytes.toString('hex'), 'ff');
    const { method, path, bytes, headers, expect } = old({
      body: '{"n": 1}',
      note: 'unknown',
      headers: { a: 'é' },
    });
    assert.deepEqual([method, path, headers, expect], ['POST', '/', { a: 'é' }, {}]);
    assert.equal(bytes.toString(), '{"n": 1}');
    assert.match(problemOf('{"body": 3}', 'old.json').message, /"body" must be text/);
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`x-${at}`, 1]));
    assert.match(problemOf(JSON.stringify({ body: '', headers: many }), 'old.json').message, /"headers"/);
    for (const [field, value] of [
      ['method', 'CONNECT'],
      ['headers', { 'a b': '1' }],
      ['headers', { a: '1\n2' }],
    ] as const) {
      const { message } = problemOf(JSON.stringify({ body: '', [field]: value }), 'old.json');
      assert.match(message, new RegExp(`"${field}.*is not valid`));
    }
    // The new form may have any name.
    assert.deepEqual(old({ body: { n: 1 }, expect: { status: 202 } }).expect, { status: 202 });
  });

  it('has variants, each with the place where it is written', () => {
    const text =
      '{"body": 1,\n"expect": {\n"status": 202},\n"variants": ["as it is",\n"repeat",\n{"name": "stale",\n"expect": {"status": 400}}, "repeat"]}';
    const variants = variantsOf(read(text));
    assert.deepEqual(
      variants.map(({ name: one, place, expect }) => [one, place.line + 1, expect.status]),
      [
        ['as it is', 2, 202],
        ['repeat', 5, '2xx'],
        ['stale', 7, 400],
        ['repeat 2', 7, '2xx'],
      ],
    );
    assert.equal(variantsOf(read('{"body": 1}'))[0]!.expect.status, '2xx');
    assert.equal(variantsOf(read('{"body": 1, "variants": "all"}')).length, 8);
  });

  it('that is hostile fails with an error that a user can read, and in no other way', () => {
    const key = fc.constantFrom(
      'body',
      'expect',
      'variants',
      'headers',
      'after',
      'get',
      'status',
      'name',
      '__proto__',
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom('all', 'repeat', '2xx', '/', '', 200, -1, 1e400, null, true),
        fc.string({ unit: 'binary' }),
        fc.array(tie('value')),
        fc.dictionary(fc.oneof(key, fc.string()), tie('value')),
      ),
    }));
    const readable = (text: string): void => {
      try {
        variantsOf(readFixture(text, name));
      } catch (error) {
        assert.ok(error instanceof UserError, String(error));
        assert.ok(error.message.length < 1000);
      }
    };
    const file = fc.dictionary(key, value).map((one) => JSON.stringify({ body: 1, ...one }));
    fc.assert(fc.property(file, readable), { numRuns: 2000 });
    fc.assert(fc.property(fc.string({ unit: 'binary' }), readable));
  });
});
