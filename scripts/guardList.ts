/** A guard of the threat model in SECURITY.md, how to take it away, and the test that has to fail then. */
export interface Guard {
  /** In the words of SECURITY.md. */
  guard: string;
  /** The file that it stands in, and the text that is it. */
  file: string;
  is: string;
  /** What takes its place. */
  without: string;
  /** The file below test/, and the words of the test. */
  test: string;
  title: string;
}

const listener = 'src/webhooks/listener.ts';

/** Those whose tests run in plain Node; the others of SECURITY.md need an editor. */
export const guards: readonly Guard[] = [
  {
    guard: 'a request with an `Origin` header gets 403',
    file: listener,
    is: "if (headerOf(request.rawHeaders, 'origin') !== undefined) {",
    without: 'if (false) {',
    test: 'unit/webhooks/listener.test.ts',
    title: 'from a web page → 403, nothing kept',
  },
  {
    guard: 'it answers POST alone',
    file: listener,
    is: "if (request.method !== 'POST') {",
    without: 'if (false) {',
    test: 'unit/webhooks/listener.test.ts',
    title: 'not POST → 405, nothing kept',
  },
  {
    guard: 'it listens on 127.0.0.1 alone',
    file: listener,
    is: "host: '127.0.0.1'",
    without: "host: '0.0.0.0'",
    test: 'unit/webhooks/loopback.test.ts',
    title: 'listens on the loopback address alone',
  },
  {
    guard: 'HMAC-SHA256 over the raw bytes',
    file: 'src/webhooks/signature.ts',
    is: 'return received.length === expected.length && timingSafeEqual(received, expected);',
    without: 'return received.length === expected.length;',
    test: 'unit/webhooks/forwarding.test.ts',
    title: 'hands on what verifies alone, unless all is accepted',
  },
  {
    guard: 'what does not verify is not handed on',
    file: listener,
    is: "return verdict === 'verified' || acceptUnverified ? forwardTo : undefined;",
    without: 'return forwardTo;',
    test: 'unit/webhooks/forwarding.test.ts',
    title: 'hands on what verifies alone, although it is answered with 200',
  },
  {
    guard: 'the timestamp has to be fresh',
    file: 'src/webhooks/signature.ts',
    is: 'return toleranceSeconds > 0 && Math.abs(ageSeconds) > toleranceSeconds',
    without: 'return false',
    test: 'unit/webhooks/signature.test.ts',
    title: 'says how old a stale webhook is',
  },
  {
    guard: 'a repeat is not handed on again',
    file: 'src/webhooks/handOn.ts',
    is: 'this.#store.takenStatus(first) ?? this.#forward(id, to)',
    without: 'this.#forward(id, to)',
    test: 'unit/webhooks/forwarding.test.ts',
    title: 'does not hand on again what the local app took',
  },
  {
    guard: 'limits of size',
    file: 'src/webhooks/readBody.ts',
    is: "if (bytes > maxBytes) finish({ kind: 'tooLarge' });",
    without: '',
    test: 'unit/webhooks/rawSockets.test.ts',
    title: 'lets go of an endless body that is too large',
  },
  {
    guard: 'limits of time',
    file: listener,
    is: 'requestTimeout: limits.request,\n      headersTimeout: limits.headers,',
    without: 'requestTimeout: 0,\n      headersTimeout: 0,',
    test: 'unit/webhooks/rawSockets.test.ts',
    title: 'closes on a sender that is too slow',
  },
  {
    guard: 'idle connections cost nobody else',
    file: listener,
    is: '    this.#server = server;\n',
    without: '    this.#server = server;\n    server.maxConnections = 1000;\n',
    test: 'unit/webhooks/rawSockets.test.ts',
    title: 'takes a delivery beside 5,000 connections that say nothing',
  },
  {
    guard: 'what cannot be kept gets no answer',
    file: listener,
    is: 'store.add(delivery, kept, () => request.socket.destroy());',
    without: 'store.add(delivery, kept, kept);',
    test: 'unit/webhooks/crash.test.ts',
    title: 'and one whose disk takes no more',
  },
  {
    guard: 'it is on the disk before it is acknowledged',
    file: listener,
    is: 'store.add(delivery, kept, () => request.socket.destroy());',
    without: 'setTimeout(() => store.add(delivery, () => undefined, () => undefined), 100);\n    kept();',
    test: 'unit/webhooks/crash.test.ts',
    title: 'has kept all that it acknowledged, and nothing twice',
  },
  {
    guard: 'both addresses can be set by the user alone',
    file: 'package.json',
    is: '"runhook.baseUrl": {\n          "type": "string",\n          "default": "",\n          "scope": "application"',
    without:
      '"runhook.baseUrl": {\n          "type": "string",\n          "default": "",\n          "scope": "resource"',
    test: 'unit/manifest.test.ts',
    title: 'lets no workspace redirect tokens, or choose what is executed',
  },
  {
    guard: '`runhook.listener.forwardTo` is ignored while the workspace is not trusted',
    file: 'package.json',
    is: '"restrictedConfigurations": [\n        "runhook.listener.forwardTo"\n      ]',
    without: '"restrictedConfigurations": []',
    test: 'unit/manifest.test.ts',
    title: 'lets no workspace redirect tokens, or choose what is executed',
  },
  {
    guard: 'nothing unsigned is taken while strangers can reach the listener',
    file: listener,
    is: ' && !isPublic;',
    without: ';',
    test: 'unit/webhooks/listener.test.ts',
    title: 'unsigned while strangers reach it → 401, although no secret is held',
  },
  {
    guard: 'the parser is strict',
    file: listener,
    is: 'const server = http.createServer({',
    without: 'const server = http.createServer({\n      insecureHTTPParser: true,',
    test: 'unit/webhooks/rawSockets.test.ts',
    title: 'both a length and chunks',
  },
  {
    guard: 'a body that is shorter than it was said to be is not kept',
    file: 'src/webhooks/readBody.ts',
    is: "if (chunks !== undefined) finish({ kind: 'cut' });",
    without: "if (chunks !== undefined) finish({ kind: 'whole', body: Buffer.concat(chunks) });",
    test: 'unit/webhooks/rawSockets.test.ts',
    title: 'keeps nothing of a body that is shorter than its Content-Length',
  },
  {
    guard: 'no redirect is followed',
    file: 'src/client/fetchTransport.ts',
    is: "redirect: 'manual'",
    without: "redirect: 'follow'",
    test: 'unit/client/transport.test.ts',
    title: 'follows no redirect: a token stays with its origin',
  },
  {
    guard: 'the token that was sent is masked in an answer',
    file: 'src/client/managementClient.ts',
    is: '.replaceAll(token, masked)',
    without: '',
    test: 'unit/client/managementClient.test.ts',
    title: 'takes its own token out of a list that holds it',
  },
  {
    guard: 'what looks like a token is masked',
    file: 'src/model/masking.ts',
    is: "if (typeof value === 'string') return maskSecrets(value);",
    without: "if (typeof value === 'string') return value;",
    test: 'unit/model/masking.test.ts',
    title: 'takes secrets out of JSON, in names too, and keeps the rest',
  },
  {
    guard: 'text of the service is shown as text',
    file: 'src/model/plainText.ts',
    is: ".replaceAll('$(', '$\\u200b(')",
    without: '',
    test: 'unit/model/plainText.test.ts',
    title: 'draws no icon',
  },
  {
    guard: 'the model cannot say that you have agreed',
    file: 'src/editor/agents/toolInputs.ts',
    is: 'applySettings: v.strictObject(',
    without: 'applySettings: v.object(',
    test: 'unit/editor/agents/toolInputs.test.ts',
    title: "applySettings: takes neither a secret nor the user's agreement",
  },
  {
    guard: "the check of certificates is the editor's",
    file: 'src/client/undiciTransport.ts',
    is: 'rejectUnauthorized: options.strictSsl,',
    without: 'rejectUnauthorized: false,',
    test: 'unit/client/network.test.ts',
    title: 'is refused where nobody trusts it, with a reason, and not tried again',
  },
];
