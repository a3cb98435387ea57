import assert from 'node:assert/strict';
import fc from 'fast-check';
import '../../../../support/random/seed.ts';
import { nameOfFile, pathBelow, sharedNameOf } from '../../../../../src/editor/run/payloads/payloadName.ts';

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
