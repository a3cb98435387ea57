/** Beginnings of files as they are found in public repositories, by the name of the file. The code has to parse in each. */
export const scriptHeads: readonly [name: string, text: string][] = [
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
    "import express from './own-express.js';\nimport * as crypto from 'node:crypto';\n\nexport { express as answerWebhook };\nfunction verifyWebhook() {}\nexport const createHmac = crypto.createHmac;\nclass Server {}\nexport default class Main extends Server {\n  static { this.done = true; }\n}\n",
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
