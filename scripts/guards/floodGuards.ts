import type { Guard } from './guard.ts';

const senders = 'src/listener/intake/senders.ts';

/** Against whoever floods the listener. */
export const floodGuards: readonly Guard[] = [
  {
    guard: 'who has said nothing for the longest time makes room for the next',
    file: senders,
    is: 'this.#all.size >= this.#limits.connections && !this.#closeFurthestBehind()',
    without: 'this.#all.size >= this.#limits.connections',
    tests: {
      'unit/listener/intake/senders.test.ts': [
        'are so many: who has said nothing for the longest time makes room for the next',
      ],
      'unit/listener/rawSockets.test.ts': [
        'takes a delivery beside 5,000 connections that say nothing, and keeps no more than 4,096',
      ],
    },
  },
  {
    guard: 'connections have a bound',
    file: senders,
    is: 'this.#all.size >= this.#limits.connections && !this.#closeFurthestBehind()',
    without: 'false',
    tests: {
      'unit/listener/intake/senders.test.ts': [
        'are so many: who has said nothing for the longest time makes room for the next',
      ],
    },
  },
  {
    guard: 'requests of one connection have a bound',
    file: senders,
    is: 'sender === undefined || sender.requests >= mostRequests',
    without: 'sender === undefined',
    tests: {
      'unit/listener/intake/senders.test.ts': [
        'carry so many requests at a time: one that sends more without reading an answer is closed',
      ],
    },
  },
  {
    guard: 'a body takes memory for its bytes, and not for the pieces in which they come',
    file: 'src/listener/intake/growingBuffer.ts',
    is: '    this.#bytes.set(piece, this.#length);',
    without: '    this.#bytes.set(piece, this.#length);\n    (this.pieces ??= []).push(piece);',
    tests: {
      'unit/listener/flood.test.ts': [
        'with a large body in chunks of one byte: takes it, and deliveries beside it',
      ],
    },
  },
  {
    guard: 'who does not fit waits at his sender',
    file: 'src/listener/intake/bodyRoom.ts',
    is: '(this.#large > 0 && this.#large + first.bytes > largeShare)',
    without: 'false',
    tests: {
      'unit/listener/flood.test.ts': [
        'with 120 bodies of a known length that are never whole: holds few, and takes deliveries',
        'with 120 bodies of an unknown length that are never whole: holds few, and takes deliveries',
      ],
      'unit/listener/intake/senders.test.ts': [
        'has a large body wait at its sender until there is room, and smaller ones not',
      ],
    },
  },
  {
    guard: 'small bodies wait for no larger one',
    file: 'src/listener/intake/bodyRoom.ts',
    is: 'export const smallBytes = 64 * 1024;',
    without: 'export const smallBytes = 0;',
    tests: {
      'unit/listener/intake/senders.test.ts': [
        'has a large body wait at its sender until there is room, and smaller ones not',
      ],
    },
  },
  {
    guard: 'of small bodies that are never whole those furthest behind have to go',
    file: senders,
    is: 'while (this.room.isOverfull) {',
    without: 'while (false) {',
    tests: {
      'unit/listener/intake/senders.test.ts': [
        'lets few small bodies take it that are never whole: whoever is furthest behind has to go',
      ],
    },
  },
  {
    guard: 'a body that comes no further is closed without an answer',
    file: senders,
    is: 'if (body.behind >= (isInNeed ? patienceInNeed : patience)) body.breakOff();',
    without: '',
    tests: {
      'unit/listener/intake/senders.test.ts': [
        'is ten seconds for a body that comes no further: closed without an answer',
        'is no longer for one of which a byte comes now and then',
        'is two seconds for those that come slowly while another waits for their room',
      ],
    },
  },
  {
    guard: 'no more than 64 MB of bodies are handed on at a time',
    file: 'src/listener/forwarding/forwarder.ts',
    is: 'return this.#bytes === 0 || this.#bytes + bytes <= atOnce.bytes;',
    without: 'return true;',
    tests: {
      'unit/listener/flood.test.ts': [
        'with large deliveries while the local app takes its time: holds few of their bodies',
      ],
    },
  },
];
