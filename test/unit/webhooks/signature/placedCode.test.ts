import assert from 'node:assert/strict';
import { placedCode } from '../../../../src/webhooks/signature/placedCode.ts';

const code =
  "import express from 'express';\nimport { createHmac, timingSafeEqual } from 'node:crypto';\n\nexport function verify() {}\n";
const imports =
  "import express from 'express';\nimport { createHmac, timingSafeEqual } from 'node:crypto';\n";

/** The file with the imports where they go. */
const placed = (text: string): string => {
  const { at, imports: added } = placedCode(text, code);
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
    assert.equal(placedCode(there, code).imports, "import { timingSafeEqual } from 'node:crypto';\n");
    assert.equal(placedCode(placed(''), code).imports, '');
    // Under another name it is not there.
    assert.match(placedCode("import { createHmac as h } from 'crypto';\n", code).imports, /createHmac/);
  });

  it('requires what it needs where the file does', () => {
    const { imports: added, rest } = placedCode(
      "const express = require('express');\nmodule.exports = {};\n",
      code,
    );
    assert.equal(added, "const { createHmac, timingSafeEqual } = require('node:crypto');\n");
    assert.equal(rest, 'function verify() {}\n');
  });

  it('is the rest of it where the cursor is', () => {
    assert.equal(placedCode('run();\n', code).rest, 'export function verify() {}\n');
  });
});
