import assert from 'node:assert/strict';
import fc from 'fast-check';
import { junitXml } from '../../../src/commandLine/suite/report.ts';
import type { TestResult } from '../../../src/suite/run/runSuite.ts';
import { runPython } from '../../support/processes/python.ts';

const place = { line: 3, character: 2 };
const passed: TestResult = {
  file: 'suite/a.delivery.json',
  fixture: 'a',
  variant: 'as it is',
  line: 4,
  outcome: 'passed',
  durationMs: 1234,
  failures: [],
  exchanges: [],
};

/** With texts of others wherever there may be some. */
function failedWith(text: string): TestResult {
  const failures = [
    { message: text, cause: text, expected: text, actual: text, place },
    { message: 'another', expected: '2xx', actual: '401', place },
  ];
  return { ...passed, file: text, fixture: text, variant: `of ${text}`, outcome: 'failed', failures };
}

describe("a report of JUnit's form", () => {
  it('has a suite for each file and a case for each variant, with the sums', () => {
    const broken: TestResult = { ...failedWith('b'), variant: '', outcome: 'broken' };
    assert.equal(
      junitXml([passed, { ...failedWith('x < y'), file: passed.file, fixture: 'a' }, broken]),
      `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="runhook" tests="3" failures="1" errors="1" skipped="0" time="3.702">
  <testsuite name="suite/a.delivery.json" tests="2" failures="1" errors="0" skipped="0" time="2.468">
    <testcase name="as it is" classname="a" file="suite/a.delivery.json" line="4" time="1.234"/>
    <testcase name="of x &lt; y" classname="a" file="suite/a.delivery.json" line="4" time="1.234">
      <failure message="x &lt; y">x &lt; y
x &lt; y
expected: x &lt; y
actual: x &lt; y

another
expected: 2xx
actual: 401</failure>
    </testcase>
  </testsuite>
  <testsuite name="b" tests="1" failures="0" errors="1" skipped="0" time="1.234">
    <testcase name="the file" classname="b" file="b" line="4" time="1.234">
      <error message="b">b
b
expected: b
actual: b

another
expected: 2xx
actual: 401</error>
    </testcase>
  </testsuite>
</testsuites>
`,
    );
  });

  it('is read by a parser of XML, whatever it holds', async () => {
    const sample = fc.sample(fc.string({ unit: 'binary', maxLength: 40 }), 300);
    const texts = [
      '',
      ']]>',
      '<![CDATA[',
      '&lt;',
      '\0\x1b[31m\x7f\x85',
      '\ud800',
      '\ufffe\uffff',
      '\r\n\t ',
      ...sample,
    ];
    let next = 0;
    await runPython('junit.py', [texts.length], (said) => {
      if (said !== 'ready') {
        const text = texts[next - 1]!;
        const [first] = said as Record<string, string>[];
        assert.equal(first!.name, `of ${shown(text)}`);
        assert.equal(first!.message, shown(text));
        assert.equal(first!.suite, shown(text));
        assert.ok((first!.text ?? '').startsWith(shown(text)));
      }
      next += 1;
      return next > texts.length ? undefined : JSON.stringify(junitXml([failedWith(texts[next - 1]!)]));
    });
    assert.equal(next, texts.length + 1);
  });
});

/** A text as it can stand in XML. */
function shown(text: string): string {
  return text.toWellFormed().replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, (one) => {
    const code = one.charCodeAt(0).toString(16);
    return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, '0')}`;
  });
}
