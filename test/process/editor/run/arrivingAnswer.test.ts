import assert from 'node:assert/strict';
import fc from 'fast-check';
import { GatheredBody } from '../../../../src/editor/run/answers/arrivingAnswer.ts';
import { type ShownAnswer, shownAnswer } from '../../../../src/editor/run/answers/answerText.ts';

const mebibyte = 1024 * 1024;

/** A file in memory. */
class MemoryFile {
  readonly pieces: Uint8Array[] = [];

  append(bytes: Uint8Array): Promise<void> {
    this.pieces.push(bytes);
    return Promise.resolve();
  }

  get bytes(): Buffer {
    return Buffer.concat(this.pieces);
  }
}

const nowhere = { append: () => Promise.resolve() };

async function gather(pieces: readonly Uint8Array[], headers: Record<string, string> = {}) {
  const file = new MemoryFile();
  const body = new GatheredBody({ headers, file });
  for (const piece of pieces) await body.push(piece);
  body.end();
  return { body, file };
}

function shown({ beginning, bytes }: GatheredBody): ShownAnswer {
  const record = { url: '', results: [], isSandbox: false };
  return shownAnswer({ ...record, body: { beginning, bytes, kept: bytes, file: 'f' } });
}

/** The bytes, cut at these places. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((start, index) => bytes.subarray(start, at[index] ?? bytes.length));
}

describe("an answer's body that is gathered while it comes", () => {
  const words = [
    'data: ',
    '{"run_id": "r-1"}',
    '{\n',
    '"runId"',
    ': 17',
    '}',
    '\n',
    '€',
    '\r\n',
    '😀',
    '\0',
    '[]',
  ];
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.array(fc.constantFrom(...words), { maxLength: 40 }).map((some) => Buffer.from(some.join(''))),
    fc.json().map((text) => Buffer.from(text)),
  );

  it('is the same text, file and run id, however it is cut into pieces', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, fc.array(fc.nat(), { maxLength: 20 }), async (bytes, places) => {
        const whole = await gather([bytes]);
        const inPieces = await gather(cut(bytes, places));
        assert.deepEqual(inPieces.file.bytes, Buffer.from(bytes));
        assert.deepEqual(Buffer.from(inPieces.body.whole!), Buffer.from(bytes));
        assert.equal(inPieces.body.runId, whole.body.runId);
        assert.equal(inPieces.body.text, whole.body.text);
        assert.deepEqual(shown(inPieces.body), shown(whole.body));
      }),
      { numRuns: 1000 },
    );
  });

  it('tells the run id of a server-sent event before the answer ends', async () => {
    const body = new GatheredBody({ headers: {}, file: nowhere });
    await body.push(Buffer.from('event: start\ndata: {"run_'));
    assert.equal(body.runId, undefined);
    await body.push(Buffer.from('id": "r-1"}\n\nda'));
    assert.equal(body.runId, 'r-1');
  });

  it('tells that of JSON over several lines once it is complete', async () => {
    const body = new GatheredBody({ headers: {}, file: nowhere });
    await body.push(Buffer.from('{\n  "run_id": "r-2",\n  "é": 1\n}'));
    assert.equal(body.runId, undefined);
    body.end();
    assert.equal(body.runId, 'r-2');
  });

  it('takes a header that names it, and a late event of a long stream', async () => {
    assert.equal(new GatheredBody({ headers: { 'x-run-id': 'r-3' }, file: nowhere }).runId, 'r-3');
    const long = Array.from({ length: 100 }, () => Buffer.alloc(mebibyte / 10, 'data: {"n": 1}\n'));
    const { body } = await gather([...long, Buffer.from('\ndata: {"run_id": "r-4"}\n')]);
    assert.equal(body.runId, 'r-4');
  });

  it('is text and not binary by its first bytes alone, be a character cut in two', async () => {
    const isText = async (bytes: Uint8Array) => shown((await gather([bytes])).body).body?.note === undefined;
    assert.equal(await isText(Buffer.from('a€b')), true);
    assert.equal(await isText(Buffer.from([0, 1])), false);
    assert.equal(await isText(Buffer.from([0xff, 0xfe])), false);
    const border = Buffer.concat([Buffer.alloc(4095, 'a'), Buffer.from('€')]);
    assert.equal(await isText(border), true);
  });

  it('waits for its file, so that the socket waits too', async () => {
    let write = (): void => assert.fail('nothing is written');
    const body = new GatheredBody({
      headers: {},
      file: { append: () => new Promise((done) => (write = done)) },
    });
    let isTaken = false;
    const pushed = body.push(Buffer.from('a')).then(() => (isTaken = true));
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isTaken, false);
    write();
    await pushed;
  });

  it('takes little memory, however long it is', async function () {
    this.timeout(60_000);
    const piece = Buffer.alloc(mebibyte / 4, 'data: {"token": "and so on"}\n');
    const body = new GatheredBody({ headers: {}, file: nowhere });
    const held = () => process.memoryUsage().arrayBuffers;
    const idle = held();
    let most = 0;
    for (let come = 0; come < 256 * mebibyte; come += piece.length) {
      // Each piece is memory of its own, as those of a socket are.
      await body.push(Buffer.from(piece));
      most = Math.max(most, held() - idle);
    }
    body.end();
    assert.equal(body.bytes, 256 * mebibyte);
    assert.equal(body.whole, undefined);
    assert.ok(body.beginning.length <= 4 * mebibyte);
    assert.ok(most < 128 * mebibyte, `${most / mebibyte} MiB`);
  });

  it('is held as a whole for whoever wants all of it', async () => {
    const body = new GatheredBody({ headers: {}, file: nowhere, hold: 6 * mebibyte });
    for (let count = 0; count < 6; count += 1) await body.push(Buffer.alloc(mebibyte, 'a'));
    assert.equal(body.whole?.length, 6 * mebibyte);
    await body.push(Buffer.from('b'));
    assert.equal(body.whole, undefined);
  });
});
