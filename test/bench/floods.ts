import type { HostileClients } from '../support/listener/hostileClients.ts';

const largest = 10 << 20;

/** Kinds of floods by name. Each lasts until the clients disconnect. */
export const floods: Readonly<Record<string, (strangers: HostileClients) => void>> = {
  nothing: () => undefined,
  'a body of 10 MiB in chunks of one byte': (strangers) => strangers.sendByteByByte(1, largest),
  '120 bodies in chunks of one byte': (strangers) => strangers.sendByteByByte(120, largest),
  '120 connections that hold 10 MiB each': (strangers) => strangers.hold(120, largest, largest - 1),
  'the same, of unknown length': (strangers) => strangers.holdChunked(120, largest - 1),
  '120 that send 10 MiB, whole, again and again': (strangers) => strangers.send(120, largest, 50),
  '2,000 that hold 60 KB each': (strangers) => strangers.hold(2000, 64_000, 60_000),
  '120 that send 1 KB again and again': (strangers) => strangers.send(120, 1024, 100_000),
  '6,000 that say nothing': (strangers) => strangers.connect(6000),
};
