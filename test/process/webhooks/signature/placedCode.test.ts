import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transform, type TransformFailure } from 'esbuild';
import fc from 'fast-check';
import { root } from '../../../../scripts/checkout.ts';
import {
  type VerificationTarget,
  placedCode,
  verificationCode,
  verificationTargets,
} from '../../../../src/webhooks/signature/verificationCode.ts';
import { scriptHeads } from '../../../support/snippets/scriptHeads.ts';

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
    // Under another name it is not there.
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
