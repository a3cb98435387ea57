import assert from 'node:assert/strict';
import { answerEvidence, evidenceIn } from '../../../../src/model/runs/answerJoin.ts';

const held = (answer: string, delivery: unknown): boolean => {
  const evidence = answerEvidence(answer);
  return evidence !== undefined && evidenceIn(JSON.stringify(delivery)).has(evidence);
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
    const evidence = answerEvidence(answer) ?? '';
    assert.ok(evidenceIn(`{"response":${answer}}`).has(evidence));
    assert.equal(evidenceIn(`{"response":${answer.replace('890 ', '891 ')}}`).has(evidence), false);
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
    assert.equal(evidenceIn('good morning, Ada').size, 0);
  });

  it('is none where it is too little', () => {
    for (const little of ['', '{}', 'true', '"ok"', 'ok', '{"ok":true}']) {
      assert.equal(answerEvidence(little), undefined, little);
    }
  });
});
