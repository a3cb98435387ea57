import assert from 'node:assert/strict';
import { parsed } from '../../../../../src/model/json/exactJson.ts';
import { payloadOfRun, RecentValues } from '../../../../../src/editor/run/payloads/recentValues.ts';

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
