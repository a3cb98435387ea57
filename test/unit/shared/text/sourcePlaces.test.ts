import assert from 'node:assert/strict';
import { sourcePlaces } from '../../../../src/shared/text/sourcePlaces.ts';
import { assertLinear } from '../../../support/time/assertLinear.ts';

describe('the places in source files that a text names', () => {
  const cases: [text: string, ...places: string[]][] = [
    ['    at handle (/app/my handler.ts:42:11)', 'handler.ts:42:11'],
    ['    at handle (/app/handler.ts:42:11)', '/app/handler.ts:42:11'],
    ['    at async file:///app/handler.mjs:7:1', 'file:///app/handler.mjs:7:1'],
    ['at handle (C:\\app\\handler.js:42:11)', 'C:\\app\\handler.js:42:11'],
    ['  File "/app/my handler.py", line 42, in handle', '/app/my handler.py:42'],
    ['"trace": "File \\"/app/handler.py\\", line 42\\n"', '/app/handler.py:42'],
    ["handler.rb:42:in 'handle'", 'handler.rb:42'],
    ['\t/app/main.go:42 +0x1d', '/app/main.go:42'],
    [
      '"stack": "Error: x\\n    at a (/app/a.js:1:2)\\n    at /app/b.js:3:4"',
      '/app/a.js:1:2',
      '/app/b.js:3:4',
    ],
    ['http://localhost:3000/ at 12:04:11.203 took 1.5:2'],
  ];
  for (const [text, ...places] of cases) {
    it(JSON.stringify(text), () => {
      const found = sourcePlaces(text);
      assert.deepEqual(
        found.map(({ file, line, column }) =>
          [file, line, column].filter((one) => one !== undefined).join(':'),
        ),
        places,
      );
      for (const { start, end, line } of found) assert.match(text.slice(start, end), new RegExp(`${line}`));
    });
  }

  it('are bounded', () => {
    assert.equal(sourcePlaces('a.js:1 '.repeat(1000)).length, 200);
    assertLinear(4096, (length) => sourcePlaces('a.b'.repeat(length)));
  });
});
