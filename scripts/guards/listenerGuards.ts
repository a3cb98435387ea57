import type { Guard } from './guard.ts';

const listener = 'src/listener/intake/listener.ts';
const incomingBody = 'src/listener/intake/incomingBody.ts';
const add = 'store.add(delivery, kept, () => {\n      free();\n      request.socket.destroy();\n    });';

/** Against web pages, programs on this machine and the public side of a tunnel. */
export const listenerGuards: readonly Guard[] = [
  {
    guard: 'a request with an `Origin` header gets 403',
    file: listener,
    is: "if (headerOf(request.rawHeaders, 'origin') !== undefined) {",
    without: 'if (false) {',
    tests: { 'unit/listener/intake/listener.test.ts': ['from a web page → 403, nothing kept'] },
  },
  {
    guard: 'it answers POST alone',
    file: listener,
    is: "if (request.method !== 'POST') {",
    without: 'if (false) {',
    tests: { 'unit/listener/intake/listener.test.ts': ['not POST → 405, nothing kept'] },
  },
  {
    guard: 'it listens on 127.0.0.1 alone',
    file: listener,
    is: "host: '127.0.0.1'",
    without: "host: '0.0.0.0'",
    tests: { 'unit/listener/loopback.test.ts': ['listens on the loopback address alone'] },
  },
  {
    guard: 'a signature is `v1,` and 64 digits in lower case',
    file: 'src/webhooks/signature/signature.ts',
    is: 'const signatureValue = /^v1,([0-9a-f]{64})$/;',
    without: 'const signatureValue = /^v1,([0-9a-f]{64})$/i;',
    tests: { 'unit/webhooks/signature/signature.test.ts': ['refuses a signature with'] },
  },
  {
    guard: 'a time is a whole number of seconds',
    file: 'src/webhooks/signature/signature.ts',
    is: 'const unixSeconds = /^(?:0|[1-9]\\d{0,12})$/;',
    without: 'const unixSeconds = /^\\d+(?:\\.\\d+)?$/;',
    tests: {
      'unit/webhooks/signature/signature.test.ts': [
        'refuses the timestamp',
        'where the request id has no dot',
        'and else the longer id begins with the shorter one, a dot and its timestamp',
      ],
    },
  },
  {
    guard: '_Insert Verification Code_ checks as the listener does',
    file: 'media/snippets/typescript/verify.ts',
    is: 'if (!verifyWebhook(header, rawBody, secret)) return 401;',
    without: '',
    tests: {
      'unit/snippets/receivers.test.ts': [
        'answers 401 to what is unsigned, wrong, old or not of the exact form, and does no work',
      ],
    },
  },
  {
    guard: 'it refuses to start without a secret',
    file: 'media/snippets/typescript/node.ts',
    is: 'if (!secret) throw new Error(',
    without: 'if (!secret) console.error(',
    tests: {
      'unit/snippets/receivers.test.ts': ['does not start without a secret, and says what to set'],
    },
  },
  {
    guard: 'it does the work for a request id once',
    file: 'media/snippets/typescript/verify.ts',
    is: 'if (done.has(requestId)) return;',
    without: '',
    tests: {
      'unit/snippets/receivers.test.ts': ['does the work once, however often the webhook comes'],
    },
  },
  {
    guard: 'HMAC-SHA256 over the raw bytes',
    file: 'src/webhooks/signature/signature.ts',
    is: 'return received.length === expected.length && timingSafeEqual(received, expected);',
    without: 'return received.length === expected.length;',
    tests: {
      'unit/listener/forwarding.test.ts': ['hands on what verifies alone, unless all is accepted'],
      'unit/fuzz.test.ts': ['stands inputs that are close to good ones'],
    },
  },
  {
    guard: 'what does not verify is not handed on',
    file: listener,
    is: "return verdict === 'verified' || acceptUnverified ? forwardTo : undefined;",
    without: 'return forwardTo;',
    tests: {
      'unit/listener/forwarding.test.ts': ['hands on what verifies alone, although it is answered with 200'],
    },
  },
  {
    guard: 'the timestamp has to be fresh',
    file: 'src/webhooks/signature/signature.ts',
    is: 'return toleranceSeconds > 0 && Math.abs(ageSeconds) > toleranceSeconds',
    without: 'return false',
    tests: {
      'unit/webhooks/signature/signature.test.ts': [
        'says how old a stale webhook is, and does not look where the tolerance is 0',
      ],
    },
  },
  {
    guard: 'a repeat is not handed on again',
    file: 'src/listener/forwarding/forwardQueue.ts',
    is: 'taken(status) ?? this.#forward(id, bytes, to)',
    without: 'this.#forward(id, bytes, to)',
    tests: { 'unit/listener/forwarding.test.ts': ['does not hand on again what the local app took'] },
  },
  {
    guard: 'limits of size',
    file: incomingBody,
    is: '} else if (this.#length > this.#most) {',
    without: '} else if (false) {',
    tests: { 'unit/listener/rawSockets.test.ts': ['lets go of an endless body that is too large'] },
  },
  {
    guard: 'a body is tried with no more secrets than its size leaves time for',
    file: 'src/listener/intake/secretOrder.ts',
    is: 'const secrets = verifying.slice(0, most);',
    without: 'const secrets = verifying.slice(0, most * 100);',
    tests: {
      'unit/listener/intake/listener.test.ts': [
        'are tried as far as the size of the body leaves time for it, the one that fitted last first',
      ],
    },
  },
  {
    guard: 'a secret that was replaced verifies for ten minutes, the last one alone',
    file: 'src/model/deliveries/webhookSecret.ts',
    is: 'return until === undefined || until > at;',
    without: 'return true;',
    tests: {
      'unit/listener/intake/listener.test.ts': [
        'the secret before a rotation verifies for ten minutes, and the delivery says so',
      ],
      'editor/listener/secrets/webhookSecretStore.test.ts': [
        'rotates each by itself: what was replaced verifies for ten minutes, the last one alone',
      ],
    },
  },
  {
    guard: 'a secret asked for once is stored nowhere',
    file: 'src/editor/listener/secrets/onceSecrets.ts',
    is: 'this.#held = this.#held.filter((one) => verifiesAt(one, now));',
    without: '',
    tests: {
      'editor/listener/secrets/webhookSecretStore.test.ts': [
        'keeps what is asked for once in memory alone: four of them, an hour each',
      ],
    },
  },
  {
    guard: 'the secrets of a project go with it',
    file: 'src/editor/projects/projectCommands.ts',
    is: 'await (await secrets.store()).removeProject(id);',
    without: '',
    tests: {
      'editor/listener/secrets/secretCommands.test.ts': ['are removed with their project, or one by one'],
    },
  },
  {
    guard: 'limits of time',
    file: listener,
    is: 'requestTimeout: request,\n      headersTimeout: headers,',
    without: 'requestTimeout: 0,\n      headersTimeout: 0,',
    tests: {
      'unit/listener/rawSockets.test.ts': [
        'closes on a sender that is too slow, with its headers or with its body, without an answer',
      ],
    },
  },
  {
    guard: 'what cannot be kept gets no answer',
    file: listener,
    is: add,
    without: 'store.add(delivery, kept, kept);',
    tests: {
      'unit/listener/crash.test.ts': [
        'and one whose disk takes no more: gives no answer to what it cannot keep, and goes on',
      ],
    },
  },
  {
    guard: 'it is on the disk before it is acknowledged',
    file: listener,
    is: add,
    without: 'setTimeout(() => store.add(delivery, () => undefined, () => undefined), 100);\n    kept();',
    tests: {
      'unit/listener/crash.test.ts': ['has kept all that it acknowledged, and nothing twice'],
      'unit/listener/soak.test.ts': ['lose nothing that they acknowledged'],
    },
  },
  {
    guard: 'nothing unsigned is taken while strangers can reach the listener',
    file: listener,
    is: ' && !isPublic;',
    without: ';',
    tests: {
      'unit/listener/intake/listener.test.ts': [
        'unsigned while strangers reach it → 401, although no secret is held',
      ],
    },
  },
];
