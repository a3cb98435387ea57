import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../../scripts/checkout.ts';
import { findFreePort } from '../../soak/freePort.ts';
import { CommandLine, type ProgramResult, runhook } from '../../support/processes/commandLine.ts';
import { plantedBugs } from '../../support/deliveries/plantedBugs.ts';
import { pythonProgram } from '../../support/processes/python.ts';
import { Receiver } from '../../support/http/receiver.ts';

const handlers = join(root, 'test/fixtures/handlers');
const secret = 'a secret of the test';

describe('runhook test', () => {
  let folder: string;
  let handler: Receiver;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'runhook-'));
    handler = await Receiver.start();
  });
  afterEach(async () => {
    await handler.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Writes a fixture; on a busy machine an answer to it may take its time. */
  function write(name: string, file: string | { expect?: object; [field: string]: unknown }): void {
    const patient = (fixture: object, expect = {}) => ({ ...fixture, expect: { within: 60_000, ...expect } });
    const text = typeof file === 'string' ? file : JSON.stringify(patient(file, file.expect));
    writeFileSync(join(folder, name), text);
  }
  const test = (...args: string[]): Promise<ProgramResult> =>
    runhook(['test', folder, '--to', handler.url, ...args], { WEBHOOK_SECRET: secret });
  const quoted = (path: string): string => `"${path}"`;

  describe('finds what is wrong with a handler, and passes the mended one', () => {
    const node = quoted(process.execPath);
    const samples: [name: string, program: () => string, file: string, failing: string[], cause: RegExp][] = [
      [
        'node that forgets',
        () => node,
        'node/forgetful.mjs',
        plantedBugs['node/forgetful.mjs'],
        /processed the repeat a second time/,
      ],
      ['node, mended', () => node, 'node/mended.mjs', [], /^$/],
      [
        'python that signs another body',
        () => quoted(pythonProgram()),
        'python/reserialised.py',
        plantedBugs['python/reserialised.py'],
        /it may verify a re-serialised body, so use the raw bytes/,
      ],
      ['python, mended', () => quoted(pythonProgram()), 'python/mended.py', [], /^$/],
    ];
    for (const [name, program, file, failing, cause] of samples) {
      it(name, async () => {
        const port = String(await findFreePort());
        const start = `${program()} ${quoted(join(handlers, file))}`;
        const report = join(folder, 'reports', 'junit.xml');
        const args = [
          'test',
          handlers,
          '--to',
          `http://127.0.0.1:${port}`,
          '--start',
          start,
          '--junit',
          report,
        ];
        const environment = { PORT: port, WEBHOOK_SECRET: secret, PYTHONDONTWRITEBYTECODE: '1' };
        const { code, out } = await runhook(args, environment);
        const failed = [...out.matchAll(/^✗ payment {2}(.*?) {2}/gm)].map(([, variant]) => variant!.trim());
        assert.deepEqual(failed, failing, out);
        assert.equal(code, failing.length === 0 ? 0 : 1);
        assert.match(failing.length === 0 ? '' : out, cause);
        assert.match(out, new RegExp(`^${7 - failing.length} passed, ${failing.length} failed, in .*$`, 'm'));
        assert.equal(readFileSync(report, 'utf8').match(/<failure /g)?.length ?? 0, failing.length);
      });
    }
  });

  it('prints a line for each variant, and where the expectation is that is not met', async () => {
    write(
      'a.delivery.json',
      '{"body": {"n": 1},\n"expect": {"status": 201, "within": 60000},\n"variants": ["as it is", "stale"]}',
    );
    handler.behaviours = [201, 200];
    const { code, out, err } = await test();
    assert.deepEqual([code, err], [1, '']);
    const lines = out.split('\n').map((line) => line.replace(/\d+(\.\d)? m?s$/, 'T'));
    assert.deepEqual(lines, [
      '✓ a  as it is        201 in T',
      '✗ a  stale           Expected 4xx, got 200.',
      '    The handler took a delivery that was signed an hour ago: compare its timestamp with the time of now.',
      `    ${join(folder, 'a.delivery.json')}:3`,
      '1 passed, 1 failed, in T',
      '',
    ]);
  });

  it('gives its results as JSON', async () => {
    write('a.delivery.json', { body: 1, expect: { status: 200 } });
    write('b.delivery.json', '{"body": 1,\n"expct": 2}');
    const { code, out } = await test('--json');
    assert.equal(code, 1);
    const [first, second, last] = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const { durationMs, answers, ...rest } = first!;
    assert.ok(typeof durationMs === 'number' && Array.isArray(answers));
    const file = join(folder, 'a.delivery.json');
    assert.deepEqual(rest, {
      file,
      fixture: 'a',
      variant: 'as it is',
      line: 1,
      outcome: 'passed',
      failures: [],
    });
    assert.deepEqual([second!['outcome'], second!['line'], second!['variant']], ['broken', 2, '']);
    assert.match(JSON.stringify(second!['failures']), /is not known here/);
    assert.deepEqual(
      { ...(last!['summary'] as object), durationMs: 0 },
      { passed: 1, failed: 1, notRun: 0, durationMs: 0 },
    );
  });

  it('runs what --only names: fixtures or variants', async () => {
    write('a.delivery.json', { body: 1 });
    write('b.delivery.json', { body: 1, variants: ['as it is', 'repeat'] });
    assert.match((await test('--only', 'a')).out, /^✓ a {2}as it is .*\n1 passed/);
    assert.match((await test('--only', 'repeat', '--only', 'a')).out, /\n2 passed/);
    assert.equal((await test('--only', 'c')).code, 2);
  });

  it('sends 500 fixtures', async () => {
    mkdirSync(join(folder, 'many'));
    for (let at = 0; at < 500; at += 1) write(`many/${at}.delivery.json`, { body: { at } });
    const { code, out } = await test();
    assert.equal(code, 0);
    const [, took] = /^500 passed, 0 failed, in (.*)$/m.exec(out) ?? [];
    assert.ok(took !== undefined, out.slice(-200));
    console.log(`      500 fixtures took ${took}`);
    assert.equal(new Set(handler.received.map(({ headers }) => headers['x-request-id'])).size, 500);
  });

  it('ends with 2 where it is called wrongly, and sends nothing', async () => {
    write('a.delivery.json', { body: 1, variants: 'all' });
    mkdirSync(join(folder, 'empty'));
    const wrong: [args: string[], says: RegExp][] = [
      [[], /The folder or file is missing/],
      [[folder], /--to is missing/],
      [[folder, '--to', 'nowhere'], /--to is not an http/],
      [[folder, '--to', 'http://me:hush@127.0.0.1:1/'], /Leave the user name and the password out of --to/],
      [[join(folder, 'none'), '--to', handler.url], /cannot be read/],
      [[join(folder, 'empty'), '--to', handler.url], /There is no \*\.delivery\.json/],
      [[folder, '--to', handler.url, '--ready', handler.url], /--ready needs --start/],
      [[folder, '--to', handler.url, '--secret-env', 'NOT_THERE'], /no environment variable/],
    ];
    for (const [args, says] of wrong) {
      const { code, err } = await runhook(['test', ...args], { WEBHOOK_SECRET: secret });
      assert.match(err, says);
      assert.equal(code, 2);
    }
    const { code, err } = await runhook(['test', folder, '--to', handler.url], { WEBHOOK_SECRET: '' });
    assert.deepEqual([code, handler.received.length], [2, 0]);
    assert.match(err, /The secret is empty/);
  });

  it('that is interrupted says so in the report, too', async () => {
    handler.behaviours = [200, 'hang'];
    for (const name of ['a', 'b']) write(`${name}.delivery.json`, { body: 1 });
    const report = join(folder, 'junit.xml');
    const args = ['test', folder, '--to', handler.url, '--junit', report];
    const program = new CommandLine(args, { WEBHOOK_SECRET: secret });
    await handler.count(2);
    const { code, out, err } = await program.interrupt();
    assert.deepEqual([code, err], [1, 'runhook: It was interrupted.\n']);
    assert.match(out, /^1 passed, 0 failed, 1 not run, /m);
    assert.match(readFileSync(report, 'utf8'), /tests="2" failures="0" errors="1" [^]*It was interrupted\./);
  });
});
