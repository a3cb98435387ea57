import assert from 'node:assert/strict';
import { readPastedRequest } from '../../../src/webhooks/pastedRequest.ts';

describe('a pasted request', () => {
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
});
