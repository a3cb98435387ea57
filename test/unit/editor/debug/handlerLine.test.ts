import assert from 'node:assert/strict';
import { handlerLine } from '../../../../src/editor/debug/handlerLine.ts';

describe('the first line of a handler', () => {
  const cases: [title: string, text: string, path: string][] = [
    ['a route of Express', "app.post('/hook', (request, response) => {\n  work(); // here\n});", '/hook'],
    [
      'a route after another',
      "app.post('/other', (a) => {\n  other();\n});\napp.post('/hook', raw, async (request) => {\n  work(); // here\n});",
      '/hook',
    ],
    ['a path that is compared', "if (request.url === '/hook') {\n\n  // why\n  work(); // here\n}", '/hook'],
    ['all in one line', "app.post('/hook', (_, response) => response.end()); // here", '/hook'],
    [
      'a route of Flask',
      '@app.post("/hook")\n@verified\ndef hook():\n    """What it does."""\n    work()  # here\n',
      '/hook',
    ],
    ['a server that takes all', 'createServer((request, response) => {\n  work(); // here\n});', '/hook'],
    [
      "a handler of Python's server",
      'class Handler(BaseHTTPRequestHandler):\n    def do_POST(self):\n        work()  # here\n',
      '/hook',
    ],
    [
      'a route of Next.js',
      'export async function POST(request: Request) {\n  work(); // here\n}',
      '/api/hook',
    ],
    [
      'a server whose handler is a function of its own',
      'function onDelivery(request) {\n  work(); // here\n}\nhttp\n  .createServer(onDelivery)\n  .listen(3000, () => {\n    up();\n  });',
      '/hook',
    ],
    [
      'a server that listens in the same line',
      "const onDelivery = async (request) => {\n  work(); // here\n};\nhttp.createServer(onDelivery).listen(3000, '127.0.0.1', () => {\n  up();\n});",
      '/hook',
    ],
    [
      'a route whose handler is a function of its own',
      "app.post('/hook', express.raw(), onDelivery);\napp.listen(3000, () => {\n  up();\n});\nasync function onDelivery(request) {\n  work(); // here\n}",
      '/hook',
    ],
    [
      'a route chained to its path',
      "router.route('/hook')\n  .post(async (request) => {\n    work(); // here\n  });",
      '/hook',
    ],
    [
      'a handler in one line above what listens',
      'createServer((_, response) => response.end()) // here\nserver.listen(3000, () => {\n  up();\n});',
      '/hook',
    ],
    [
      'a handler of another file',
      "import { onDelivery } from './hook.js';\ncreateServer(onDelivery).listen(3000, () => {\n  up();\n});",
      '/hook',
    ],
    ['nothing of it', "fetch('/hook');\nconst path = '/hook';", '/hook'],
  ];
  for (const [title, text, path] of cases) {
    it(`is found by ${title}`, () => {
      const expected = text.split('\n').findIndex((line) => line.endsWith(' here'));
      assert.equal(handlerLine(text, path) ?? -1, expected);
    });
  }
});
