import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BodySink } from '../../../src/client/bodySink.ts';

describe("an answer's body", () => {
  let folder: string;
  let files: number;
  const choosePath = () => Promise.resolve(join(folder, `answer-${(files += 1)}`));

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'runhook-sink-'));
    files = 0;
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function sink(contentType: string, pieces: readonly Uint8Array[]) {
    const body = new BodySink(contentType, choosePath);
    for (const piece of pieces) await body.push(piece);
    return body.end();
  }

  it('is text where it is short, be a character cut in two', async () => {
    const bytes = Buffer.from('a€b');
    const body = await sink('', [bytes.subarray(0, 2), bytes.subarray(2)]);
    assert.deepEqual(body, { kind: 'text', text: 'a€b', bytes: 5 });
    assert.equal(files, 0);
  });

  it('lies in a file of its own, for nobody else to read, where it is binary', async () => {
    const pieces = [Buffer.from([0, 1]), Buffer.from([2])];
    const body = await sink('', pieces);
    assert.deepEqual(body, { kind: 'binary', bytes: 3, file: join(folder, 'answer-1') });
    assert.deepEqual(await readFile(join(folder, 'answer-1')), Buffer.concat(pieces));
    if (process.platform !== 'win32') {
      assert.equal((await stat(join(folder, 'answer-1'))).mode & 0o077, 0);
    }
  });

  it('is shown by its beginning and kept whole where it is long', async () => {
    const pieces = Array.from({ length: 5 }, (_, n) => Buffer.alloc(600_000, 97 + n));
    const body = await sink('text/plain', pieces);
    assert.ok(body.kind === 'long');
    assert.equal(body.text.length, 1_800_000);
    assert.equal(body.bytes, 3_000_000);
    assert.deepEqual(await readFile(body.file), Buffer.concat(pieces));
  });

  it('is given up where the disk is full, and not waited for', async () => {
    const full = () => Promise.reject(new Error('ENOSPC'));
    let written = 0;
    let closed = false;
    const body = new BodySink('application/octet-stream', choosePath, () =>
      Promise.resolve({
        appendFile: () => (++written === 1 ? Promise.resolve() : full()),
        close: () => Promise.resolve(void (closed = true)),
      }),
    );
    await body.push(Buffer.from([0]));
    await assert.rejects(body.push(Buffer.from([1])), /ENOSPC/);
    await assert.rejects(body.push(Buffer.from([2])), /ENOSPC/);
    assert.equal((await body.end()).kind, 'binary');
    assert.ok(closed);
  });
});
