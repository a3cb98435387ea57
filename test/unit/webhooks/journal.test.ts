import assert from 'node:assert/strict';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Journal } from '../../../src/webhooks/journal.ts';
import type { Place } from '../../../src/webhooks/segment.ts';
import { waitFor } from '../../support/waitFor.ts';

const maxBytes = 64 << 20;

describe('the journal', () => {
  let folder: string;
  const open: Journal[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'runhook-journal-'));
  });
  afterEach(() => {
    for (const journal of open.splice(0)) journal.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function journal(options: Partial<ConstructorParameters<typeof Journal>[0]> = {}): Journal {
    const made = new Journal({
      folder,
      maxBytes,
      onProblem: () => undefined,
      onRemoved: () => undefined,
      ...options,
    });
    open.push(made);
    return made;
  }

  /** Appends one record, and counts it as live unless told otherwise. */
  function append(to: Journal, ...parts: (string | Uint8Array)[]): Promise<Place> {
    return new Promise((resolve, reject) => {
      const kept = (place: Place): void => {
        place.segment.live += 1;
        resolve(place);
      };
      to.append(
        parts.map((part) => Buffer.from(part)),
        kept,
        reject,
      );
    });
  }

  /** What a new session reads, each record as text. */
  function records(): string[] {
    const read: string[] = [];
    journal().load((payload, { segment }) => {
      segment.live += 1;
      read.push(payload.toString('latin1'));
    });
    return read;
  }

  function onlyFile(): string {
    const [name, ...others] = readdirSync(folder);
    assert.ok(name !== undefined && others.length === 0);
    return join(folder, name);
  }

  /** A link to the second file: another thread makes it, and it is not ready before this one has had a turn. */
  function beingMade(): string {
    let name: string | undefined;
    while (name === undefined) name = readdirSync(folder).find((one) => /^0+2-/.test(one));
    const link = join(folder, 'link');
    linkSync(join(folder, name), link);
    return link;
  }

  /** `one` appends a record that fills most of a segment; `texts` are those that it has appended. */
  function almostWhole(to: Journal): { texts: string[]; one: () => Promise<Place> } {
    const texts: string[] = [];
    const one = (): Promise<Place> => {
      const text = `${texts.length}:${'x'.repeat(900_000)}`;
      texts.push(text);
      return append(to, text);
    };
    return { texts, one };
  }

  it('gives back what it kept, in order, in the same session and the next', async () => {
    const first = journal();
    const places = await Promise.all([append(first, 'a', 'bc'), append(first, ''), append(first, 'd')]);
    assert.deepEqual(
      places.map((place) => place.segment.read(place)?.toString()),
      ['abc', '', 'd'],
    );
    assert.deepEqual(records(), ['abc', '', 'd']);
  });

  it('drops a record that was cut off at any byte, and keeps those before it', async () => {
    const first = journal();
    await append(first, 'whole');
    const place = await append(first, 'torn off');
    first.close();
    const file = onlyFile();
    const bytes = readFileSync(file);
    for (let end = place.offset - 16; end < place.offset + place.length; end += 1) {
      writeFileSync(file, bytes.subarray(0, end));
      assert.deepEqual(records(), ['whole'], `cut at ${end}`);
    }
    writeFileSync(file, bytes);
    assert.deepEqual(records(), ['whole', 'torn off']);
  });

  it('passes over a damaged record, whichever byte of it is damaged, and reads on after it', async () => {
    const first = journal();
    await append(first, 'before');
    const place = await append(first, 'damaged');
    await append(first, 'after');
    first.close();
    const file = onlyFile();
    const bytes = readFileSync(file);
    for (let at = place.offset - 16; at < place.offset + place.length; at += 1) {
      const damaged = Buffer.from(bytes);
      damaged.writeUInt8(damaged.readUInt8(at) ^ 0x40, at);
      writeFileSync(file, damaged);
      assert.deepEqual(records(), ['before', 'after'], `damaged at ${at}`);
    }
  });

  it('takes nothing within a record for a record', async () => {
    const other = join(folder, 'other');
    mkdirSync(other);
    const forger = journal({ folder: other });
    await append(forger, 'forged');
    forger.close();
    const [name = ''] = readdirSync(other);
    const forged = readFileSync(join(other, name));
    rmSync(other, { recursive: true });
    const first = journal();
    const place = await append(first, forged);
    first.close();
    truncateSync(onlyFile(), place.offset + place.length - 1);
    assert.deepEqual(records(), []);
  });

  it('keeps what two sessions write at the same time', async () => {
    const [one, two] = [journal(), journal()];
    one.load(() => undefined);
    two.load(() => undefined);
    await Promise.all([append(one, 'of one'), append(two, 'of two')]);
    await append(one, 'of one again');
    assert.deepEqual(records().sort(), ['of one', 'of one again', 'of two']);
  });

  it('goes on in a further segment when one is full, and takes a record larger than any', async () => {
    const first = journal();
    const large = Buffer.alloc(20 << 20, 'x');
    await append(first, Buffer.alloc(700_000, 'a'));
    await append(first, Buffer.alloc(700_000, 'b'));
    await append(first, large);
    assert.deepEqual(
      records().map((record) => record.length),
      [700_000, 700_000, large.length],
    );
  });

  it('uses the next segment also where another was begun before it was ready', async () => {
    const first = journal({ largestSegmentBytes: 1 << 20 });
    const { texts, one } = almostWhole(first);
    await one();
    const next = beingMade();
    const second = one();
    first.flush();
    await second;
    await waitFor('its use', async () => {
      await one();
      return readFileSync(next).includes('xxx');
    });
    assert.deepEqual(records(), texts);
  });

  it('uses the next segment also where its folder is read before it was ready', async () => {
    const first = journal({ largestSegmentBytes: 1 << 20 });
    const { texts, one } = almostWhole(first);
    await one();
    const next = beingMade();
    first.load(() => assert.fail('no other session wrote anything'));
    const isUsed = async (): Promise<boolean> => {
      await one();
      return readFileSync(next).includes('xxx');
    };
    await waitFor('its use', isUsed, 5000);
    await one();
    assert.deepEqual(records(), texts);
  });

  it('removes the oldest segments when they are more bytes than may be kept', async () => {
    const removed: string[] = [];
    const first = journal({ maxBytes: 4 << 20, onRemoved: ({ path }) => removed.push(path) });
    for (let count = 0; count < 12; count += 1) await append(first, Buffer.alloc(900_000, 'x'));
    assert.ok(removed.length > 0);
    const left = readdirSync(folder);
    assert.ok(removed.every((path) => !left.some((name) => path.endsWith(name))));
    const bytes = left.reduce((sum, name) => sum + readFileSync(join(folder, name)).length, 0);
    // The one that is written, the one that comes next and the one that is used again come on top.
    assert.ok(bytes <= (4 << 20) + 3 * (16 << 20), `${bytes} bytes are left`);
  });

  it('rejects what it cannot keep, says why, and recovers', async () => {
    const problems: (string | undefined)[] = [];
    const place = join(folder, 'journal');
    // A file where the folder should be: nobody, not even root, can write there.
    writeFileSync(place, '');
    const first = journal({ folder: place, onProblem: (problem) => problems.push(problem?.message) });
    await assert.rejects(append(first, 'lost'));
    assert.match(problems[0] ?? '', /EEXIST|ENOTDIR/);
    rmSync(place);
    await append(first, 'kept');
    assert.equal(problems.at(-1), undefined);
    assert.equal(problems.length, 2);
  });

  it('says why it cannot read its folder, and recovers', async () => {
    const problems: (string | undefined)[] = [];
    const place = join(folder, 'journal');
    writeFileSync(place, '');
    const first = journal({ folder: place, onProblem: (problem) => problems.push(problem?.message) });
    first.load(() => undefined);
    assert.match(problems[0] ?? '', /EEXIST|ENOTDIR/);
    rmSync(place);
    await append(first, 'kept');
    assert.equal(problems.at(-1), undefined);
  });

  it('reads the other files where one is gone by the time that it is opened', async () => {
    await append(journal(), 'kept');
    symlinkSync(join(folder, 'gone'), join(folder, '000000000000-0123456789abcdef-1.journal'));
    assert.deepEqual(records(), ['kept']);
  });

  it('reads the other files where one cannot be read, and says so', async () => {
    await append(journal(), 'kept');
    mkdirSync(join(folder, '000000000000-0123456789abcdef-1.journal'));
    const problems: (string | undefined)[] = [];
    const read: string[] = [];
    const next = journal({ onProblem: (problem) => problems.push(problem?.message) });
    next.load((payload) => read.push(payload.toString()));
    assert.deepEqual(read, ['kept']);
    assert.match(problems.join(), /^EISDIR/);
  });

  it('never shows again what a file held before it was used again', async () => {
    const first = journal({ largestSegmentBytes: 1 << 20 });
    let kept: Place[] = [];
    // Only the last two are live, so that older files become free.
    for (let count = 0; count < 30; count += 1) {
      kept.push(await append(first, `${count}:${'x'.repeat(400_000)}`));
      for (const { segment } of kept.splice(0, kept.length - 2)) segment.live -= 1;
    }
    kept = [];
    // The file that is to be used next is renamed by another thread.
    const numbers = await waitFor('the newest alone', () => {
      const read = records().map((record) => Number(record.split(':')[0]));
      const newest = read.map((_, index) => 30 - read.length + index);
      return isDeepStrictEqual(read, newest) ? read : undefined;
    });
    assert.ok(numbers.length > 1 && numbers.length < 15, `${numbers.length} are read`);
  });

  it('forgets everything when it is cleared, and goes on', async () => {
    const first = journal();
    await append(first, 'old');
    first.clear();
    assert.deepEqual(readdirSync(folder), []);
    await append(first, 'new');
    assert.deepEqual(records(), ['new']);
  });
});
