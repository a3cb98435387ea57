import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { answerBroken } from './answer.ts';
import { BodyRoom } from './bodyRoom.ts';
import type { HeldRequest } from './heldRequest.ts';
import { type BodyOwner, IncomingBody } from './incomingBody.ts';

/** How long senders may take, in milliseconds, and how many connections there may be. */
export const senderLimits = {
  headers: 15_000,
  /** For the whole request. */
  request: 60_000,
  /** How often Node checks the two limits above. */
  check: 5000,
  /** How far a body may be behind its pace. */
  patience: 10_000,
  /** The same while others wait for the memory that the body takes. */
  patienceInNeed: 2000,
  /** The interval at which senders are checked. */
  tick: 250,
  connections: 4096,
};
export type SenderLimits = typeof senderLimits;

/** The minimum pace of a body, in bytes per millisecond: a slower body falls behind. */
const slowest = 8;
/** Limit on unanswered requests per connection. Clients hardly ever send a request before the last was answered. */
const mostRequests = 32;

interface Sender {
  socket: Socket;
  /** The number of unanswered requests. */
  requests: number;
  body?: IncomingBody;
  /** How long no request has arrived, in milliseconds. */
  idle: number;
}

/**
 * Owns every resource that clients can exhaust: connections, memory for bodies, processing turns. Each is bounded.
 * Of the senders that block others, the one furthest behind is closed without an answer: the service retries then.
 */
export class Senders implements BodyOwner {
  readonly #limits: SenderLimits;
  readonly #flush: () => void;
  readonly #all = new Map<Duplex, Sender>();
  readonly room = new BodyRoom();
  /** Queued work; the first entry is running. */
  readonly #turns: ((done: () => void) => void)[] = [];

  /** @param flush writes pending deliveries to the store, which releases their memory */
  constructor(limits: SenderLimits, flush: () => void) {
    this.#limits = limits;
    this.#flush = flush;
  }

  get connections(): number {
    return this.#all.size;
  }

  /** Tracks the connections of a server, until it is closed. */
  watch(server: Server): void {
    const { tick } = this.#limits;
    let timer: NodeJS.Timeout | undefined;
    server
      // A server that fails to listen never emits `close`, so the timer starts only now.
      .on('listening', () => (timer = setInterval(() => this.tick(tick), tick).unref()))
      .on('connection', (socket) => this.#connected(socket))
      .on('clientError', (error, socket) => this.#broken(error, socket))
      // For example, the process has no file descriptors left.
      .on('error', () => this.#closeFurthestBehind())
      .on('close', () => clearInterval(timer));
  }

  /** Called with the head of a request. Closes a connection with too many unanswered ones, and returns undefined. */
  begin(request: HeldRequest, response: ServerResponse): IncomingBody | undefined {
    const { socket } = request;
    const sender = this.#all.get(socket);
    // guard: one connection carries 32 requests at a time
    if (sender === undefined || sender.requests >= mostRequests) {
      socket.destroy();
      return undefined;
    }
    sender.requests += 1;
    response.on('close', () => {
      sender.requests -= 1;
      sender.idle = 0;
    });
    sender.body = new IncomingBody(request, this);
    return sender.body;
  }

  /** Called every `ms` milliseconds: closes senders that have fallen behind. */
  tick(ms: number): void {
    const { request, patience, patienceInNeed } = this.#limits;
    for (const sender of this.#all.values()) {
      sender.idle += ms;
      const { body } = sender;
      if (body === undefined) continue;
      if (body.isOver) {
        delete sender.body;
        continue;
      }
      const { large } = body.share;
      const isInNeed = large > 0 && this.room.isWaitedFor;
      body.expect(ms, isInNeed ? Math.max(slowest, large / request) : slowest);
      // guard: a body that comes no further for ten seconds
      if (body.behind >= (isInNeed ? patienceInNeed : patience)) body.breakOff(true);
    }
  }

  makeRoom(): void {
    this.#flush();
    // guard: Of small ones those furthest behind have to go
    while (this.room.isOverfull) {
      const sender = this.#furthestBehind(({ body }) => body?.isComing === true && body.share.small > 0);
      if (sender?.body === undefined) return;
      sender.body.breakOff();
    }
  }

  /** Runs one piece of work per turn of the event loop, so that other senders are read in between. */
  inTurn(work: (done: () => void) => void): void {
    if (this.#turns.push(work) === 1) this.#nextTurn();
  }

  #nextTurn(): void {
    const done = (): void => {
      this.#turns.shift();
      this.#nextTurn();
    };
    const [next] = this.#turns;
    if (next !== undefined) setImmediate(() => next(done));
  }

  #connected(socket: Socket): void {
    // guard: whoever has said nothing for the longest time makes room for the next
    if (this.#all.size >= this.#limits.connections && !this.#closeFurthestBehind()) {
      socket.destroy();
      return;
    }
    this.#all.set(socket, { socket, requests: 0, idle: 0 });
    socket.on('close', () => this.#all.delete(socket));
  }

  /** Handles invalid HTTP, and timeouts. A timeout may be the network's fault, and so gets no answer. */
  #broken({ code }: NodeJS.ErrnoException, socket: Duplex): void {
    const sender = this.#all.get(socket);
    const isUnanswered = sender?.requests === (sender?.body?.isComing === true ? 1 : 0);
    const wasLate = code === 'ERR_HTTP_REQUEST_TIMEOUT';
    if (isUnanswered && socket.writable && !wasLate) answerBroken(socket, code);
    if (wasLate) sender?.body?.breakOff(true);
    socket.destroy();
  }

  /** Closes the connection furthest behind or idle longest; returns false if all wait for answers. */
  #closeFurthestBehind(): boolean {
    const sender = this.#furthestBehind(() => true);
    sender?.socket.destroy();
    return sender !== undefined && this.#all.delete(sender.socket);
  }

  /** The matching sender that is furthest behind. A sender that waits for an answer is not behind. */
  #furthestBehind(matches: (sender: Sender) => boolean): Sender | undefined {
    let furthest: Sender | undefined;
    let most = -1;
    for (const sender of this.#all.values()) {
      const behind = behindOf(sender);
      if (behind <= most || !matches(sender)) continue;
      furthest = sender;
      most = behind;
    }
    return furthest;
  }
}

/** How far a sender is behind, in milliseconds; negative if the sender waits for an answer. */
function behindOf({ body, requests, idle }: Sender): number {
  if (body !== undefined && !body.isOver) return body.behind;
  return requests > 0 ? -1 : idle;
}
