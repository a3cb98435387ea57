import assert from 'node:assert/strict';
import { errorText, readErrorText, readText } from '../../../src/client/answer.ts';
import { masked } from '../../../src/model/masking/masking.ts';
import { assertLinear } from '../../support/time/assertLinear.ts';
import { jwt } from '../../support/service/jwt.ts';

describe('what an error body says', () => {
  const cases: [string, string][] = [
    ['{"message":"out of order"}', 'out of order'],
    ['{"error":"out of order"}', 'out of order'],
    ['{"detail":"out of order","status":500}', 'out of order'],
    ['{"error":{"code":7,"message":"out of order"}}', 'out of order'],
    ['{"detail":[{"loc":["body"],"msg":"too big"},{"msg":"too small"}]}', 'too big; too small'],
    ['{"errors":["a","b"]}', 'a; b'],
    ['{"Message":"as others write it"}', 'as others write it'],
    ['{"message":"","error":"the other one"}', 'the other one'],
    ['{"code":7}', '{"code":7}'],
    ['<h1>Bad\r\n Gateway</h1>', '<h1>Bad Gateway</h1>'],
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
    await assert.rejects(readText(response), /longer than 8 MiB/);
    assert.equal(taken, 9, 'it is let go of at the first piece too much');
  });
});
