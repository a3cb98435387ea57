import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex, Writable } from 'node:stream';
import {
  BodyRoom,
  HeldRequest,
  type BodyOwner,
  IncomingBody,
  mostDropped,
  type CutBody,
  type ReadBody,
} from './incomingBody.ts';
import type { BrokenOff, Refused } from '../../deliveries/listenerProtocol.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { runIdOf } from '../../deliveries/runIdOf.ts';
import { headerOf } from '../../service/signature/signature.ts';

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

/**
 * Owns every resource that clients can exhaust: connections, memory for bodies, processing turns. Each is bounded.
 * Of the senders that block others, the one furthest behind is closed without an answer: the service retries then.
 */
export class Senders implements BodyOwner {
  readonly #limits: SenderLimits;
  readonly #flush: () => void;
  readonly #onTurnedAway: (what: TurnedAway) => void;
  readonly #all = new Map<Duplex, Sender>();
  readonly room = new BodyRoom();
  /** Queued work; the first entry is running. */
  readonly #turns: ((done: () => void) => void)[] = [];

  /**
   * @param flush writes pending deliveries to the store, which releases their memory
   * @param onTurnedAway called for what became no request
   */
  constructor(
    limits: SenderLimits,
    flush: () => void,
    onTurnedAway: (what: TurnedAway) => void = () => undefined,
  ) {
    this.#limits = limits;
    this.#flush = flush;
    this.#onTurnedAway = onTurnedAway;
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
      .on('connection', (socket) => this.#connected(server, socket))
      .on('clientError', (error, socket) => this.#broken(error, socket))
      // For example, the process has no file descriptors left.
      .on('error', () => this.#closeFurthestBehind())
      .on('close', () => clearInterval(timer));
  }

  /** Closes all connections of a server, whether Node still knows them or not. */
  closeAll(server: Server): void {
    for (const sender of this.#all.values()) if (sender.server === server) sender.socket.destroy();
  }

  /** Called with the head of a request. Returns undefined if it is not taken: its connection is about to close. */
  begin(request: HeldRequest, response: ServerResponse): IncomingBody | undefined {
    const { socket } = request;
    const sender = this.#all.get(socket);
    if (sender === undefined) socket.destroy();
    if (sender === undefined || sender.isLeaving) return undefined;
    // guard S19: One connection carries at most 32 requests at a time.
    if (sender.exchanges.length >= mostRequests) {
      this.leave(socket);
      return undefined;
    }
    if (sender.rawHeaders !== undefined) request.rawHeaders = sender.rawHeaders;
    delete sender.rawHeaders;
    const body = new IncomingBody(request, this);
    sender.hasAsked = true;
    sender.exchanges.push({ body, response });
    response.on('close', () => {
      sender.exchanges = sender.exchanges.filter((one) => one.body !== body);
      sender.hasAnswer ||= response.writableFinished;
      sender.idle = 0;
      if (sender.isLeaving) this.leave(socket);
      if (sender.exchanges.length === 0) sender.readOn?.();
    });
    return body;
  }

  /** As {@link begin}, for a request that is to be read or refused. */
  open(request: HeldRequest, response: ServerResponse, expects: Expects): OpenRequest | undefined {
    const body = this.begin(request, response);
    if (body === undefined) return undefined;
    let waitsForContinue = expects === 'continue';
    return {
      announced: body.announced,
      refuse: (status, reason, onDropped) => {
        const refusal = (): void => {
          // What is not read to its end would be taken for the next request.
          response.shouldKeepAlive &&= request.complete;
          answer(response, status, reason);
        };
        if (!waitsForContinue) {
          body.drop(refusal, onDropped);
          return;
        }
        refusal();
        body.drop();
        onDropped?.(Buffer.alloc(0));
      },
      read: (most, done) => {
        const onRoom = (): void => {
          if (waitsForContinue) response.writeContinue();
          waitsForContinue = false;
        };
        body.read(most, onRoom, done);
      },
    };
  }

  /** Called every `ms` milliseconds: closes senders that have fallen behind. */
  tick(ms: number): void {
    const { request, patience, patienceInNeed } = this.#limits;
    for (const sender of this.#all.values()) {
      sender.idle += ms;
      if (sender.lingers !== undefined) sender.lingers += ms;
      if (sender.isLeaving) this.#boundLeaving(sender);
      const body = sender.exchanges.at(-1)?.body;
      if (body === undefined || body.isOver) continue;
      const { large } = body.share;
      const isInNeed = large > 0 && this.room.isWaitedFor;
      body.expect(ms, isInNeed ? Math.max(slowest, large / request) : slowest);
      // guard S18: A body that has made no progress for ten seconds is closed.
      if (body.behind >= (isInNeed ? patienceInNeed : patience)) body.breakOff(true);
    }
  }

  makeRoom(): void {
    this.#flush();
    // guard S18: If many small bodies are under way, the slowest are closed.
    while (this.room.isOverfull) {
      const sender = this.#furthestBehind(({ exchanges }) => {
        const body = exchanges.at(-1)?.body;
        return body?.isComing === true && body.share.small > 0;
      });
      const last = sender?.exchanges.at(-1);
      if (last === undefined) return;
      last.body.breakOff();
    }
  }

  /** Runs one piece of work per turn of the event loop, so that other senders are read in between. */
  inTurn(work: (done: () => void) => void): void {
    if (this.#turns.push(work) === 1) this.#nextTurn();
  }

  /** Its answer may take long: then a sender that closes its side has gone, and does not wait for it. */
  answerLate(socket: Socket): void {
    const sender = this.#all.get(socket);
    if (sender !== undefined) sender.goesWhenItCloses = true;
    if (socket.readableEnded) socket.destroy();
  }

  // guard S14: Bytes behind a delivery do not change its answer.
  leave(socket: Socket): void {
    const sender = this.#all.get(socket);
    if (sender === undefined || sender.lingers !== undefined) return;
    if (!sender.isLeaving) sender.bytesTaken = socket.bytesRead;
    sender.isLeaving = true;
    const last = sender.exchanges.findLast(({ body }) => body.isDue);
    if (last !== undefined) last.response.shouldKeepAlive = false;
    else if (sender.hasAnswer) this.#linger(sender);
    else socket.destroy();
  }

  /** Refuses what comes next on a connection, which is no request that can be read. */
  refuse(socket: Duplex, what: TurnedAway & { status: number }): void {
    const sender = this.#all.get(socket);
    if (sender === undefined || sender.isLeaving) return;
    if (sender.hasAsked) {
      // Its sender might read the answer as that to the request before. On a connection of its own it gets one.
      this.#onTurnedAway({ bytes: 0 });
      this.leave(sender.socket);
      return;
    }
    this.#onTurnedAway(what);
    if (socket.writable) answerLast(socket, what.status);
    this.#linger(sender);
  }

  /** Reads a request that offers to upgrade as one that does not. @param head what came behind its headers */
  // guard S14: A request behind an offer to upgrade is answered.
  ignoreUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const sender = this.#all.get(socket);
    if (sender === undefined || sender.isLeaving) return;
    sender.readOn = () => {
      delete sender.readOn;
      sender.rawHeaders = request.rawHeaders;
      // It was that of a connection between two requests.
      sender.socket.setTimeout(0);
      socket.unshift(withoutOffer(request, head));
      sender.server.emit('connection', socket);
    };
    if (sender.exchanges.length === 0) sender.readOn();
  }

  #nextTurn(): void {
    const done = (): void => {
      this.#turns.shift();
      this.#nextTurn();
    };
    const [next] = this.#turns;
    if (next !== undefined) setImmediate(() => next(done));
  }

  #connected(server: Server, socket: Socket): void {
    // It comes again where a request was read anew: see `ignoreUpgrade`.
    if (this.#all.has(socket)) return;
    // guard S19: The connection that has been silent the longest makes room for a new one.
    if (this.#all.size >= this.#limits.connections && !this.#closeFurthestBehind()) {
      socket.destroy();
      return;
    }
    const sender = newSender(server, socket);
    this.#all.set(socket, sender);
    // Node has no listener for errors of a connection that it hands over.
    socket.on('close', () => this.#all.delete(socket)).on('error', () => undefined);
    socket.on('end', () => {
      if (sender.goesWhenItCloses) socket.destroy();
    });
    // Node calls it after the last answer on a connection. Closing at once would reset the connection where something
    // is still coming, and the sender might lose the answer.
    socket.destroySoon = () => this.#linger(sender);
  }

  /** Handles invalid HTTP, and timeouts. A timeout may be the network's fault, and so gets no answer. */
  #broken({ code }: NodeJS.ErrnoException, socket: Duplex): void {
    const sender = this.#all.get(socket);
    const body = sender?.exchanges.at(-1)?.body;
    const by = brokenBy(code);
    if (sender === undefined) {
      socket.destroy();
    } else if (sender.isLeaving) {
      this.#boundLeaving(sender);
    } else if (body !== undefined && !body.isWhole) {
      body.breakOff(by === 'time');
    } else if (by === 'parser') {
      this.refuse(socket, refusedByParser(code));
    } else {
      const hasBegun = sender.hasAsked || sender.socket.bytesRead > 0;
      if (by === 'time' && hasBegun) this.#onTurnedAway({ bytes: 0, wasLate: true });
      this.leave(sender.socket);
    }
  }

  /** Ends a connection after its last answer, and discards what still comes, until the sender has closed it too. */
  #linger(sender: Sender): void {
    const { socket } = sender;
    if (sender.lingers !== undefined || socket.destroyed) return;
    sender.isLeaving = true;
    sender.lingers = 0;
    sender.bytesTaken = socket.bytesRead;
    socket.end();
    socket.resume();
  }

  // guard S13: The rest of a refused body is read up to 80 MB.
  #boundLeaving({ lingers, bytesTaken, socket }: Sender): void {
    const isTooMuch = socket.bytesRead - bytesTaken > mostDropped;
    if (lingers === undefined && isTooMuch) socket.pause();
    if (lingers !== undefined && (isTooMuch || lingers >= this.#limits.patience)) socket.destroy();
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

/** A request of which only the head was read. */
export interface OpenRequest {
  /** The Content-Length of its body; 0 if there is none. */
  announced: number;
  /** Answers it with a status and the reason, and drops its body: {@link IncomingBody.drop}. None comes where its sender waits for `100 Continue`. */
  refuse(status: number, reason: string, onDropped?: (beginning: Buffer) => void): void;
  /** See {@link IncomingBody.read}. Asks for the body first where its sender waits for that. */
  read(most: number, done: (read: ReadBody) => void): void;
}

interface SenderServerOptions {
  /** 0 for any free port. */
  port: number;
  host: string;
  limits: SenderLimits;
  senders: Senders;
  onRequest: (request: HeldRequest, response: ServerResponse, expects?: Expects) => void;
}

/**
 * Listens for senders. Rejects with Node's error, for example with `code` EADDRINUSE.
 * @returns the server, and the port that it is bound to
 */
export async function senderServer({
  port: wanted,
  host,
  limits,
  senders,
  onRequest,
}: SenderServerOptions): Promise<{ server: Server; port: number }> {
  // guard S80: The parser is strict.
  const server = createServer({
    IncomingMessage: HeldRequest,
    // guard S12: Headers and body have limits of size and time.
    requestTimeout: limits.request,
    headersTimeout: limits.headers,
    connectionsCheckingInterval: limits.check,
    keepAliveTimeout: 30_000,
    // Node would answer by itself, and nobody would be told.
    requireHostHeader: false,
  });
  // A sender may close its side as soon as it has sent all: it still reads the answer. Node documents no option for it.
  Object.assign(server, { httpAllowHalfOpen: true });
  senders.watch(server);
  server.on('request', (request, response) => onRequest(request, response));
  server.on('checkContinue', (request, response) => onRequest(request, response, 'continue'));
  // guard S15: Each refused request leaves a line, also one that Node's parser refuses.
  server.on('checkExpectation', (request, response) => onRequest(request, response, 'unknown'));
  server.on('connect', ({ method = '' }, socket) =>
    senders.refuse(socket, { status: 405, method, reason: t('a delivery must be a POST') }),
  );
  server.on('upgrade', (request, socket, head) => senders.ignoreUpgrade(request, socket, head));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // With Node's default backlog of 511, the 512th connection of a burst would wait for a second.
    server.listen({ port: wanted, host, backlog: 4096 }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  // A server listening on TCP has an AddressInfo.
  return { server, port: (server.address() as AddressInfo).port };
}

interface Exchange {
  body: IncomingBody;
  response: ServerResponse;
}

/** A connection. */
interface Sender {
  server: Server;
  socket: Socket;
  /** The unanswered requests, oldest first. */
  exchanges: Exchange[];
  /** How long no request has arrived, in milliseconds. */
  idle: number;
  /** Whether a request has come on it, and whether one was answered. */
  hasAsked: boolean;
  hasAnswer: boolean;
  /** Nothing more is taken from it: it closes when the requests before were answered. */
  isLeaving: boolean;
  /** How many bytes it had sent by then. */
  bytesTaken: number;
  /** Whether it is given up once it has closed its side. */
  goesWhenItCloses: boolean;
  /** Reads on, once the requests before were answered. */
  readOn?: () => void;
  /** The headers of the next request, if it is read anew without some of them. */
  rawHeaders?: string[];
  /** How long ago the last answer was sent, in milliseconds: what still comes is discarded. */
  lingers?: number;
}

function newSender(server: Server, socket: Socket): Sender {
  return {
    ...{ server, socket, exchanges: [], idle: 0, bytesTaken: 0 },
    ...{ hasAsked: false, hasAnswer: false, isLeaving: false, goesWhenItCloses: false },
  };
}

/** How far a sender is behind, in milliseconds; negative if the sender waits for an answer. */
function behindOf({ exchanges, idle, lingers }: Sender): number {
  if (lingers !== undefined) return Number.POSITIVE_INFINITY;
  const body = exchanges.at(-1)?.body;
  if (body === undefined) return idle;
  return exchanges.some((one) => one.body.isWhole) || body.isOver ? -1 : body.behind;
}

/**
 * The bytes of a request that offers to upgrade, as those of one that does not: Node's parser reads nothing behind such
 * an offer.
 * @param head what came behind its headers
 */
function withoutOffer({ method, url, httpVersion, rawHeaders }: IncomingMessage, head: Buffer): Buffer {
  const lines = [`${method ?? ''} ${url ?? ''} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.toLowerCase() !== 'upgrade') lines.push(`${name}: ${rawHeaders[at + 1] ?? ''}`);
  }
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]);
}

/** Answers with the status, and a text body that gives the reason. */
export function answer(response: ServerResponse, status: number, why = ''): void {
  if (response.destroyed) return;
  const type = why === '' ? [] : ['Content-Type', 'text/plain; charset=utf-8'];
  const allow = status === 405 ? ['Allow', 'POST'] : [];
  response.writeHead(status, [...type, ...allow, 'Content-Length', String(Buffer.byteLength(why))]);
  response.end(why);
}

/** Answers on a connection that no request can be read from any longer. */
export function answerLast(socket: Writable, status: number): void {
  const allow = status === 405 ? 'Allow: POST\r\n' : '';
  socket.write(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${allow}Content-Length: 0\r\nConnection: close\r\n\r\n`,
  );
}

/** How many characters of what a stranger wrote are shown. */
const mostShown = 100;

/** How a request is refused. */
export type Refusal = Pick<Refused, 'status' | 'reason'>;

/** What came on a connection and was no request that could be read. */
export type TurnedAway = Omit<Refused, 'at'> | Omit<BrokenOff, 'at'>;

/** What a request expects: `100 Continue` before it sends its body, or what nobody knows. */
export type Expects = 'nothing' | 'continue' | 'unknown';

/** Why a request is refused by its head alone; undefined if it is not. */
export function refusedByHead(
  { rawHeaders, method, httpVersion }: IncomingMessage,
  expects: Expects,
): Refusal | undefined {
  // guard S1: A request with an `Origin` header comes from a web page and gets 403.
  if (headerOf(rawHeaders, 'origin') !== undefined) {
    return { status: 403, reason: t('it was sent by a web page') };
  }
  // guard S2: The listener answers only POST.
  if (method !== 'POST') return { status: 405, reason: t('a delivery must be a POST') };
  if (httpVersion === '1.1' && headerOf(rawHeaders, 'host') === undefined) {
    return { status: 400, reason: t('it has no Host header') };
  }
  if (expects !== 'unknown') return undefined;
  const expected = plainText(headerOf(rawHeaders, 'expect') ?? '', mostShown);
  return { status: 417, reason: t('it has an unknown expectation: {0}', expected) };
}

/** How Node ended a connection. @param code that of its error */
export function brokenBy(code = ''): 'parser' | 'time' | 'network' {
  if (code.startsWith('HPE_')) return 'parser';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'time' : 'network';
}

/** How what Node's parser cannot read is refused. @param code that of its error */
export function refusedByParser(code = ''): Refusal & { method: string } {
  return code === 'HPE_HEADER_OVERFLOW'
    ? { status: 431, method: '', reason: t('its headers are too large') }
    : { status: 400, method: '', reason: t('it is not valid HTTP ({0})', code) };
}

/** The report of a request whose body was cut off. @param announced the Content-Length; 0 if there was none */
export function brokenOffOf(
  { length, beginning, wasLate }: CutBody,
  announced: number,
): Omit<BrokenOff, 'at'> {
  const runId = runIdOf(beginning);
  return {
    bytes: length,
    ...(announced > 0 && { announced }),
    ...(wasLate && { wasLate }),
    ...(runId !== undefined && { runId }),
  };
}
