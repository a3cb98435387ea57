import assert from 'node:assert/strict';
import { sentence, sentences } from '../../../../src/shared/text/sentences.ts';

describe('sentences', () => {
  it('have a space between them, but after those in Japanese', () => {
    assert.equal(sentences('It failed.', undefined, '', 'Try again.'), 'It failed. Try again.');
    assert.equal(
      sentences('失敗しました。', 'もう一度お試しください。'),
      '失敗しました。もう一度お試しください。',
    );
    assert.equal(
      sentences('429: slow down.', '10 秒後にお試しください。'),
      '429: slow down. 10 秒後にお試しください。',
    );
  });

  it('end with one mark', () => {
    assert.deepEqual(['It failed', 'Why?', '失敗しました。'].map(sentence), [
      'It failed.',
      'Why?',
      '失敗しました。',
    ]);
  });
});
