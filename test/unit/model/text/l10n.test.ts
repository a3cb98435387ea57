import assert from 'node:assert/strict';
import { setTranslate, t, useBundle } from '../../../../src/model/text/l10n.ts';
import { withMessages } from '../../../support/sources/withMessages.ts';

describe('messages', () => {
  it('take their arguments in order, and keep a place that has none', () => {
    assert.equal(t('{1} of {0}, {2}', 'a', 2), '2 of a, {2}');
  });

  it('come from a bundle where it has them, else in English', () => {
    withMessages({ 'Enter {0} or more.': 'Mindestens {0} eingeben.' }, () => {
      assert.equal(t('Enter {0} or more.', 1), 'Mindestens 1 eingeben.');
      assert.equal(t('Reset'), 'Reset');
    });
    assert.equal(t('Enter {0} or more.', 1), 'Enter 1 or more.');
  });

  it('come from the editor where it translates', () => {
    setTranslate((message, ...args) => [message, ...args].join('|'));
    assert.equal(t('Enter {0} or more.', 1), 'Enter {0} or more.|1');
    useBundle({});
  });
});
