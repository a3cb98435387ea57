import assert from 'node:assert/strict';
import fs, { mkdtempSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Journal } from '../../../src/webhooks/journal.ts';
import type { Place } from '../../../src/webhooks/segment.ts';
import { waitFor } from '../../support/waitFor.ts';

const original = { fdatasync: fs.fdatasync, fdatasyncSync: fs.fdatasyncSync };

interface Syncs {
  fdatasync: (fd: number, done: fs.NoParamCallback) => void;
  fdatasyncSync: (fd: number) => void;
}

/** Has the journal sync with these instead. */
function syncBy(changed: Partial<Syncs>): void {
  Object.assign(fs, original, changed);
  syncBuiltinESMExports();
}

describe('the journal, where many records come at once', () => {
  let folder: string;
  let journal: Journal;
  let problems: (string | undefined)[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'runhook-commit-'));
    problems = [];
    journal = newJournal();
  });
  afterEach(() => {
    syncBy({});
    journal.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function newJournal(): Journal {
    const onProblem = (problem: Error | undefined): void => void problems.push(problem?.message);
    return new Journal({ folder, maxBytes: 64 << 20, onProblem, onRemoved: () => undefined });
  }

  /** What became of each record, filled in while it becomes of it. */
  function append(...records: string[]): string[] {
    const ends: string[] = [];
    for (const record of records) {
      const kept = ({ segment }: Place): void => {
        segment.live += 1;
        ends.push(`${record} kept`);
      };
      journal.append([Buffer.from(record)], kept, () => ends.push(`${record} lost`));
    }
    return ends;
  }

  function records(): string[] {
    const read: string[] = [];
    const reader = newJournal();
    reader.load((payload, { segment }) => {
      segment.live += 1;
      read.push(payload.toString());
    });
    reader.close();
    return read;
  }

  it('tells of none before the sync has returned, and writes what comes meanwhile after it', async () => {
    let syncs = 0;
    const finishFirst = await new Promise<() => void>((underWay) => {
      syncBy({
        fdatasync: (fd, done) => {
          syncs += 1;
          if (syncs > 1) original.fdatasync(fd, done);
          else underWay(() => original.fdatasync(fd, done));
        },
      });
      append('a', 'b', 'c');
    });
    const later = append('d', 'e');
    await new Promise(setImmediate);
    assert.deepEqual(later, []);
    assert.equal(syncs, 1);
    finishFirst();
    const last = append('f');
    await waitFor('the last one', () => last.length > 0);
    assert.deepEqual([...later, ...last], ['d kept', 'e kept', 'f kept']);
    assert.deepEqual(records(), ['a', 'b', 'c', 'd', 'e', 'f']);
  });

  for (const end of ['close', 'clear'] as const) {
    it(`has kept what was written when it is to ${end} during a sync`, async () => {
      const ends = await new Promise<string[]>((underWay) => {
        syncBy({
          fdatasync: (fd, done) => {
            underWay(ends);
            setImmediate(() => original.fdatasync(fd, done));
          },
        });
        const ends = append('a', 'b', 'c');
      });
      const later = append('d', 'e');
      journal[end]();
      assert.deepEqual([...ends, ...later], ['a kept', 'b kept', 'c kept', 'd kept', 'e kept']);
      assert.deepEqual(records(), end === 'close' ? ['a', 'b', 'c', 'd', 'e'] : []);
      // The file is closed after the sync has come back to it, not under its feet.
      await new Promise((resolve) => setTimeout(resolve, 20));
      journal = newJournal();
    });
  }

  it('keeps what came after a flush, though the sync before the flush returns late', async () => {
    const finishFirst = await new Promise<() => void>((underWay) => {
      syncBy({ fdatasync: (fd, done) => underWay(() => original.fdatasync(fd, done)) });
      append('a', 'b', 'c');
    });
    journal.flush();
    syncBy({});
    const later = append('d', 'e');
    await waitFor('those after the flush', () => later.length === 2);
    finishFirst();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const last = append('f', 'g');
    await waitFor('the last ones', () => last.length === 2);
    assert.deepEqual(records(), ['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });

  it('loses all of a batch whose sync fails, one or many, says why, and goes on in a new file', async () => {
    const failure = Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
    for (const batch of [['a'], ['b', 'c', 'd']]) {
      syncBy({
        fdatasync: (_, done) => void setImmediate(() => done(failure)),
        fdatasyncSync: () => {
          throw failure;
        },
      });
      const ends = await new Promise<string[]>((resolve) => {
        const ends = append(...batch);
        journal.append([Buffer.from('last')], doNothing, () => resolve(ends));
      });
      assert.deepEqual(
        ends,
        batch.map((record) => `${record} lost`),
      );
      assert.equal(problems.at(-1), failure.message);
      syncBy({});
      const good = append('good');
      await waitFor('the next one', () => good.length > 0);
      assert.deepEqual(good, ['good kept']);
      assert.equal(problems.at(-1), undefined);
    }
    assert.equal(records().filter((record) => record === 'good').length, 2);
  });
});

function doNothing(): void {
  return;
}
