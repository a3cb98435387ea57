import assert from 'node:assert/strict';
import { answerFingerprint, fingerprintsIn } from '../../../src/deliveries/answerFingerprint.ts';

const foundIn = (body: string): ReadonlySet<string> => fingerprintsIn(Buffer.from(body));

const held = (answer: string, delivery: unknown): boolean => {
  const fingerprint = answerFingerprint(answer);
  return fingerprint !== undefined && foundIn(JSON.stringify(delivery)).has(fingerprint);
};

describe('what an answer is known by in its delivery', () => {
  const answer = '{ "text": "good morning", "id": 12345678901234567890 }';
  const wrapped: [string, unknown][] = [
    ['as a value', { response: JSON.parse(answer.replace('12345678901234567890', '1')) as unknown }],
    ['with its keys in another order', { response: { id: 1, text: 'good morning' } }],
    ['as a text of it', { data: { response: '{"text":"good morning","id":1}' } }],
    ['as the whole of it', { text: 'good morning', id: 1 }],
  ];
  for (const [how, delivery] of wrapped) {
    it(`is found ${how}`, () => {
      assert.ok(held(answer.replace('12345678901234567890', '1'), delivery));
    });
  }

  it('is found with all its digits, and no other', () => {
    const fingerprint = answerFingerprint(answer) ?? '';
    assert.ok(foundIn(`{"response":${answer}}`).has(fingerprint));
    assert.equal(foundIn(`{"response":${answer.replace('890 ', '891 ')}}`).has(fingerprint), false);
  });

  it('is found where it is a text that is no JSON', () => {
    assert.ok(held('good morning, Ada', { response: 'good morning, Ada' }));
    assert.equal(held('good morning, Ada', { response: 'good morning, Eve' }), false);
  });

  it('is not found in another answer, deeper than wrappers go, or in what is no JSON', () => {
    assert.equal(held('{"text":"good morning"}', { response: { text: 'good evening' } }), false);
    assert.equal(
      held('{"text":"good morning"}', { a: { b: { c: { d: { text: 'good morning' } } } } }),
      false,
    );
    assert.equal(foundIn('good morning, Ada').size, 0);
    assert.equal(fingerprintsIn(Buffer.from([0xff, ...Buffer.from('"good morning, Ada"')])).size, 0);
  });

  it('is none where it is too little', () => {
    for (const little of ['', '{}', 'true', '"ok"', 'ok', '{"ok":true}']) {
      assert.equal(answerFingerprint(little), undefined, little);
    }
  });
});
