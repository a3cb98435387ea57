import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { answerBroken } from './answer.ts';
import { BodyRoom } from './bodyRoom.ts';
import type { HeldRequest } from './heldRequest.ts';
import { type BodyOwner, IncomingBody } from './incomingBody.ts';

/** How long senders may take, in milliseconds, and how many of them there may be. */
export const senderLimits = {
  headers: 15_000,
  /** For the whole request. */
  request: 60_000,
  /** How often it is looked whether one is over these two. */
  check: 5000,
  /** How far a body may be behind its pace. */
  patience: 10_000,
  /** The same while others wait for the room that it takes. */
  patienceInNeed: 2000,
  /** How often senders are looked after. */
  tick: 250,
  connections: 4096,
};
export type SenderLimits = typeof senderLimits;

/** The pace of a body, in bytes a millisecond: one that is slower falls behind. */
const slowest = 8;
/** Requests of one connection that wait for their answers. Hardly anybody sends the next one before he has the answer. */
const mostRequests = 32;

interface Sender {
  socket: Socket;
  /** Requests that wait for their answers. */
  requests: number;
  body?: IncomingBody;
  /** How long no request has come, in milliseconds. */
  idle: number;
}

/**
 * Has all that whoever connects can fill: connections, memory for bodies, turns. Each has a bound; who is in the
 * way of others and furthest behind is closed without an answer, so that the service repeats what was its own.
 */
export class Senders implements BodyOwner {
  readonly #limits: SenderLimits;
  readonly #flush: () => void;
  readonly #all = new Map<Duplex, Sender>();
  readonly room = new BodyRoom();
  /** The first is under way. */
  readonly #turns: ((done: () => void) => void)[] = [];

  /** @param flush keeps what waits to be kept, and so gives back what it takes */
  constructor(limits: SenderLimits, flush: () => void) {
    this.#limits = limits;
    this.#flush = flush;
  }

  get connections(): number {
    return this.#all.size;
  }

  /** Looks after the connections of a server, until it is closed. */
  watch(server: Server): void {
    const { tick } = this.#limits;
    let timer: NodeJS.Timeout | undefined;
    server
      // One that cannot listen is never closed.
      .on('listening', () => (timer = setInterval(() => this.tick(tick), tick).unref()))
      .on('connection', (socket) => this.#connected(socket))
      .on('clientError', (error, socket) => this.#broken(error, socket))
      // Such as: the process may open no more files.
      .on('error', () => this.#closeFurthestBehind())
      .on('close', () => clearInterval(timer));
  }

  /** A request has come with its head; undefined, and closed, where too many of its connection wait. */
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

  /** Some milliseconds have gone by: looks who has fallen behind. */
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

  /** One a turn of the event loop, so that whoever else sends something is read in between. */
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

  /** What came is no HTTP, or took too long: that may be the network's fault, and so gets no answer. */
  #broken({ code }: NodeJS.ErrnoException, socket: Duplex): void {
    const sender = this.#all.get(socket);
    const isUnanswered = sender?.requests === (sender?.body?.isComing === true ? 1 : 0);
    const wasLate = code === 'ERR_HTTP_REQUEST_TIMEOUT';
    if (isUnanswered && socket.writable && !wasLate) answerBroken(socket, code);
    if (wasLate) sender?.body?.breakOff(true);
    socket.destroy();
  }

  /** Closes a connection from which something is waited for; false where there is none. */
  #closeFurthestBehind(): boolean {
    const sender = this.#furthestBehind(() => true);
    sender?.socket.destroy();
    return sender !== undefined && this.#all.delete(sender.socket);
  }

  /** Whoever waits for an answer is not behind. */
  #furthestBehind(isMeant: (sender: Sender) => boolean): Sender | undefined {
    let furthest: Sender | undefined;
    let most = -1;
    for (const sender of this.#all.values()) {
      const behind = behindOf(sender);
      if (behind <= most || !isMeant(sender)) continue;
      furthest = sender;
      most = behind;
    }
    return furthest;
  }
}

/** How far a sender is behind, in milliseconds; less than nothing where nothing is waited for from it. */
function behindOf({ body, requests, idle }: Sender): number {
  if (body !== undefined && !body.isOver) return body.behind;
  return requests > 0 ? -1 : idle;
}
