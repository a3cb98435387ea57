import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type BodyRoom, HeldRequest, type ReadBody } from '../../../src/listener/intake/incomingBody.ts';
import { Senders, senderLimits } from '../../../src/listener/intake/senders.ts';
import type { Target } from '../target.ts';

/** Larger than what counts as a small body, and smaller than a few pieces can be. */
const maxBodyBytes = 100_000;
const allRoom = 48 << 20;
const lineEnd = Buffer.from('\r\n');

/** How to send a body, decoded from an input. */
interface Script {
  isChunked: boolean;
  /** The announced length minus the sent length. */
  lengthError: number;
  /** The size of a piece, or an event between two pieces. */
  steps: (number | 'wait' | 'end' | 'takeRoom' | 'tooLate')[];
}

function parseScript(input: Buffer): Script {
  const [framing = 0, lie = 0, ...others] = input.subarray(0, 200);
  const steps = others.map((byte) => {
    if (byte === 255) return 'end';
    if (byte === 254) return 'takeRoom';
    if (byte === 253) return 'tooLate';
    if (byte >= 240) return 'wait';
    return byte < 128 ? byte + 1 : (byte - 127) ** 2;
  });
  return { isChunked: framing % 2 === 1, lengthError: lie < 230 ? 0 : lie - 240, steps };
}

/** The allowed outcomes: the body, or the reason why there is none. */
function allowedOutcomes(script: Script, sent: Buffer): (Buffer | ReadBody['kind'])[] {
  const { isChunked, lengthError: lie, steps } = script;
  if (steps.includes('tooLate')) {
    return [
      'cut',
      ...allowedOutcomes({ ...script, steps: steps.filter((step) => step !== 'tooLate') }, sent),
    ];
  }
  if (isChunked && sent.length > maxBodyBytes) return ['tooLarge'];
  if (isChunked) return [steps.includes('end') ? 'cut' : sent];
  const announced = announcedLength(steps, lie);
  if (announced > maxBodyBytes) return ['tooLarge'];
  if (sent.length < announced) return ['cut'];
  // The extra bytes are no valid request, which may close the connection before the body is read.
  return sent.length === announced ? [sent] : [sent.subarray(0, announced), 'cut'];
}

function announcedLength(steps: Script['steps'], lie: number): number {
  const whole = steps.reduce<number>((sum, step) => sum + (typeof step === 'number' ? step : 0), 0);
  return Math.max(0, whole + lie);
}

/** Sends a body and waits for an answer or the end of the connection. @returns the sent bytes */
async function send(
  port: number,
  { isChunked, lengthError: lie, steps }: Script,
  senders: Senders,
): Promise<Buffer> {
  const socket = connect(port, '127.0.0.1');
  // The server may close the connection.
  const ended = new Promise<void>((resolve) =>
    socket.on('data', () => resolve()).on('close', () => resolve()),
  );
  socket.on('error', () => undefined);
  const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${announcedLength(steps, lie)}`;
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${framing}\r\n\r\n`);
  const sent: Buffer[] = [];
  let giveBack = (): void => undefined;
  for (const step of steps) {
    if (step === 'end') break;
    if (step === 'wait') {
      await new Promise(setImmediate);
    } else if (step === 'tooLate') {
      senders.tick(20_000);
    } else if (step === 'takeRoom') {
      giveBack();
      giveBack = takeAllRoom(senders.room);
    } else {
      const piece = Buffer.alloc(step, `${sent.length},`);
      sent.push(piece);
      socket.write(
        isChunked ? Buffer.concat([Buffer.from(`${step.toString(16)}\r\n`), piece, lineEnd]) : piece,
      );
    }
  }
  giveBack();
  if (isChunked && !steps.includes('end')) socket.write('0\r\n\r\n');
  // The rest of the body never comes.
  else if (steps.includes('end') || lie > 0) socket.end();
  await ended;
  socket.destroy();
  return Buffer.concat(sent);
}

/** Reserves all room for large bodies as soon as it is free. @returns a function that releases it */
function takeAllRoom(room: BodyRoom): () => void {
  let isTaken = false;
  const stop = room.takeLarge(allRoom, () => (isTaken = true));
  return () => {
    stop();
    if (isTaken) room.giveLarge(allRoom);
    isTaken = false;
  };
}

/** A body in pieces of all sizes must be read exactly or not at all, and its room must be released. */
export async function bodyTarget(): Promise<Target> {
  const senders = new Senders(senderLimits, () => undefined);
  const reads: ReadBody[] = [];
  const server = createServer({ IncomingMessage: HeldRequest }, (request, response) => {
    const body = senders.begin(request, response);
    const refuse = (): void => {
      response.writeHead(413).end();
      body?.drop();
    };
    body?.read(
      maxBodyBytes,
      () => undefined,
      (read) => {
        reads.push(read);
        if (read.kind === 'tooLarge') refuse();
        if (read.kind === 'whole') response.end();
      },
    );
  });
  senders.watch(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    name: 'body',
    seeds: [
      ...[
        '\0\0Hello',
        '\x01\0Hello',
        '\0\xe8\x7f\xef',
        '\x01\0\xff',
        '\0\0\xfe\xef\xef\xef\xef\xef\xef\xf0\xef',
      ],
      '\x01\0\xfe\xef\xef\xef\xef\xef\xef\xf0\xf0\xf0\xf0\xf0\xf0\xfd\xf0',
    ].map((text) => Buffer.from(text, 'latin1')),
    tokens: ['\xef\xef\xef', '\xfe', '\xff', '\xf0', '\xfd'],
    check: async (input) => {
      const script = parseScript(input);
      const sent = await send(port, script, senders);
      while (senders.connections > 0 || reads.length === 0) await new Promise(setImmediate);
      const [read, ...more] = reads.splice(0);
      assert.equal(more.length, 0, 'told more than once');
      const became = read?.kind === 'whole' ? read.body : read?.kind;
      const isExpected = (may: Buffer | string): boolean =>
        typeof may === 'string' ? may === became : became instanceof Buffer && may.equals(became);
      assert.ok(allowedOutcomes(script, sent).some(isExpected), `it was ${String(became).slice(0, 20)}`);
      if (read?.kind === 'whole') read.free();
      assert.equal(senders.room.taken, 0, 'room that nobody gives back');
    },
    dispose: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
