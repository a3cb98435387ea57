import type { Guard } from './guard.ts';

const curl = 'src/webhooks/deliveries/curl.ts';

/** Against the answers of the service, and what apps return. */
export const serviceGuards: readonly Guard[] = [
  {
    guard: 'the query of an endpoint is in no attempt of the sandbox',
    file: 'src/sandbox/webhook/webhookSender.ts',
    is: 'return `${origin}${pathname}`;',
    without: 'return endpoint.href;',
    tests: {
      'unit/sandbox/webhook/attemptLog.test.ts': ['tells nothing without a token, and nothing of secrets'],
    },
  },
  {
    guard: 'no redirect is followed, by fetch',
    file: 'src/client/fetchTransport.ts',
    is: "redirect: 'manual'",
    without: "redirect: 'follow'",
    tests: { 'unit/client/transport.test.ts': ['follows no redirect: a token stays with its origin'] },
  },
  {
    guard: 'no redirect is followed, by undici',
    file: 'src/client/undiciTransport.ts',
    is: 'await dispatcher.request(',
    without: 'await dispatcher.compose(undici.interceptors.redirect({ maxRedirections: 5 })).request(',
    tests: { 'unit/client/transport.test.ts': ['follows no redirect: a token stays with its origin'] },
  },
  {
    guard: 'the token that was sent is masked in an answer',
    file: 'src/client/managementClient.ts',
    is: 'this.#mask.text(await read)',
    without: 'await read',
    tests: {
      'unit/client/managementClient.test.ts': [
        'never repeats its own token, even where the service echoes it',
        'takes its own token out of a list that holds it',
      ],
    },
  },
  {
    guard: 'token and secret are taken out of every answer of an app',
    file: 'src/client/runClient.ts',
    is: '[this.#token, ...(call.secret ? [call.secret] : [])]',
    without: '[]',
    tests: {
      'unit/client/runClient.test.ts': [
        'gives the token and the secret to nobody, where the answer echoes them',
      ],
      'ui/tokens.test.ts': ['no token and no secret stands anywhere'],
      'editor/otherExtensions.test.ts': [
        'gets neither a token nor a secret from what it calls or from the API',
      ],
    },
  },
  {
    guard: 'what looks like a token is masked',
    file: 'src/model/masking/masking.ts',
    is: "if (typeof value === 'string') return maskSecrets(value);",
    without: "if (typeof value === 'string') return value;",
    tests: {
      'unit/model/masking/masking.test.ts': ['takes secrets out of JSON, in names too, and keeps the rest'],
    },
  },
  {
    guard: 'what looks for tokens takes no longer than the text is long',
    file: 'src/model/masking/masking.ts',
    is: '(?<![\\w-])[\\w-]+\\.',
    without: '[\\w-]+\\.',
    tests: { 'unit/model/masking/masking.test.ts': ['takes no longer than the text is long'] },
  },
  {
    guard: 'text of the service is shown as text',
    file: 'src/model/text/plainText.ts',
    is: ".replaceAll('$(', '$\\u200b(')",
    without: '',
    tests: {
      'unit/model/text/plainText.test.ts': ['draws no icon'],
    },
  },
  {
    guard: 'no link is made of text of the service',
    file: 'src/model/text/plainText.ts',
    is: "return text.replaceAll('](', ']\\u200b(');",
    without: 'return text;',
    tests: {
      'unit/model/hostileTexts.test.ts': ['stays what it is in a label and in a message'],
      'editor/hostileTexts.test.ts': ['makes no link in a notification, which could run a command'],
    },
  },
  {
    guard: 'a delivery is one line, whatever it holds',
    file: 'src/model/text/oneLine.ts',
    is: ".replace(/[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Bidi_Control}]/gu, '·')",
    without: '',
    tests: {
      'unit/model/hostileTexts.test.ts': ['is one line of the output, whichever part of a delivery it is'],
    },
  },
  {
    guard: 'an answer has a limit of size',
    file: 'src/client/boundedBody.ts',
    is: 'if (bytes > maxBytes) {',
    without: 'if (false) {',
    tests: { 'unit/client/answer.test.ts': ['is not read on where it never ends'] },
  },
  {
    guard: 'an answer has a limit of time',
    file: 'src/client/timeLimit.ts',
    is: 'if (timeoutMs === undefined) return;',
    without: 'if (timeoutMs !== undefined) return;',
    tests: {
      'unit/client/serviceFaults.test.ts': ['is let go of: no connection stays behind what was given up'],
    },
  },
  {
    guard: "the check of certificates is the editor's",
    file: 'src/client/undiciTransport.ts',
    is: 'rejectUnauthorized: options.strictSsl,',
    without: 'rejectUnauthorized: false,',
    tests: {
      'unit/client/network.test.ts': [
        'is refused where nobody trusts it, with a reason, and not tried again',
      ],
    },
  },
  {
    guard: '`$RUNHOOK_TOKEN` stands for a token',
    file: curl,
    is: 'return shellWord(`${name}: ${scheme}`) + `"$${tokenVariable}"`;',
    without: 'return shellWord(`${name}: ${value}`);',
    tests: { 'unit/webhooks/deliveries/curl.test.ts': ['holds no token and no secret'] },
  },
  {
    guard: '`$RUNHOOK_WEBHOOK_SECRET` stands for a secret',
    file: curl,
    is: 'const variables = secrets.map((value): Variable => ({ value, name: secretVariable }));',
    without: 'const variables: Variable[] = [];',
    tests: { 'unit/webhooks/deliveries/curl.test.ts': ['holds no token and no secret'] },
  },
  {
    guard: 'text is quoted for the shell',
    file: 'src/webhooks/deliveries/shellWord.ts',
    is: "\n    .replaceAll(\"'\", String.raw`'\\''`)",
    without: '',
    tests: {
      'unit/webhooks/deliveries/curl.test.ts': ['keeps a URL, its query and its brackets as they are'],
    },
  },
  {
    guard: 'the explanation of a delivery masks the secrets that are held',
    file: 'src/webhooks/explanation/explanation.ts',
    is: 'return new SecretMask([...secrets, ...(only ? [only] : [])].map(({ secret }) => secret));',
    without: 'return new SecretMask([secrets, only].flatMap(() => []));',
    tests: {
      'unit/webhooks/explanation/explanation.test.ts': [
        'holds no secret, not even where a header or the body does',
        'holds no secret in any other writing, nor the beginning of one where a body is cut',
      ],
    },
  },
];
