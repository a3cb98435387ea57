import assert from 'node:assert/strict';
import { inEnglish, translateBy } from '../../../../src/model/text/translate.ts';

describe('messages', () => {
  it('take their arguments in order, and keep a place that has none', () => {
    assert.equal(inEnglish('{1} of {0}, {2}', 'a', 2), '2 of a, {2}');
  });

  it('come from a bundle where it has them, else in English', () => {
    const t = translateBy({ 'Enter {0} or more.': 'Mindestens {0} eingeben.' });
    assert.equal(t('Enter {0} or more.', 1), 'Mindestens 1 eingeben.');
    assert.equal(t('Reset'), 'Reset');
  });
});
