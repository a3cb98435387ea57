import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transform, type TransformFailure } from 'esbuild';
import fc from 'fast-check';
import {
  placedCode,
  verificationCode,
  type VerificationTarget,
  verificationTargets,
} from '../../../../src/service/signature/verificationCode.ts';
import { root } from '../../../../scripts/checkout.ts';

/** Beginnings of files as they are found in public repositories, by the name of the file. The code has to parse in each. */
const scriptHeads: readonly [name: string, text: string][] = [
  [
    'app.js',
    "var express = require('express'),\n    bodyParser = require('body-parser'),\n    app = express();\n\napp.use(bodyParser.json());\napp.listen(3000);\n",
  ],
  [
    'routes.js',
    "'use strict';\n\nconst express = require('express')\n  , http = require('http')\n  , path = require('path');\n\nconst app = module.exports = express();\napp.set('port', process.env.PORT || 3000);\n",
  ],
  [
    'server.js',
    "require('dotenv').config();\nconst express = require('express');\nconst { createHmac } = require('crypto');\n\nconst app = express();\nconst secret = process.env.SECRET;\n\napp.get('/', (req, res) => {\n  res.send(`hello ${req.query.name}`);\n});\n\nconst server = app.listen(process.env.PORT, () => console.log('up'));\n\nmodule.exports = { app, server };\n",
  ],
  [
    'once.js',
    "const { once } = require('events');\nconst server = require('http').createServer();\n\nasync function main() {\n  await once(server, 'listening');\n}\n\nmain();\n",
  ],
  [
    'standard.mjs',
    "import express from 'express'\nimport cors from 'cors'\nimport { fileURLToPath } from 'node:url'\n\nconst app = express()\nconst done = new Set()\n\napp\n  .use(cors())\n  .use(express.json())\n\nexport default app\n",
  ],
  [
    'bare.cjs',
    "#!/usr/bin/env node\n'use strict';\n\nfunction parseBody(text) {\n  return /[/\"']\\/{/.test(text) ? 1 / 2 : text;\n}\n\nparseBody('a');\n",
  ],
  [
    'nest.ts',
    "import { Controller, Post } from '@nestjs/common';\nimport type { Request } from 'express';\n\n@Controller('hooks')\n@Other({\n  a: 1,\n})\nexport class HookController {\n  private readonly running = new Map<string, string>();\n\n  @Post()\n  take(request: Request): void {}\n}\n",
  ],
  [
    'server.ts',
    "import express, { type Request, type Response } from 'express';\nimport http = require('http');\n\ntype Header = (name: string) => string;\ninterface State {\n  done: boolean;\n}\n\nexport const app: express.Express = express();\nlet secret: string | undefined;\n\napp.post(\n  '/other',\n  async (request: Request, response: Response) => {\n    response.json({ ok: true });\n  },\n);\n",
  ],
  [
    'next.ts',
    "import { NextResponse } from 'next/server';\nimport {\n  createHmac,\n  timingSafeEqual as equal,\n} from 'crypto';\n\nexport const runtime = 'nodejs';\n\nexport async function POST(request: Request) {\n  const text = await request.text();\n  if (!text) {\n    return NextResponse.json({ error: 'none' }, { status: 400 });\n  } else {\n    return NextResponse.json({});\n  }\n}\n",
  ],
  [
    'lambda.mjs',
    "import { Buffer } from 'node:buffer';\n\nexport const handler = async (event) => {\n  const body = event.isBase64Encoded ? Buffer.from(event.body, 'base64') : event.body;\n  return { statusCode: 200, body };\n};\n",
  ],
  [
    'koa.js',
    "const Koa = require('koa');\nconst Router = require('@koa/router');\n\nconst app = new Koa();\nconst router = new Router();\n\nrouter.post('/', async (ctx) => {\n  ctx.body = 'ok';\n});\n\napp.use(router.routes()).use(router.allowedMethods());\n",
  ],
  [
    'one.js',
    "const app = require('express')();\nconst http = require('http').Server(app);\n\nhttp.listen(3000);\n",
  ],
  [
    'fastify.mjs',
    "import Fastify from 'fastify';\n\nconst app = Fastify({ logger: true });\n\ntry {\n  await app.listen({ port: 3000 });\n} catch (error) {\n  app.log.error(error);\n  process.exit(1);\n}\n",
  ],
  [
    'hono.ts',
    "import { Hono } from 'hono';\nimport { serve } from '@hono/node-server';\n\nconst app = new Hono<{ Bindings: { SECRET: string } }>();\n\napp.get('/', (c) => c.text('hi'));\n\nserve({ fetch: app.fetch, port: 3000 });\n",
  ],
  [
    'react.js',
    "import React from 'react';\n\nexport default function App({ done }) {\n  if (done) return <p>It's done &amp; dusted</p>;\n  return (\n    <a href=\"https://example.com\">{done ? 'a' : \"b\"}</a>\n  );\n}\n",
  ],
  [
    'iife.js',
    "(function () {\n  var app = window.app || {};\n  var secret = 'a';\n  app.run(secret);\n})();\n",
  ],
  [
    'hoisted.js',
    "if (process.env.NODE_ENV !== 'production') {\n  var server = require('./dev');\n}\n\nfor (var running = 0; running < 2; running += 1) {\n  server.tick();\n}\nexports.server = server;\n",
  ],
  [
    'templates.js',
    "const query = `\n  import { nothing } from 'here';\n  ${[1, 2].map((n) => `const app${n} = {${n}}`).join('\\n')}\n  // no comment ' \" `;\n\nconsole.log(query);\n",
  ],
  [
    'licence.js',
    "/*!\n * import x from 'x';\n * var app = 1;\n */\n\n// const secret = 1;\nvar a = 1,\n    b = /\\/*/.test('x');\nlet c\n  = 3\n\nlet d = a\n/ b / c;\n",
  ],
  [
    'twice.mjs',
    "import express from './own-express.js';\nimport * as crypto from 'node:crypto';\n\nexport { express as receiveWebhook };\nfunction verifyWebhook() {}\nexport const createHmac = crypto.createHmac;\nclass Server {}\nexport default class Main extends Server {\n  static { this.done = true; }\n}\n",
  ],
  [
    'commonjs.ts',
    "const fs = require('fs');\nenum Colour {\n  red,\n}\n\nmodule.exports = { fs, Colour };\n",
  ],
  [
    'switch.js',
    "const kind = process.argv[2];\nswitch (kind) {\n  case 'a':\n    console.log(1);\n    break;\n  default: {\n    console.log(2);\n  }\n}\ndo {\n  console.log(kind);\n} while (kind === 'b');\nlabel:\nfor (const one of []) continue label;\n",
  ],
  [
    'windows.js',
    "var express = require('express'),\r\n  app = express();\r\n\r\napp.get('/', function (req, res) {\r\n  res.end();\r\n});\r\n",
  ],
  ['empty lines.js', '\n\n\n'],
  [
    'destructured.mjs',
    "import dotenv from 'dotenv';\nconst { PORT: port = 3000, once, ...rest } = process.env;\nconst [running, , { secret }] = [1, 2, { secret: 3 }];\n\ndotenv.config();\nconsole.log(port, once, rest, running, secret);\n",
  ],
];

const code =
  "import express from 'express';\nimport { createHmac, timingSafeEqual } from 'node:crypto';\n\nexport function verify() {}\n";
const imports =
  "import express from 'express';\nimport { createHmac, timingSafeEqual } from 'node:crypto';\n";

/** The file with the imports where they go. */
const placed = (text: string): string => {
  const { at, imports: added } = placedCode({ text, name: 'a.js' }, code);
  return `${text.slice(0, at)}${added}${text.slice(at)}`;
};

describe('code that is put into a file of JavaScript', () => {
  const cases: [string, before: string, after: string][] = [
    ['at the top', 'run();\n', `${imports}run();\n`],
    ['behind a shebang', '#!/usr/bin/env node\nrun();\n', `#!/usr/bin/env node\n${imports}run();\n`],
    ['behind use strict', "'use strict';\n\nrun();\n", `'use strict';\n${imports}\nrun();\n`],
    ['behind the licence', '/* Licence */\n\nrun();\n', `/* Licence */\n${imports}\nrun();\n`],
    [
      'behind a licence of lines',
      '// Licence\n// more\n\nrun();\n',
      `// Licence\n// more\n${imports}\nrun();\n`,
    ],
    [
      'above the comment of code',
      '/** Runs. */\nfunction run() {}\n',
      `${imports}/** Runs. */\nfunction run() {}\n`,
    ],
    [
      'behind the imports',
      "import a from 'a';\nimport {\n  b,\n} from 'b';\n\nrun();\n",
      `import a from 'a';\nimport {\n  b,\n} from 'b';\n${imports}\nrun();\n`,
    ],
    [
      'behind imports and a comment',
      "// Licence\n\nimport 'a';\n/** Runs. */\nrun();\n",
      `// Licence\n\nimport 'a';\n${imports}/** Runs. */\nrun();\n`,
    ],
    [
      'with line ends of Windows',
      "import a from 'a';\r\nrun();\r\n",
      `import a from 'a';\r\n${imports}run();\r\n`,
    ],
  ];
  for (const [where, before, after] of cases) {
    it(`has its imports ${where}`, () => assert.equal(placed(before), after));
  }

  it('imports nothing twice', () => {
    const there = "import express, { Router } from 'express';\nimport { createHmac } from 'crypto';\n";
    assert.equal(
      placedCode({ text: there, name: 'a.js' }, code).imports,
      "import { timingSafeEqual } from 'node:crypto';\n",
    );
    assert.equal(placedCode({ text: placed(''), name: 'a.js' }, code).imports, '');
    // Under another name it does not exist.
    assert.match(
      placedCode({ text: "import { createHmac as h } from 'crypto';\n", name: 'a.js' }, code).imports,
      /createHmac/,
    );
  });

  it('requires what it needs where the file does', () => {
    const text = "const express = require('express');\nmodule.exports = {};\n";
    const { imports: added, rest } = placedCode({ text, name: 'a.js' }, code);
    assert.equal(added, "const { createHmac, timingSafeEqual } = require('node:crypto');\n");
    assert.equal(rest, 'function verify() {}\n');
  });

  it('is the rest of it where the cursor is', () => {
    assert.equal(placedCode({ text: 'run();\n', name: 'a.js' }, code).rest, 'export function verify() {}\n');
  });
});

describe('verification code that is put into a file', () => {
  const codes = new Map<string, string>();
  before(async () => {
    const read = (file: string) => readFile(join(root, 'media/snippets', file), 'utf8');
    for (const target of verificationTargets) codes.set(target.id, await verificationCode(target, read));
  });
  const targetsOf = (name: string): VerificationTarget[] =>
    verificationTargets.filter(
      ({ language }) => language === (/ts$/.test(name) ? 'typescript' : 'javascript'),
    );
  const put = (name: string, text: string, target: string, cursor: number): string => {
    const { imports, at, rest, restAt } = placedCode({ text, name }, codes.get(target)!, cursor);
    assert.ok(restAt >= at);
    return `${text.slice(0, at)}\n${imports}${text.slice(at, restAt)}\n${rest}${text.slice(restAt)}`;
  };

  /** The start, the middle and the end of each line. */
  const cursorsIn = (text: string): number[] =>
    [...text.matchAll(/^.*$/gm)].flatMap(({ index, 0: line }) => [
      index,
      index + Math.floor(line.length / 2),
      index + line.length,
    ]);

  it('parses, and no name is declared twice, wherever the cursor is in files of many kinds', async () => {
    for (const [name, text] of scriptHeads) {
      assert.deepEqual(await mistakesOf(name, text), [], name);
      const wholes = new Set<string>();
      for (const { id } of targetsOf(name)) {
        const cursors = id.startsWith('express') ? cursorsIn(text) : [0, text.length / 2, text.length];
        for (const cursor of cursors) wholes.add(put(name, text, id, Math.floor(cursor)));
      }
      const found = await Promise.all(
        [...wholes].map(async (whole) => [await mistakesOf(name, whole), whole]),
      );
      for (const [mistakes, whole] of found) assert.deepEqual(mistakes, [], `${name}:\n${String(whole)}`);
    }
  });

  it('parses where it is put in more than once', async () => {
    const ofScripts = scriptHeads.filter(([name]) => name.endsWith('.js'));
    const target = fc.constantFrom('expressJs', 'nodeJs', 'functionJs', 'fetchJs');
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...ofScripts),
        target,
        target,
        fc.nat(),
        async (head, one, other, anywhere) => {
          const [name, text] = head;
          const once = put(name, text, one, anywhere % (text.length + 1));
          const twice = put(name, once, other, anywhere % (once.length + 1));
          assert.deepEqual(await mistakesOf(name, twice), [], twice);
        },
      ),
    );
  });

  it('adds its route to the app of Express that the file has, behind it, and does not listen twice', () => {
    const cases: [name: string, text: string, route: RegExp][] = [
      [
        'a.js',
        "var express = require('express'),\n  api = express();\napi.listen(1);\n",
        /;\n+.*\napi\.post\(\s*'/s,
      ],
      ['a.mjs', "import web from 'express';\nconst site = web();\n", /web\(\);\n.*site\.post\(\s*'/s],
      ['a.js', "let x = 1, site = module.exports = require('express')();\n", /\(\);\n.*site\.post\(\s*'/s],
      ['a.js', "const app = require('express')();\n", /\(\);\n.*app\.post\(\s*'/s],
    ];
    for (const [name, text, route] of cases) {
      const whole = put(name, text, 'expressJs', 0);
      assert.match(whole, route);
      assert.doesNotMatch(whole, /\.listen\(Number/);
      assert.equal(whole.match(/express\(\)|web\(\)|'\)\(\)/g)?.length, 1, whole);
    }
    // Another app is not one of Express.
    assert.match(
      put('a.mjs', 'const app = new Koa();\n', 'expressJs', 0),
      /const app2 = express\(\);.*app2\.post/s,
    );
  });
});

/** What a parser says against a file: mistakes in its form, and names that are declared twice. */
async function mistakesOf(name: string, text: string): Promise<string[]> {
  try {
    await transform(text, { loader: /ts$/.test(name) ? 'ts' : 'jsx', logLevel: 'silent' });
    return [];
  } catch (error) {
    return (error as TransformFailure).errors.map(
      ({ text: mistake, location }) => `${location?.line}: ${mistake}`,
    );
  }
}
