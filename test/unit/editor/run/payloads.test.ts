import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  payloadAddress,
  payloadText,
  readEnvironment,
  readPayload,
} from '../../../../src/editor/run/payloads/payload.ts';
import { compactJson } from '../../../../src/shared/json/jsonText.ts';
import { nameOfFile, pathBelow, sharedNameOf } from '../../../../src/editor/run/payloads/payloadName.ts';
import { parsed } from '../../../../src/shared/json/exactJson.ts';
import { payloadOfRun, RecentValues } from '../../../../src/editor/run/payloads/recentValues.ts';
import '../../../support/random/seed.ts';

const read = (text: string) => readPayload(text);

describe('readPayload', () => {
  it('sends a document without a block as it is written', () => {
    const text = '{ "id": 12345678901234567890,\n  "a": 1.0 }\n';
    assert.deepEqual(read(text), {
      path: 'run',
      method: 'POST',
      headers: {},
      webhook: undefined,
      body: text,
    });
  });

  it('takes the block out, and keeps the digits of every number', () => {
    const { body, path, method } = read(
      '{"$runhook": {"path": "x", "method": "put"}, "id": 12345678901234567890, "b": 1.50}',
    );
    assert.equal(body, '{"id":12345678901234567890,"b":1.50}');
    assert.equal(path, 'x');
    assert.equal(method, 'PUT');
  });

  it('takes the block out wherever it stands and however its name is written, and changes nothing else', () => {
    const rest = '{"2":"\\u00e9\\/","1":{"$runhook":-0},"2":[1E5,{}]}';
    for (const text of [
      `{"$runhook":{},${rest.slice(1)}`,
      `${rest.slice(0, -1)}, "$runhook" : {"path":"x"} }`,
      `{"\\u0024runhook":{"body":1},${rest.slice(1, -1)},"$runhook":{}}`,
    ]) {
      assert.equal(read(text).body, rest, text);
    }
  });

  it('sends the body of the block where there is one', () => {
    assert.equal(read('{"$runhook": {"body": [1, 2.0]}}').body, '[1,2.0]');
    assert.equal(read('{"$runhook": {"body": null}}').body, 'null');
  });

  it('hands over path and query of the block as they are, with the digits of every number', () => {
    const block =
      '{"path": "chat?a=1", "query": {"b": ["x y", 2], "c": true, "d": 12345678901234567890, "e": [1.0]}}';
    const { path, query } = read(`{"$runhook": ${block}}`);
    assert.equal(path, 'chat?a=1');
    assert.deepEqual(query, { b: ['x y', 2], c: true, d: '12345678901234567890', e: ['1.0'] });
  });

  it('sends no body with a GET whose payload is empty', () => {
    assert.equal(read('{"$runhook": {"method": "GET"}}').body, undefined);
    assert.equal(read('{"$runhook": {"method": "GET"}, "a": 1}').body, '{"a":1}');
  });

  it('drops a byte-order mark', () => assert.equal(read('\uFEFF{}').body, '{}'));

  it('takes out comments, and commas behind the last element', () => {
    assert.equal(read('// first\n{"a": [1, 2,], /* 1.0 */ "b": "//",}\n').body, '{"a":[1,2],"b":"//"}');
    assert.equal(read('{"$runhook": {"path": "x", /* POST */}, "a": 1,}').body, '{"a":1}');
  });

  it('says whom it is for, and what it asks', () => {
    const inputs = [{ id: 'q', type: 'promptString' }];
    const block = { app: 'hello', project: 'p-1', inputs };
    const { app, project, inputs: read1, body } = read(JSON.stringify({ $runhook: block, a: 1 }));
    assert.deepEqual({ app, project, inputs: read1 }, block);
    assert.equal(body, '{"a":1}');
  });

  it('refuses an input that runs a command', () => {
    const inputs = [{ id: 'q', type: 'command', command: 'workbench.action.quit' }];
    assert.throws(() => read(JSON.stringify({ $runhook: { inputs } })), /inputs\.0.*must be one of/);
  });

  for (const text of ['', '{"a": }', '// a comment\n', '[,]', '{"a":,}', '[1,,]', '{,}', '/* open {}']) {
    it(`refuses ${JSON.stringify(text)}`, () => assert.throws(() => read(text), /The payload is not JSON/));
  }
  for (const block of ['[]', '"run"', '{"path": 3}', '{"verb": "GET"}', '{"headers": {"a": 1}}']) {
    it(`refuses the block ${block}`, () =>
      assert.throws(() => read(`{"$runhook": ${block}}`), /"\$runhook" in the payload is not valid/));
  }
});

const plain = { projectId: 'p', appName: 'a', path: 'run', method: 'POST', headers: {}, webhook: false };

describe('the payload of a run, written anew', () => {
  it('is the same call when it is read', () => {
    const input = fc.record({
      path: fc.constantFrom('run', 'v1/chat?stream=1'),
      method: fc.constantFrom('POST', 'PUT'),
      headers: fc.constantFrom<Record<string, string>>({}, { 'x-a': '1' }),
      body: fc.oneof(
        fc.json(),
        fc.constantFrom('{"n": 1.0, "n": 12345678901234567890}', '{"$runhook": 1}', '[]'),
      ),
    });
    fc.assert(
      fc.property(input, (one) => {
        const { path, method, headers, body = '' } = readPayload(payloadText({ ...plain, ...one }));
        assert.deepEqual(
          { path, method, headers },
          { path: one.path, method: one.method, headers: one.headers },
        );
        assert.equal(compactJson(body), compactJson(one.body));
      }),
    );
  });

  it('is laid out', () => {
    assert.equal(payloadText({ ...plain, body: '{"a":1.0}' }), '{\n  "a": 1.0\n}');
    assert.equal(payloadText({ ...plain, method: 'GET' }), '{\n  "$runhook": {\n    "method": "GET"\n  }\n}');
  });
});

describe('whom a payload is for', () => {
  it('is what its block says, comments or not', () => {
    const text = '// x\n{"$runhook": {"app": "hello", "project": "p-1",}, "a": 1}';
    assert.deepEqual(payloadAddress(text), { app: 'hello', project: 'p-1' });
  });

  for (const text of [
    '',
    '{',
    '{"$runhook": 1}',
    '{"$runhook": {"app": 1}}',
    '["$runhook"]',
    '{"app": "x"}',
  ]) {
    it(`is not said by ${JSON.stringify(text)}`, () => assert.deepEqual(payloadAddress(text), {}));
  }

  it('is said by none that nests beyond all reading', () => {
    assert.deepEqual(payloadAddress(`{"$runhook": {"app": "x"}, "a": ${'['.repeat(100_000)}`), {});
  });
});

const parts = {
  environment: {
    REGION: 'eu',
    EMPTY: '',
    RUNHOOK_TOKEN: 'x',
    WEBHOOK_SECRET: 'y',
    MINE: 'Bearer the-token',
    toString: () => 'an object',
  },
  handedOut: ['WEBHOOK_SECRET'],
  held: ['the-token', 'eu'],
};

describe('a variable of the environment, for a payload', () => {
  it('is its value, which may be empty', () => {
    assert.equal(readEnvironment('REGION', parts), 'eu');
    assert.equal(readEnvironment('EMPTY', parts), '');
  });

  it('is named where it is not set', () => {
    for (const name of ['MISSING', 'toString', '__proto__', 'constructor']) {
      assert.throws(() => readEnvironment(name, parts), new RegExp(`\\$\\{env:${name}\\} is not set`));
    }
  });

  it('is no token and no secret of Runhook, under whatever name', () => {
    for (const name of ['RUNHOOK_TOKEN', 'runhook_anything', 'WEBHOOK_SECRET', 'webhook_secret', 'MINE']) {
      assert.throws(() => readEnvironment(name, parts), /cannot use the tokens and secrets of Runhook/, name);
    }
  });
});

describe('the names of payload files', () => {
  it('stay readable where every system can have them', () => {
    for (const name of ['greet', 'v1.2', 'größe 2', '挨拶', 'My-App_1'])
      assert.equal(sharedNameOf(name), name);
  });

  it('are no name that a system keeps for itself', () => {
    for (const name of ['con', 'NUL', 'com1.x', '..', '.', '.git', 'a/b', 'a\\b', 'x ', 'x.', ' x', 'a:b']) {
      assert.match(sharedNameOf(name), /%/, name);
    }
  });

  it('say again what they stand for, whatever characters are in them, and are one name on every system', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (name) => {
        const file = sharedNameOf(name);
        assert.equal(nameOfFile(file), name);
        assert.doesNotMatch(file, /[\\/:*?"<>|\p{Cc}]|^[. ]|[. ]$/u);
        assert.notEqual(file, '');
      }),
    );
  });

  it('of a person who writes them by hand stand for themselves', () => {
    for (const file of ['100%', '%zz', 'a%2']) assert.equal(nameOfFile(file), file);
  });
});

describe('the path of the payload folder', () => {
  it('leads below the folder of the workspace', () => {
    assert.deepEqual(pathBelow('.runhook/payloads'), ['.runhook', 'payloads']);
    assert.deepEqual(pathBelow('./a\\b/'), ['a', 'b']);
  });

  for (const path of [
    '',
    '.',
    './',
    '..',
    '../x',
    'a/../../x',
    'a\\..\\b',
    '/x',
    '\\x',
    'C:\\x',
    'c:x',
    '.. ',
    '...',
    'a\0b',
  ]) {
    it(`does not with ${JSON.stringify(path)}`, () => assert.equal(pathBelow(path), undefined));
  }
});

const input = { projectId: 'p', appName: 'a', path: 'run', method: 'POST', headers: {}, webhook: false };

describe('recent values of payloads', () => {
  const recent = new RecentValues([
    { model: 'small', user: { name: 'Ada' }, tags: ['x', 'y'] },
    { model: 'large', user: { name: 'Ada', age: 36 }, tags: 'none' },
    [1],
    undefined,
    parsed('{"big": 12345678901234567890, "__proto__": {"name": "of none"}}'),
  ]);

  it('are those of the same place, each once, the most recent first', () => {
    assert.deepEqual(recent.values(['model']), ['"small"', '"large"']);
    assert.deepEqual(recent.values(['user', 'name']), ['"Ada"']);
    assert.deepEqual(recent.values(['tags', 0]), ['"x"', '"y"']);
    assert.deepEqual(recent.values(['tags']), ['["x","y"]', '"none"']);
    assert.deepEqual(recent.values(['nowhere', 'at', 'all']), []);
  });

  it('keep the digits of numbers', () => {
    assert.deepEqual(recent.values(['big']), ['12345678901234567890']);
  });

  it('know the keys of an object, with the last value of each', () => {
    assert.deepEqual(Object.fromEntries(recent.entries(['user'])), { name: '"Ada"', age: '36' });
    assert.deepEqual([...recent.entries([]).keys()], ['model', 'user', 'tags', 'big', '__proto__']);
    assert.deepEqual([...recent.entries(['big']).keys()], []);
    assert.deepEqual([...recent.entries(['constructor']).keys()], []);
  });

  it('hold how a run was called, as the settings block says it', () => {
    const run = {
      ...input,
      path: 'v1/chat',
      query: { stream: 1, q: 'a b' },
      headers: { 'X-A': '1' },
      body: '{"text":"hi"}',
    };
    assert.deepEqual(payloadOfRun(run), {
      text: 'hi',
      $runhook: {
        path: 'v1/chat',
        method: 'POST',
        headers: { 'X-A': '1' },
        webhook: false,
        query: { stream: 1, q: 'a b' },
      },
    });
    assert.deepEqual(payloadOfRun({ ...input, method: 'GET' }), {
      $runhook: { path: 'run', method: 'GET', headers: {}, webhook: false },
    });
    assert.deepEqual(payloadOfRun({ ...input, body: '[1]' }), {
      $runhook: { path: 'run', method: 'POST', headers: {}, webhook: false, body: [1] },
    });
  });
});
