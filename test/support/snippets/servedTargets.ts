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
  /**
   * Replacements in the code: smaller limits, a handler that calls the test, and a middleware that reads the body first of a
   * request with the header `X-Read-Before`.
   */
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
const readBefore = {
  node: [
    'const rawBody = await readBody(',
    "if (request.headers['x-read-before']) for await (const _ of request);\nconst rawBody = await readBody(",
  ],
  express: [
    'const app = express();',
    `const app = express();
    const parsers: Record<string, express.RequestHandler> = {
      json: express.json(),
      stream: (request, _, next) => void request.resume().once('end', () => next()),
      none: (_request, _response, next) => next(),
    };
    app.use((request, response, next) => {
      parsers[request.get('x-read-before') ?? 'none']!(request, response, next);
    });`,
  ],
  fetch: [
    'const rawBody = await',
    "if (request.headers.get('x-read-before')) await request.json();\nconst rawBody = await",
  ],
} as const;
const withoutTypes = ([text, other]: readonly [string, string]) =>
  [text, other.replace(': Record<string, express.RequestHandler>', '').replace(']!(', '](')] as const;
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
  node: { ...typescript, changes: [...typescript.changes, bodyLimit, readBefore.node] },
  express: {
    ...typescript,
    changes: [...typescript.changes, ['16mb', `${limits.bodyBytes}b`], readBefore.express],
  },
  fetch: {
    ...typescript,
    serve: [process.execPath, 'serveFetch.ts', 'webhook.ts'],
    changes: [...typescript.changes, readBefore.fetch],
  },
  function: {
    ...typescript,
    serve: [process.execPath, 'serveFunction.ts', 'webhook.ts'],
    changes: functionChanges,
  },
  nodeJs: { ...javascript, changes: [...javascript.changes, bodyLimit, readBefore.node] },
  expressJs: {
    ...javascript,
    changes: [...javascript.changes, ['16mb', `${limits.bodyBytes}b`], withoutTypes(readBefore.express)],
  },
  fetchJs: {
    ...javascript,
    serve: [process.execPath, 'serveFetch.ts', 'webhook.js'],
    changes: [...javascript.changes, readBefore.fetch],
  },
  functionJs: {
    ...javascript,
    serve: [process.execPath, 'serveFunction.ts', 'webhook.js'],
    changes: functionChanges,
  },
  flask: {
    ...python,
    runtime: 'Flask',
    changes: [
      ...python.changes,
      [
        'raw_body = read_body()',
        'request.headers.get("X-Read-Before") and request.stream.read(); raw_body = read_body()',
      ],
    ],
    serve: ['python3', '-m', 'flask', '--app', 'webhook', 'run', '--port', '0'],
  },
  fastapi: {
    ...python,
    runtime: 'FastAPI',
    changes: [
      ...python.changes,
      [
        'app = FastAPI()',
        [
          'class ReadsBefore:',
          '    def __init__(self, app):',
          '        self.app = app',
          '    async def __call__(self, scope, receive, send):',
          '        if scope["type"] == "http" and any(name == b"x-read-before" for name, _ in scope["headers"]):',
          '            while (await receive()).get("more_body"):',
          '                pass',
          '        await self.app(scope, receive, send)',
          'app = FastAPI()',
          'app.add_middleware(ReadsBefore)',
        ].join('\n'),
      ],
      ['READ_SECONDS = 30', 'READ_SECONDS = 1'],
    ],
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
      [
        'rawBody, err := io.ReadAll',
        'if request.Header.Get("X-Read-Before") != "" { io.Copy(io.Discard, request.Body) }\nrawBody, err := io.ReadAll',
      ],
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
      [
        'input.rewind if input.respond_to?(:rewind)',
        'env["HTTP_X_READ_BEFORE"] ? input.read : input.rewind if input.respond_to?(:rewind)',
      ],
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
      [
        'byte[] rawBody = exchange',
        'if (exchange.getRequestHeaders().containsKey("X-Read-Before")) exchange.getRequestBody().readAllBytes();\nbyte[] rawBody = exchange',
      ],
    ],
  },
};
