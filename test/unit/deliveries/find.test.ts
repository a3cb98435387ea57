import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { findCompletions } from '../../../src/deliveries/find/findCompletions.ts';
import { findKeys, parseFind, printFind } from '../../../src/deliveries/find/findQuery.ts';
import { verdicts } from '../../../src/contract/values.ts';
import type { DeliveryFilter } from '../../../src/deliveries/deliveryFilter.ts';

const seen = { apps: ['echo', 'hello', 'my app'], headers: ['content-type', 'x-request-id'] };

describe('the completions of a query', () => {
  const offered = (query: string): string[] => findCompletions(query, seen).map(({ word }) => word);
  const keys = ['app:', 'run:', 'verdict:', 'made:', 'status:', 'header:', 'since:', 'failed', 'refused'];

  it('are the keys where no word is under way', () => {
    assert.deepEqual(offered(''), keys);
    assert.deepEqual(offered('app:hello '), keys);
  });

  it('are the keys and values that begin as the word does', () => {
    assert.deepEqual(offered('re'), ['refused']);
    assert.deepEqual(offered('HE'), ['header:', 'app:hello']);
    assert.deepEqual(offered('hello'), ['app:hello']);
    assert.deepEqual(offered('verified'), ['verdict:verified']);
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

  it('say what a verdict means, and not its word again', () => {
    const meanings = findCompletions('verdict:', seen).map(({ meaning }) => meaning);
    assert.equal(new Set([...meanings, ...verdicts]).size, 2 * verdicts.length);
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

describe('a query for deliveries', () => {
  const queries: [string, DeliveryFilter][] = [
    ['', {}],
    ['   ', {}],
    ['needle', { text: 'needle' }],
    ['two words', { text: ['two', 'words'] }],
    ['"two words"', { text: 'two words' }],
    ['app:hello verdict:mismatch', { app: 'hello', verdict: 'mismatch' }],
    ['APP:Hello Verdict:STALE', { app: 'Hello', verdict: 'stale' }],
    ['app:"my app"', { app: 'my app' }],
    ['made:here Made:HERE', { made: 'here' }],
    ['app:a app:b', { app: ['a', 'b'] }],
    ['status:500 status:4xx', { status: ['500', '4xx'] }],
    ['run:run-8f', { run: 'run-8f' }],
    ['since:90s', { since: '90s' }],
    ['since:1h since:1D', { since: '1d' }],
    ['failed', { failed: true }],
    ['refused', { refused: true }],
    ['"refused"', { text: 'refused' }],
    ['header:X-Trace', { header: { name: 'x-trace' } }],
    ['header:x-trace=a:b', { header: { name: 'x-trace', value: 'a:b' } }],
    ['header:x-trace:a=b', { header: { name: 'x-trace', value: 'a=b' } }],
    ['header:x-trace="a b"', { header: { name: 'x-trace', value: 'a b' } }],
    ['header:"x-trace=a b"', { header: { name: 'x-trace', value: 'a b' } }],
    ['header:x-trace=', { header: { name: 'x-trace' } }],
    // What has a colon and no key of ours is text: bodies and addresses are full of them.
    ['http://localhost:3000', { text: 'http://localhost:3000' }],
    ['foo:bar', { text: 'foo:bar' }],
    ['"app:hello"', { text: 'app:hello' }],
    ['"run_id":"r-1"', { text: 'run_id":"r-1' }],
    ['{"a":1}', { text: '{"a":1}' }],
    ['"not closed', { text: 'not closed' }],
    ['"say \\"no\\" \\\\ \\n"', { text: 'say "no" \\ \\n' }],
    ['""', {}],
  ];
  for (const [query, filter] of queries) {
    it(`is read: ${query}`, () => assert.deepEqual(parseFind(query), { filter }));
  }

  it('says what is wrong with a word, which narrows nothing', () => {
    const wrong: [string, RegExp][] = [
      ['app:', /app:/],
      ['app:""', /app:/],
      ['verdict:mis', /mismatch/],
      ['made:there', /made:here/],
      ['status:50', /such as 500 or 5xx\./],
      ['status:700', /500/],
      ['since:1y', /such as 15m or 1h\./],
      ['since:0h', /15m/],
      ['header:a/b', /x-request-id/],
      ['header:"a b"=c', /x-request-id/],
    ];
    for (const [query, words] of wrong) {
      const { filter, problem = '' } = parseFind(`needle ${query}`);
      assert.deepEqual(filter, { text: 'needle' }, query);
      assert.match(problem, words, query);
    }
  });

  it('has 20 words at most, and says so', () => {
    const { filter, problem = '' } = parseFind('a '.repeat(100_000));
    assert.equal(filter.text?.length, 20);
    assert.match(problem, /20 words/);
  });

  /** What people type, and what they do not. */
  const typed = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc
      .array(
        fc.oneof(
          fc.constantFrom(
            ...findKeys.map((key) => `${key}:`),
            ...verdicts,
            'failed',
            'refused',
            '5xx',
            '1h',
            'x-a=',
          ),
          fc.constantFrom('"', '\\', '=', ':', ' ', '\u00a0', '\n', '\u2028', '%', '$(bug)'),
          fc.string({ unit: 'grapheme', maxLength: 5 }),
        ),
        { maxLength: 20 },
      )
      .map((parts) => parts.join('')),
  );

  it('is read whatever it is, and reads the same once it is printed', () => {
    fc.assert(
      fc.property(typed, (query) => {
        const { filter } = parseFind(query);
        assert.deepEqual(parseFind(printFind(filter)), { filter });
      }),
      { numRuns: 3000 },
    );
  });

  it('prints what a caller has given so that it is read as that', () => {
    const value = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
    const filters = fc.record(
      { app: value, run: value, text: fc.array(value, { minLength: 2, maxLength: 4 }) },
      { requiredKeys: [], noNullPrototype: true },
    );
    fc.assert(
      fc.property(filters, (filter) => {
        assert.deepEqual(parseFind(printFind(filter)), { filter });
      }),
    );
  });
});
