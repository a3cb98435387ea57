import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { IncomingBody } from './incomingBody.ts';

interface Exchange {
  body: IncomingBody;
  response: ServerResponse;
}

/** A connection. */
export interface Sender {
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

export function newSender(server: Server, socket: Socket): Sender {
  return {
    ...{ server, socket, exchanges: [], idle: 0, bytesTaken: 0 },
    ...{ hasAsked: false, hasAnswer: false, isLeaving: false, goesWhenItCloses: false },
  };
}

/** How far a sender is behind, in milliseconds; negative if the sender waits for an answer. */
export function behindOf({ exchanges, idle, lingers }: Sender): number {
  if (lingers !== undefined) return Number.POSITIVE_INFINITY;
  const body = exchanges.at(-1)?.body;
  if (body === undefined) return idle;
  return exchanges.some((one) => one.body.isWhole) || body.isOver ? -1 : body.behind;
}
