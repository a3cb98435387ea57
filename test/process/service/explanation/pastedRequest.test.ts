import assert from 'node:assert/strict';
import { readPastedRequest } from '../../../../src/service/explanation/pastedRequest.ts';
import { assertLinear } from '../../../support/time/assertLinear.ts';

describe('a pasted request', () => {
  it('is what curl -v prints, with the body below the headers', () => {
    const dump = [
      '* Host localhost:3000 was resolved.',
      '*   Trying [::1]:3000...',
      '> POST /hook HTTP/1.1',
      '> X-Request-Id: a',
      '* [HTTP/2] [1] [x-other: b]',
      '> X-Other: b',
      '>',
      '} [12 bytes data]',
      '* upload completely sent off: 12 bytes',
    ];
    const headers = { 'x-request-id': 'a', 'x-other': 'b' };
    for (const eol of ['\n', '\r\n']) {
      const text = `${dump.join(eol)}${eol}`;
      for (const body of ['{"a":1}\n', '> quoted\n\n* b', '']) {
        assert.deepEqual(readPastedRequest(text + body), { headers, body });
      }
      // What goes on with the answer does not hold what was sent.
      assert.equal(readPastedRequest(`${text}< HTTP/1.1 200 OK${eol}<${eol}{"ok":true}`), undefined);
    }
    assert.deepEqual(readPastedRequest('a: b\n> c: d\n'), { headers: { a: 'b' }, body: '> c: d\n' });
  });

  it('is headers, an empty line and a body', () => {
    assert.deepEqual(readPastedRequest('X-Request-Id: a\nX-Other:  b \n\n{"a":1}\n\nrest\n'), {
      headers: { 'x-request-id': 'a', 'x-other': 'b' },
      body: '{"a":1}\n\nrest\n',
    });
  });

  it('passes over comments, empty lines and a request line before the headers', () => {
    const text = '# Paste here: now\n\nPOST /hook HTTP/1.1\r\nHost: x\r\n\r\n# body';
    assert.deepEqual(readPastedRequest(text), { headers: { host: 'x' }, body: '# body' });
  });

  it('leaves the line endings of the body to whoever takes it, who may have less to wait for', () => {
    assert.equal(readPastedRequest('a: b\r\n\r\nc\r\nd')?.body, 'c\r\nd');
  });

  it('takes a body that follows without an empty line', () => {
    assert.deepEqual(readPastedRequest('a: b\n{"c": 1}'), { headers: { a: 'b' }, body: '{"c": 1}' });
  });

  it('may have no body', () => {
    assert.deepEqual(readPastedRequest('a: b'), { headers: { a: 'b' }, body: '' });
  });

  it('is none without a header', () => {
    for (const text of ['', '\n\n', '{"a": 1}', '# only: a comment']) {
      assert.equal(readPastedRequest(text), undefined, text);
    }
  });

  it('takes no longer than the text is long', () => {
    assertLinear(20_000, (size) => {
      const spaces = ' '.repeat(size);
      assert.equal(readPastedRequest(`a: b${spaces}c \n\n`)?.headers['a']?.length, size + 2);
    });
    const lines = (count: number) => Array.from({ length: count }, (_, n) => `x-${n}: y`).join('\n');
    assertLinear(2000, (size) => {
      assert.equal(readPastedRequest(`${lines(size)}\n\nbody`)?.body, 'body');
    });
  });

  it('has no more headers than a server would take', () => {
    const { headers, body } = readPastedRequest(`${'a: b\n'.repeat(100_000)}\nbody`) ?? {};
    assert.deepEqual(headers, { a: 'b' });
    assert.ok(body?.startsWith('a: b\n'));
    assert.equal(readPastedRequest(`a: ${'b'.repeat(300_000)}\n\nbody`), undefined);
    assert.equal(readPastedRequest('# comment\n'.repeat(1_000_000)), undefined);
  });
});
