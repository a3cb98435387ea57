import assert from 'node:assert/strict';
import { BackError } from '../../../../src/editor/prompts/backError.ts';
import type { Step } from '../../../../src/editor/prompts/prompts.ts';
import { multiStep, type RowQuestion } from '../../../../src/editor/prompts/multiStep.ts';

describe('questions in a row', () => {
  let asked: string[];
  let goBackFrom: string[];

  /** Notes how it was asked; goes back once where it is told to. */
  function question(name: string, step: string, applies?: () => boolean): RowQuestion {
    return {
      step,
      ...(applies && { applies }),
      ask: ({ number, of, canGoBack }: Step) => {
        asked.push(`${name} ${number}/${of}${canGoBack ? ' ‹' : ''}`);
        if (!goBackFrom.includes(name)) return Promise.resolve();
        goBackFrom = goBackFrom.filter((one) => one !== name);
        return Promise.reject(new BackError());
      },
    };
  }

  beforeEach(() => {
    asked = [];
    goBackFrom = [];
  });

  it('have the number of their step, which several can share', async () => {
    await multiStep([question('pick', 'account'), question('id', 'account'), question('token', 'token')]);
    assert.deepEqual(asked, ['pick 1/2', 'id 1/2 ‹', 'token 2/2 ‹']);
  });

  it('are left out where they do not apply, and so is their step', async () => {
    const never = () => false;
    await multiStep([
      question('a', 'a', never),
      question('b', 'b'),
      question('c', 'c', never),
      question('d', 'd'),
    ]);
    assert.deepEqual(asked, ['b 1/2', 'd 2/2 ‹']);
  });

  it('lead back to the one that was asked before', async () => {
    goBackFrom = ['c'];
    await multiStep([question('a', 'a'), question('b', 'b', () => false), question('c', 'c')]);
    assert.deepEqual(asked, ['a 1/2', 'c 2/2 ‹', 'a 1/2', 'c 2/2 ‹']);
  });

  it('apply by what was answered before them', async () => {
    let isNew = false;
    const pick: RowQuestion = {
      step: 'pick',
      ask: () => {
        isNew = !isNew;
        return Promise.resolve();
      },
    };
    goBackFrom = ['name'];
    await multiStep([pick, question('name', 'name', () => isNew), question('end', 'end')]);
    assert.deepEqual(asked, ['name 2/3 ‹', 'end 2/2 ‹']);
  });

  it('end with what else one of them throws', async () => {
    const broken: RowQuestion = { step: 'broken', ask: () => Promise.reject(new Error('declined')) };
    await assert.rejects(multiStep([question('a', 'a'), broken, question('never', 'z')]), /declined/);
    assert.deepEqual(asked, ['a 1/3']);
  });
});
