import assert from 'node:assert/strict';
import { errorText, readErrorText, readText } from '../../../../src/service/client/answer.ts';
import { masked } from '../../../../src/shared/masking/likelySecrets.ts';
import { assertLinear } from '../../../support/time/assertLinear.ts';
import { jwt } from '../../../support/service/jwt.ts';

describe('what an error body says', () => {
  const cases: [string, string][] = [
    ['{"message":"out of order"}', 'out of order'],
    ['{"error":"out of order"}', 'out of order'],
    ['{"detail":"out of order","status":500}', 'out of order'],
    ['{"error":{"code":7,"message":"out of order"}}', 'out of order'],
    ['{"detail":[{"loc":["body"],"msg":"too big"},{"msg":"too small"}]}', 'too big; too small'],
    ['{"errors":["a","b"]}', 'a; b'],
    ['{"errors":["First.","Second."]}', 'First; Second.'],
    [
      '{"message":"At most 50.","errors":[{"field":"maxReplicaCount","message":"At most 50."}]}',
      'maxReplicaCount: At most 50.',
    ],
    ['{"Message":"as others write it"}', 'as others write it'],
    ['{"message":"","error":"the other one"}', 'the other one'],
    // FastAPI
    [
      '{"detail":[{"type":"int_parsing","loc":["body","gpuCount"],"msg":"not an integer"}]}',
      'gpuCount: not an integer',
    ],
    ['{"detail":[{"loc":["body","a",0,"b"],"msg":"x"},{"loc":["query","q"],"msg":"y"}]}', 'a.0.b: x; q: y'],
    // Laravel, Rails, Django
    [
      '{"message":"The data was invalid.","errors":{"cpu":["is too large","is odd"]}}',
      'The data was invalid; cpu: is too large; is odd',
    ],
    ['{"errors":{"cpu":["is too large"],"memory":["is missing"]}}', 'cpu: is too large; memory: is missing'],
    ['{"cpu":["A valid integer is required."]}', 'cpu: A valid integer is required.'],
    // Zod
    [
      '{"issues":[{"code":"too_big","path":["settings","cpu"],"message":"Too big"}],"name":"ZodError"}',
      'settings.cpu: Too big',
    ],
    ['{"error":{"issues":[{"path":["cpu"],"message":"Too big"}]}}', 'cpu: Too big'],
    ['{"error":{"formErrors":[],"fieldErrors":{"cpu":["Too big"]}}}', 'cpu: Too big'],
    ['{"error":{"_errors":[],"cpu":{"_errors":["Too big"]}}}', 'cpu: Too big'],
    ['{"errors":[],"properties":{"cpu":{"errors":["Too big"]}}}', 'cpu: Too big'],
    [JSON.stringify({ message: JSON.stringify([{ path: ['cpu'], message: 'Too big' }]) }), 'cpu: Too big'],
    // Express, Ajv, Spring, JSON:API, problem details
    [
      '{"errors":[{"type":"field","msg":"Invalid value","path":"cpu","location":"body"}]}',
      'cpu: Invalid value',
    ],
    ['{"message":[{"instancePath":"/cpu","message":"must be string"}]}', 'cpu: must be string'],
    ['{"status":400,"errors":[{"field":"cpu","defaultMessage":"too large"}]}', 'cpu: too large'],
    ['{"errors":[{"detail":"too large","source":{"pointer":"/data/attributes/cpu"}}]}', 'cpu: too large'],
    [
      '{"title":"Invalid","detail":"See below","invalid-params":[{"name":"cpu","reason":"too large"}]}',
      'See below; cpu: too large',
    ],
    ['{"status":404,"error":"Not Found","path":"/v2/projects"}', 'Not Found'],
    ['{"message":"cpu is too large","errors":{"cpu":["cpu is too large"]}}', 'cpu is too large'],
    ['{"code":7}', '{"code":7}'],
    ['<h1>Bad\r\n Gateway</h1>', '<h1>Bad Gateway</h1>'],
    // nginx, Werkzeug, Express
    ['<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>', '502 Bad Gateway'],
    [
      '<!doctype html>\n<html lang=en>\n<title>KeyError: &#39;prompt&#39; &amp; more</title>',
      "KeyError: 'prompt' & more",
    ],
    [
      '<!DOCTYPE html>\n<head>\n<title>Error</title>\n</head>\n<body>\n<pre>TypeError: no &quot;x&quot;<br> &nbsp; at a.js:1</pre>',
      'TypeError: no "x"',
    ],
    ['<html><title></title><style>p { x }</style><p>Out of <b>order</b>', 'Out of order'],
    ['<html></html>', '<html></html>'],
    ['<html><title>&lt;b&gt;$(zap)', '<b>$\u200b(zap)'],
    ['"just text"', '"just text"'],
    ['', ''],
    ['\u001b[31mred\u0007', '[31mred'],
  ];
  for (const [body, text] of cases) {
    it(`is read: ${JSON.stringify(body)}`, () => assert.equal(errorText(body), text));
  }

  it('holds no token', () => {
    assert.equal(
      errorText(JSON.stringify({ message: `bad token ${jwt({ sub: 'x' })}` })),
      `bad token ${masked}`,
    );
  });

  it('takes no longer to read than it is long', () => {
    assertLinear(5000, (size) => assert.ok(errorText('eyJ'.repeat(size)).length > 0));
  });

  it('is cut', () => {
    assert.ok(errorText('x '.repeat(10_000)).length <= 301);
  });
});

describe('the text of an answer', () => {
  async function* body(...pieces: Uint8Array[]): AsyncGenerator<Uint8Array> {
    for (const piece of pieces) yield await Promise.resolve(piece);
  }

  it('is put together across pieces that cut a character', async () => {
    const bytes = new TextEncoder().encode('a€b');
    const response = { status: 200, headers: {}, body: body(bytes.slice(0, 2), bytes.slice(2)) };
    assert.equal(await readText(response), 'a€b');
  });

  it('is read no further than the beginning where it is an error', async () => {
    const pieces = Array.from({ length: 1000 }, () => new Uint8Array(1000).fill(0x61));
    const response = { status: 500, headers: {}, body: body(...pieces) };
    assert.equal((await readErrorText(response)).length, 256 * 1024);
  });

  it('is not read on where it never ends', async () => {
    let taken = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        taken += 1;
        yield await Promise.resolve(new Uint8Array(1024 * 1024));
      }
    }
    const response = { status: 200, headers: {}, body: endless() };
    await assert.rejects(readText(response), /larger than 8 MiB/);
    assert.equal(taken, 9, 'it is let go of at the first piece too much');
  });
});
