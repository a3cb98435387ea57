import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { findFixtures, testsOf } from '../../../src/suite/fixture/foundFixtures.ts';
import { junitXml } from '../../../src/commandLine/suite/report.ts';
import type { TestResult } from '../../../src/suite/run/runSuite.ts';
import { systemClock } from '../../../src/shared/async/clock.ts';
import { untilListening } from '../../../src/suite/run/untilListening.ts';
import { runPython } from '../../support/processes/python.ts';
import { Receiver } from '../../support/http/receiver.ts';

describe('the fixtures of a folder', () => {
  let base: string;
  let folder: string;
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'runhook-'));
    folder = join(base, 'suite');
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  function write(...names: string[]): void {
    for (const name of names) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), '{"body": 1}');
    }
  }
  const inFolder = (paths: string[]): string[] =>
    paths.map((path) => relative(folder, path).replaceAll('\\', '/')).sort();

  it('are those of their name, in all that is in it, and the old ones where they were saved', () => {
    write('b.delivery.json', 'a/c.delivery.json', 'package.json', 'a/other.json');
    write('.runhook/fixtures/old.json', 'node_modules/x/d.delivery.json', '.git/e.delivery.json');
    const { files, leftOut } = findFixtures(folder);
    assert.deepEqual(inFolder(files), ['.runhook/fixtures/old.json', 'a/c.delivery.json', 'b.delivery.json']);
    assert.deepEqual(leftOut, []);
    assert.deepEqual(findFixtures(join(folder, 'package.json')).files, [join(folder, 'package.json')]);
    assert.deepEqual(inFolder(findFixtures(join(folder, '.runhook/fixtures')).files), [
      '.runhook/fixtures/old.json',
    ]);
    assert.throws(() => findFixtures(join(folder, 'none')), /ENOENT/);
  });

  if (process.platform !== 'win32')
    it('are none that a link has out of it, or to a folder', () => {
      write('a.delivery.json', 'sub/b.delivery.json');
      writeFileSync(join(base, 'outside.delivery.json'), '{"body": "outside"}');
      mkdirSync(join(base, 'elsewhere'));
      writeFileSync(join(base, 'elsewhere', 'x.delivery.json'), '{"body": "outside"}');
      symlinkSync(join(base, 'outside.delivery.json'), join(folder, 'out.delivery.json'));
      symlinkSync(join(folder, 'sub', 'b.delivery.json'), join(folder, 'within.delivery.json'));
      symlinkSync(join(base, 'nowhere'), join(folder, 'nowhere.delivery.json'));
      symlinkSync(join(base, 'elsewhere'), join(folder, 'folder'));
      symlinkSync(folder, join(folder, 'sub', 'around'));
      const { files, leftOut } = findFixtures(folder);
      assert.deepEqual(inFolder(files), ['a.delivery.json', 'sub/b.delivery.json', 'within.delivery.json']);
      assert.deepEqual(inFolder(leftOut), ['nowhere.delivery.json', 'out.delivery.json']);
    });

  if (process.platform !== 'win32')
    it('are none of a folder that cannot be read', () => {
      write('a.delivery.json', 'closed/b.delivery.json', 'listed/c.delivery.json');
      chmodSync(base, 0o755);
      chmodSync(join(folder, 'closed'), 0);
      chmodSync(join(folder, 'listed'), 0o444);
      // The superuser may read everything.
      const isRoot = process.geteuid?.() === 0;
      if (isRoot) process.seteuid?.(65_534);
      try {
        const { files, leftOut } = findFixtures(folder);
        assert.deepEqual(inFolder(files), ['a.delivery.json']);
        assert.deepEqual(inFolder(leftOut), ['closed', 'listed/c.delivery.json']);
        assert.throws(() => findFixtures(join(folder, 'closed')), /EACCES/);
      } finally {
        if (isRoot) process.seteuid?.(0);
        for (const name of ['closed', 'listed']) chmodSync(join(folder, name), 0o755);
      }
    });

  it('are searched up to limits', () => {
    write('a.delivery.json', 'b.delivery.json', '1/2/3/c.delivery.json');
    const limits = { depth: 2, entries: 100, fixtures: 10 };
    assert.deepEqual(inFolder(findFixtures(folder, limits).leftOut), ['1/2/3']);
    assert.throws(() => findFixtures(folder, { ...limits, entries: 2 }), /more than 2 files/);
    assert.throws(() => findFixtures(folder, { ...limits, fixtures: 1 }), /more than 1 fixtures/);
  });

  it('are tests, one for each variant; a file that is none is a test that fails', () => {
    write('a.delivery.json');
    writeFileSync(join(folder, 'b.delivery.json'), '{"body": 1, "variants": "all"}');
    writeFileSync(join(folder, 'c.delivery.json'), '{\n"bdy": 1}');
    mkdirSync(join(folder, 'd.delivery.json'));
    const told = ['a', 'b', 'c', 'd', 'none'].map((name) =>
      testsOf(join(folder, `${name}.delivery.json`)).map(({ fixture, read }) => [
        fixture,
        'problem' in read ? `${read.problem.place.line}: ${read.problem.message}` : read.variant.name,
      ]),
    );
    assert.deepEqual(told[0], [['a', 'as it is']]);
    assert.equal(told[1]!.length, 8);
    assert.match(told[2]![0]![1]!, /^1: "bdy" is unknown/);
    assert.deepEqual(told[3], [['d', '0: It is not a file.']]);
    assert.match(told[4]![0]![1]!, /it does not exist/);
  });

  it('take no more memory than their bodies, and little while they are read', async () => {
    mkdirSync(folder);
    const list = `[${'0,'.repeat(3_000_000)}0]`;
    const files = [`{"body": ${list}}`, `{"body": 1, "variants": ${list}}`].flatMap((text, at) =>
      [1, 2, 3].map((number) => {
        const file = join(folder, `${at}-${number}.delivery.json`);
        writeFileSync(file, text);
        return file;
      }),
    );
    const reader = new URL('../../../src/suite/fixture/foundFixtures.ts', import.meta.url).href;
    const program = `import { testsOf } from ${JSON.stringify(reader)};
      const tests = process.argv.slice(1).flatMap(testsOf);
      console.log(tests.map(({ read }) => ('problem' in read ? 'none' : read.variant.name)).join());`;
    const args = ['--max-old-space-size=200', '--input-type=module', '-e', program, ...files];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    assert.equal(stdout.trim(), 'as it is,as it is,as it is,none,none,none');
  });
});

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

describe('an app that is waited for', () => {
  const never = new AbortController().signal;

  it('is there as soon as it takes connections', async () => {
    const first = await Receiver.start();
    const to = new URL(first.url);
    assert.equal(await untilListening(to, systemClock, 20_000, never), true);
    await first.close();
    assert.equal(await untilListening(to, systemClock, 0, never), false);
  });

  for (const [attempt, limitMs] of [
    ['an attempt', 600_000],
    ['its last attempt', 0],
  ] as const) {
    it(`is waited for no longer where ${attempt} is broken off`, async () => {
      const gone = await Receiver.start();
      const to = new URL(gone.url);
      await gone.close();
      const stop = new AbortController();
      const waiting = untilListening(to, systemClock, limitMs, stop.signal);
      stop.abort(new Error('stopped'));
      await assert.rejects(waiting, /stopped/);
    });
  }
});
