import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeptAnswers } from '../../../../src/client/answers/keptAnswers.ts';
import type { KeptAnswer } from '../../../../src/model/runs/keptAnswer.ts';
import { TestClock } from '../../../support/testClock.ts';
import { waitFor } from '../../../support/waitFor.ts';

describe('what is kept of the last answers', () => {
  let storage: string;
  let clock: TestClock;
  let errors: unknown[];
  let answers: KeptAnswers;
  const open = () => new KeptAnswers(storage, clock, (error) => errors.push(error));
  const folder = () => join(storage, 'shownAnswers');
  const answer = (text: string): KeptAnswer => ({
    ...{ url: 'http://127.0.0.1:1/run', results: [], isSandbox: false },
    body: { text, bytes: text.length },
  });
  const textOf = async (id: string, of = open()) => (await of.find(id))?.body?.text;

  beforeEach(() => {
    storage = mkdtempSync(join(tmpdir(), 'runhook-kept-'));
    clock = new TestClock();
    errors = [];
    answers = open();
  });
  afterEach(() => rmSync(storage, { recursive: true, force: true }));

  it("is there as it stood last, for the next window too, and is nobody else's to read", async () => {
    const id = randomUUID();
    for (const text of ['a', 'ab', 'abc']) answers.keep(id, answer(text));
    assert.equal(await textOf(id, answers), 'abc');
    await answers.written();
    assert.equal(await textOf(id), 'abc');
    assert.equal(clock.nextIn, undefined);
    const [name] = readdirSync(folder());
    if (process.platform !== 'win32') assert.equal(statSync(join(folder(), name!)).mode & 0o777, 0o600);
  });

  it('is written once a second, however often it changes', async () => {
    const id = randomUUID();
    for (let count = 0; count < 1000; count += 1) answers.keep(id, answer(String(count)));
    assert.equal(existsSync(folder()), false);
    clock.advance(1000);
    assert.equal(await waitFor('it on the disk', () => textOf(id)), '999');
  });

  it('is that of the last twenty, and nothing that was left half written', async () => {
    const ids = Array.from({ length: 25 }, () => randomUUID());
    for (const [at, id] of ids.entries()) {
      answers.keep(id, answer(id));
      await answers.written();
      utimesSync(join(folder(), `${id}.json`), at, at);
    }
    writeFileSync(join(folder(), `${ids[0]}.json.new`), '{');
    utimesSync(join(folder(), `${ids[0]}.json.new`), 0, 0);
    const last = randomUUID();
    answers.keep(last, answer(last));
    await answers.written();
    assert.equal(readdirSync(folder()).length, 20);
    const found = await Promise.all([...ids, last].map((id) => textOf(id)));
    assert.deepEqual(found, [...ids.map((id, at) => (at < 6 ? undefined : id)), last]);
  });

  it('is nothing where it is no JSON, was erased, or no id of a run is asked for', async () => {
    const id = randomUUID();
    answers.keep(id, answer('a'));
    await answers.written();
    assert.equal(await answers.find(`../shownAnswers/${id}`), undefined);
    writeFileSync(join(folder(), `${id}.json`), '{"url": ');
    assert.equal(await answers.find(id), undefined);
    answers.keep(id, answer('b'));
    await answers.erase();
    assert.equal(await answers.find(id), undefined);
    assert.equal(existsSync(folder()), false);
  });

  it('goes without where it cannot be written, and says why', async () => {
    writeFileSync(folder(), 'in the way');
    answers.keep(randomUUID(), answer('a'));
    await answers.written();
    assert.equal((errors[0] as NodeJS.ErrnoException).code, 'EEXIST');
  });
});
