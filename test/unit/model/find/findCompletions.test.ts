import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { findCompletions } from '../../../../src/model/find/findCompletions.ts';
import { parseFind } from '../../../../src/model/find/findQuery.ts';

const seen = { apps: ['echo', 'hello', 'my app'], headers: ['content-type', 'x-request-id'] };

describe('the completions of a query', () => {
  const offered = (query: string): string[] => findCompletions(query, seen).map(({ word }) => word);
  const keys = ['app:', 'run:', 'verdict:', 'status:', 'header:', 'since:', 'refused'];

  it('are the keys where no word is under way', () => {
    assert.deepEqual(offered(''), keys);
    assert.deepEqual(offered('app:hello '), keys);
  });

  it('are the keys and values that begin as the word does', () => {
    assert.deepEqual(offered('re'), ['refused']);
    assert.deepEqual(offered('HE'), ['header:', 'app:hello']);
    assert.deepEqual(offered('mis'), ['verdict:mismatch']);
    assert.deepEqual(offered('nothing'), []);
  });

  it('are the values of a key', () => {
    assert.deepEqual(offered('app:'), ['app:echo', 'app:hello', 'app:"my app"']);
    assert.deepEqual(offered('app:h'), ['app:hello']);
    assert.deepEqual(offered('app:"my'), ['app:"my app"']);
    assert.deepEqual(offered('verdict:m'), ['verdict:mismatch', 'verdict:malformed']);
    assert.deepEqual(offered('header:x'), ['header:x-request-id']);
    assert.deepEqual(offered('since:1'), ['since:15m', 'since:1h', 'since:1d']);
    assert.deepEqual(offered('status:'), ['status:2xx', 'status:4xx', 'status:5xx']);
    assert.deepEqual(offered('run:r'), []);
  });

  it('are none for a word that is there already, or in quotes', () => {
    assert.deepEqual(offered('verdict:mismatch'), []);
    assert.deepEqual(offered('refused'), []);
    assert.deepEqual(offered('"ver'), []);
  });

  it('take the place of the word, and of nothing else', () => {
    const [key] = findCompletions('status:500 ver', seen);
    assert.equal(key?.query, 'status:500 verdict:');
    const [value] = findCompletions('status:500 app:"my', seen);
    assert.equal(value?.query, 'status:500 app:"my app" ');
  });

  it('leave what stands before them as it is, and can be read', () => {
    const app = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), fc.array(app, { maxLength: 4 }), (query, apps) => {
        const before = parseFind(query);
        for (const { query: completed, word } of findCompletions(query, { apps, headers: [] })) {
          assert.ok(completed.trimEnd().endsWith(word));
          const { problem } = parseFind(completed);
          if (!word.endsWith(':') && before.problem === undefined)
            assert.equal(problem, undefined, completed);
        }
      }),
    );
  });
});
