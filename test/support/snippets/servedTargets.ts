import type { RuntimeName } from '../../../scripts/test/receiverRuntimes.ts';

/** How to serve the verification code of a target, and the changes that the tests make to it. */
export interface ServedTarget {
  /** The runtime that it needs. Defaults to Node. */
  runtime?: RuntimeName;
  /** The file name of the code. */
  file: string;
  /** The build command, run once in its folder. */
  build?: readonly string[];
  serve: readonly string[];
  /** The command that verifies signature cases from its standard input (snippetCases.ts). */
  judge?: readonly string[];
  /** Replacements in the code: smaller limits, and a handler that calls the test. */
  changes: readonly (readonly [text: string, other: string])[];
}

/** The limits that the tests set in each target: the largest body, and the number of remembered request ids. */
export const limits = { bodyBytes: 5000, remembered: 3 };

const callWork = [
  "const answer = await fetch(process.env.WORK_URL!, { method: 'POST', body: JSON.stringify(body) });",
  'if (!answer.ok) throw new Error(`The work answered ${answer.status}.`);',
].join('\n');
const typescript = {
  file: 'webhook.ts',
  serve: [process.execPath, 'webhook.ts'],
  changes: [
    ["console.log('Delivery', body);", callWork],
    ['10_000', `${limits.remembered}`],
  ],
} as const;
const javascript = {
  file: 'webhook.js',
  serve: [process.execPath, 'webhook.js'],
  changes: [
    ["console.log('Delivery', body);", callWork.replace('WORK_URL!', 'WORK_URL')],
    ['10_000', `${limits.remembered}`],
  ],
} as const;
/** The plain function has no server, and so no body limit. */
const functionChanges = [['10_000', `${limits.remembered}`]] as const;
const bodyLimit = ['16 * 1024 * 1024', `${limits.bodyBytes}`] as const;

const python = {
  file: 'webhook.py',
  judge: ['python3', 'driver.py'],
  changes: [
    [
      'print("Delivery", ascii(body))',
      'import urllib.request; urllib.request.urlopen(os.environ["WORK_URL"], json.dumps(body).encode())',
    ],
    ['10_000', `${limits.remembered}`],
    bodyLimit,
  ],
} as const;

/** By the id of the target. */
export const servedTargets: Readonly<Record<string, ServedTarget>> = {
  node: { ...typescript, changes: [...typescript.changes, bodyLimit] },
  express: { ...typescript, changes: [...typescript.changes, ['16mb', `${limits.bodyBytes}b`]] },
  fetch: { ...typescript, serve: [process.execPath, 'serveFetch.ts', 'webhook.ts'] },
  function: {
    ...typescript,
    serve: [process.execPath, 'serveFunction.ts', 'webhook.ts'],
    changes: functionChanges,
  },
  nodeJs: { ...javascript, changes: [...javascript.changes, bodyLimit] },
  expressJs: { ...javascript, changes: [...javascript.changes, ['16mb', `${limits.bodyBytes}b`]] },
  fetchJs: { ...javascript, serve: [process.execPath, 'serveFetch.ts', 'webhook.js'] },
  functionJs: {
    ...javascript,
    serve: [process.execPath, 'serveFunction.ts', 'webhook.js'],
    changes: functionChanges,
  },
  flask: {
    ...python,
    runtime: 'Flask',
    serve: ['python3', '-m', 'flask', '--app', 'webhook', 'run', '--port', '0'],
  },
  fastapi: {
    ...python,
    runtime: 'FastAPI',
    serve: ['python3', '-m', 'uvicorn', 'webhook:app', '--port', '0'],
  },
  go: {
    runtime: 'Go',
    file: 'webhook.go',
    build: ['go', 'build', '-o', 'webhook.exe', 'webhook.go'],
    serve: ['./webhook.exe'],
    judge: ['go', 'run', 'webhook.go', 'driver.go'],
    changes: [
      ['"encoding/json"', '"bytes"\n"encoding/json"'],
      [
        'log.Println("Delivery", body)\n\treturn nil',
        [
          'text, _ := json.Marshal(body)',
          'answer, err := http.Post(os.Getenv("WORK_URL"), "application/json", bytes.NewReader(text))',
          'if err == nil && answer.StatusCode != 200 { err = errors.New(answer.Status) }',
          'return err',
        ].join('\n'),
      ],
      ['10_000', `${limits.remembered}`],
      ['16 << 20', `${limits.bodyBytes}`],
    ],
  },
  ruby: {
    runtime: 'Ruby',
    file: 'webhook.rb',
    serve: ['ruby', 'serve.rb'],
    judge: ['ruby', 'driver.rb'],
    changes: [
      [
        'warn "Delivery #{body}"',
        [
          'require "net/http"',
          'answer = Net::HTTP.post(URI(ENV.fetch("WORK_URL")), JSON.generate(body))',
          'raise "The work answered #{answer.code}." unless answer.is_a?(Net::HTTPSuccess)',
        ].join('\n'),
      ],
      ['10_000', `${limits.remembered}`],
      bodyLimit,
    ],
  },
  php: {
    runtime: 'PHP',
    file: 'webhook.php',
    serve: ['php', '-S', '127.0.0.1:0', 'webhook.php'],
    judge: ['php', 'driver.php'],
    changes: [
      [
        "error_log('Delivery ' . json_encode($body));",
        [
          '$content = json_encode($body, JSON_INVALID_UTF8_SUBSTITUTE);',
          "$request = ['method' => 'POST', 'content' => $content, 'follow_location' => 0];",
          "$context = stream_context_create(['http' => $request]);",
          // Output of the handler must not change the answer.
          "echo 'at work';",
          "@file_get_contents(getenv('WORK_URL'), false, $context);",
          "if (!str_contains($http_response_header[0] ?? '', '200')) { throw new Exception('No.'); }",
        ].join('\n'),
      ],
      ['random_int(1, 100)', '1'],
      bodyLimit,
    ],
  },
  java: {
    runtime: 'Java',
    file: 'WebhookReceiver.java',
    build: ['javac', 'WebhookReceiver.java', 'Driver.java'],
    serve: ['java', 'WebhookReceiver'],
    judge: ['java', 'Driver'],
    changes: [
      [
        'System.out.println("Delivery " + body);',
        [
          'var work = java.net.http.HttpRequest.newBuilder(java.net.URI.create(System.getenv("WORK_URL")))',
          '.POST(java.net.http.HttpRequest.BodyPublishers.ofString(body)).build();',
          'var answer = java.net.http.HttpClient.newHttpClient()',
          '.send(work, java.net.http.HttpResponse.BodyHandlers.discarding());',
          'if (answer.statusCode() != 200) throw new IOException("The work failed.");',
        ].join('\n'),
      ],
      ['10_000', `${limits.remembered}`],
      bodyLimit,
    ],
  },
};
