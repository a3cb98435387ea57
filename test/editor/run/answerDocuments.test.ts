import assert from 'node:assert/strict';
import { addresses } from '../../../src/editor/kit/documents.ts';
import { AnswerDocuments, answerPattern } from '../../../src/editor/run/answers/answerDocument.ts';
import type { AskedAnswer } from '../../../src/editor/run/answers/answerDocument.ts';

describe('the documents of responses', () => {
  /** What was asked for, in order: a test answers in another. */
  let asked: ((text: string) => void)[];
  let documents: AnswerDocuments;
  const places = addresses<AskedAnswer>('runhook-raced-answer', answerPattern);
  const uri = places.uri({ id: 'r', part: 'body', title: 'Response' });

  beforeEach(() => {
    asked = [];
    documents = new AnswerDocuments(
      () => new Promise((resolve) => asked.push((text) => resolve({ text, lenses: [] }))),
      places,
    );
  });
  afterEach(() => documents.dispose());

  const text = async (): Promise<string> => Buffer.from((await documents.read(uri)).bytes).toString();

  it('show what is kept last, though what was kept before is read later', async () => {
    const read = text();
    asked[0]?.('first');
    assert.equal((await read).trim(), 'first');
    const renewed = [documents.renew('r'), documents.renew('r')];
    asked[2]?.('last');
    asked[1]?.('before');
    await Promise.all(renewed);
    assert.equal((await text()).trim(), 'last');
  });

  it('show what is kept last, though it has changed while they were read', async () => {
    const read = text();
    const renewed = documents.renew('r');
    asked[1]?.('last');
    await renewed;
    asked[0]?.('before');
    assert.equal((await read).trim(), 'last');
    assert.equal((await text()).trim(), 'last');
  });
});
