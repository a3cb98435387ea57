import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { CommandLine, type ProgramResult, runhook } from '../../support/processes/commandLine.ts';
import { plantedBugs } from '../../support/deliveries/plantedBugs.ts';
import { pythonProgram } from '../../support/processes/python.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { waitFor } from '../../support/time/waitFor.ts';
import { root } from '../../../scripts/checkout.ts';
import { findFreePort } from '../../soak/freePort.ts';
import { variantText } from '../../../src/suite/run/variant.ts';

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
        /It may verify a re-serialised body: use the raw bytes/,
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
        assert.deepEqual(failed, failing.map(variantText), out);
        assert.equal(code, failing.length === 0 ? 0 : 1);
        assert.match(failing.length === 0 ? '' : out, cause);
        assert.match(out, new RegExp(`^${8 - failing.length} passed, ${failing.length} failed, in .*$`, 'm'));
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
      '✓ a  as delivered    201 in T',
      '✗ a  stale           Expected 4xx, got 200.',
      '    Your handler accepted a delivery that was signed an hour ago: compare its timestamp with the current time.',
      `    ${join(folder, 'a.delivery.json')}:3`,
      '1 passed, 1 failed, in T',
      '',
    ]);
  });

  it('has colours in a terminal alone', async () => {
    write('a.delivery.json', { body: 1, expect: { status: 201 }, variants: ['as it is', 'stale'] });
    handler.behaviours = [201, 200, 201, 200];
    const args = ['test', folder, '--to', handler.url];
    const inTerminal = { WEBHOOK_SECRET: secret, FORCE_COLOR: '1' };
    const { out } = await runhook(args, inTerminal);
    assert.match(out, /^\u001B\[32m✓ a  as delivered .*\n\u001B\[31m✗ a  stale .*\n    Your handler/);
    assert.match(out, /\n\u001B\[31m1 passed, 1 failed/);
    const { out: plain } = await runhook(args, { WEBHOOK_SECRET: secret });
    assert.doesNotMatch(plain, /\u001B/);
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
    assert.match(JSON.stringify(second!['failures']), /is unknown/);
    assert.deepEqual(
      { ...(last!['summary'] as object), durationMs: 0 },
      { passed: 1, failed: 1, notRun: 0, durationMs: 0 },
    );
  });

  it('runs what --only names: fixtures or variants', async () => {
    write('a.delivery.json', { body: 1 });
    write('b.delivery.json', { body: 1, variants: ['as it is', 'repeat'] });
    assert.match((await test('--only', 'a')).out, /^✓ a {2}as delivered .*\n1 passed/);
    assert.match((await test('--only', 'repeat', '--only', 'a')).out, /\n2 passed/);
    assert.equal((await test('--only', 'c')).code, 2);
    const one = await test('--only', 'a', '--only', 'c');
    assert.deepEqual([one.code, one.out], [2, '']);
    assert.match(one.err, /one of the names given by --only/);
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
      [[join(folder, 'empty'), '--to', handler.url], /Found no \*\.delivery\.json/],
      [[folder, '--to', handler.url, '--ready', handler.url], /--ready needs --start/],
      [[folder, '--to', handler.url, '--start', ''], /--start has no value/],
      [[folder, '--to', handler.url, '--secret-env', 'NOT_THERE'], /names is not set/],
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

describe('runhook test --start', () => {
  let folder: string;
  let port: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'runhook-'));
    port = String(await findFreePort());
    write('a.delivery.json', { body: { n: 1 }, variants: ['as it is', 'bad-signature'] });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Writes a fixture; on a busy machine an answer to it may take its time. */
  function write(name: string, file: string | { expect?: object; [field: string]: unknown }): void {
    const patient = (fixture: object, expect = {}) => ({ ...fixture, expect: { within: 60_000, ...expect } });
    const text = typeof file === 'string' ? file : JSON.stringify(patient(file, file.expect));
    writeFileSync(join(folder, name), text);
  }
  const quoted = (path: string): string => `"${path}"`;
  /** Runs a program of Node as the app: its text is written to a file. */
  const args = (text: string, ...more: string[]): string[] => {
    write('app.mjs', text);
    const start = `${quoted(process.execPath)} ${quoted(join(folder, 'app.mjs'))}`;
    return ['test', folder, '--to', `http://127.0.0.1:${port}`, '--start', start, ...more];
  };
  const listens = `import { createServer } from 'node:http';
    createServer((request, response) => response.end()).listen(process.env.PORT, '127.0.0.1');`;

  it('says of each test that fails where the app failed, as it writes it, and without the secret', async () => {
    const text = `import { createServer } from 'node:http';
      let count = 0;
      createServer((request, response) => {
        try {
          if ((count += 1) === 1) throw new Error('no table for ' + process.env.WEBHOOK_SECRET); // here
          response.writeHead(500).end();
        } catch (error) {
          response.writeHead(500).end();
          console.error(error);
        }
      }).listen(process.env.PORT, '127.0.0.1');`;
    const line = text.split('\n').findIndex((one) => one.endsWith('// here')) + 1;
    const environment = { PORT: port, WEBHOOK_SECRET: secret };
    const shown = await runhook(args(text), environment, folder);
    assert.match(shown.out, new RegExp(`^    app\\.mjs:${line} Error: no table for `, 'm'));
    assert.equal(shown.out.split('app.mjs:').length, 2, 'the second test tells nothing of it');
    const { out } = await runhook(args(text, '--json'), environment, folder);
    const first = JSON.parse(out.split('\n')[0] ?? '') as { failedAt: { file: string; line: number } };
    assert.deepEqual([first.failedAt.file, first.failedAt.line], [join(folder, 'app.mjs'), line]);
    for (const told of [shown, { out, err: '' }]) assert.ok(!`${told.out}${told.err}`.includes(secret));
  });

  it('says the same by the stack in a response, where the app writes nothing', async () => {
    const text = `import { createServer } from 'node:http';
      createServer((request, response) => {
        const error = new Error('no table for ' + process.env.WEBHOOK_SECRET); // here
        response.writeHead(500).end(error.stack);
      }).listen(process.env.PORT, '127.0.0.1');`;
    const line = text.split('\n').findIndex((one) => one.endsWith('// here')) + 1;
    const { out } = await runhook(args(text), { PORT: port, WEBHOOK_SECRET: secret }, folder);
    assert.match(out, new RegExp(`^    app\\.mjs:${line} Error: no table for `, 'm'));
    assert.equal(out.split('app.mjs:').length, 3, 'each test has the line of its own response');
    assert.ok(!out.includes(secret));
  });

  it('says why an app does not start, with its last lines, and without the secret', async () => {
    const text = `console.log('begun', process.env.WEBHOOK_SECRET); throw new Error('no database');`;
    const { code, out, err } = await runhook(args(text), { PORT: port, WEBHOOK_SECRET: secret });
    assert.equal(code, 1);
    assert.match(out, /^0 passed, 0 failed, 2 not run, in .*\n$/);
    assert.match(
      err,
      /^runhook: The handler exited before it responded \(exit code 1\)\.\nrunhook: Last output of the handler:\n/,
    );
    assert.match(err, /^ {2}begun /m);
    assert.match(err, /no database/);
    assert.ok(!err.includes(secret));
  });

  it('reports an app that does not start, in place of what was reported before', async () => {
    const report = join(folder, 'junit.xml');
    writeFileSync(report, 'all passed');
    const text = `console.log('no <database>'); process.exit(1);`;
    const more = ['--json', '--junit', report];
    const { code, out } = await runhook(args(text, ...more), { PORT: port, WEBHOOK_SECRET: secret });
    assert.equal(code, 1);
    const { summary } = JSON.parse(out) as { summary: object };
    assert.deepEqual({ ...summary, durationMs: 0 }, { passed: 0, failed: 0, notRun: 2, durationMs: 0 });
    const written = readFileSync(report, 'utf8');
    assert.match(written, /<testsuites name="runhook" tests="1" failures="0" errors="1"/);
    assert.match(written, /<error message="The handler exited before it responded \(exit code 1\)\.">/);
    assert.match(written, /no &lt;database&gt;/);
  });

  it('does not take an app for another that has the port already', async () => {
    const handler = await Receiver.start();
    const report = join(folder, 'junit.xml');
    const taken = ['test', folder, '--to', handler.url, '--start', 'exit 0', '--junit', report];
    const { code, err } = await runhook(taken, { WEBHOOK_SECRET: secret });
    await handler.close();
    assert.equal(code, 1);
    assert.match(err, /Another program already listens on 127\.0\.0\.1:\d+/);
    assert.equal(handler.received.length, 0);
    assert.match(readFileSync(report, 'utf8'), /<error message="Another program already listens on/);
  });

  it('hands the app a secret of its own where there is none', async () => {
    const text = `${listens}\nconsole.log('secret of', process.env.OWN_SECRET.length);`;
    const environments: Record<string, string>[] = [{}, { OWN_SECRET: '' }];
    for (const environment of environments) {
      const named = args(text, '--secret-env', 'OWN_SECRET');
      const { code, err } = await runhook(named, { PORT: port, ...environment });
      // It takes a wrong signature: the test fails, and its lines are shown.
      assert.equal(code, 1);
      assert.match(err, /^ {2}secret of 43$/m);
    }
  });

  it('waits until the address of --ready answers', async () => {
    const text = `import { createServer } from 'node:http';
      let asked = 0;
      createServer((request, response) => {
        if (request.url === '/ready') asked += 1;
        response.writeHead(asked < 3 ? 503 : request.method === 'POST' ? 401 : 200).end();
      }).listen(process.env.PORT, '127.0.0.1');`;
    const ready = ['--ready', `http://127.0.0.1:${port}/ready`, '--only', 'bad-signature'];
    const { code, out } = await runhook(args(text, ...ready), { PORT: port, WEBHOOK_SECRET: secret });
    assert.equal(code, 0, out);
  });

  it('says so where the app ends by itself meanwhile', async () => {
    const text = `import { createServer } from 'node:http';
      createServer(() => process.exit(3)).listen(process.env.PORT, '127.0.0.1');`;
    const { code, err } = await runhook(args(text), { PORT: port, WEBHOOK_SECRET: secret });
    assert.equal(code, 1);
    assert.match(err, /The handler ended by itself \(exit code 3\)\./);
  });

  it('says so too where a file that is no fixture comes after', async () => {
    const text = `import { createServer } from 'node:http';
      createServer(({ socket }) => {
        socket.destroy();
        setTimeout(() => process.exit(3), 500);
      }).listen(process.env.PORT, '127.0.0.1');`;
    write('a.delivery.json', { body: { n: 1 } });
    write('b.delivery.json', 'no JSON');
    const { err } = await runhook(args(text), { PORT: port, WEBHOOK_SECRET: secret });
    assert.match(err, /The handler ended by itself \(exit code 3\)\./);
  });

  if (process.platform !== 'win32') {
    /** An app that begins another process, which ends at no signal but the last, and says whether that runs. */
    const stubborn = `import { createServer } from 'node:http';
      import { spawn } from 'node:child_process';
      import { existsSync, writeFileSync } from 'node:fs';
      const child = \`process.on('SIGTERM', () => {});
        require('node:fs').writeFileSync('child', String(process.pid));
        setInterval(() => {}, 1e6);\`;
      process.chdir(process.env.FOLDER);
      writeFileSync('app', String(process.pid));
      spawn(process.execPath, ['-e', child], { stdio: 'inherit' });
      createServer((request, response) => {
        if (!process.env.HANGS) response.end(existsSync('child') ? 'there' : '');
      }).listen(process.env.PORT, '127.0.0.1');`;
    const environment = (): Record<string, string> => ({
      PORT: port,
      WEBHOOK_SECRET: secret,
      FOLDER: folder,
    });
    const isGone = (name: string): boolean => {
      try {
        process.kill(Number(readFileSync(join(folder, name), 'utf8')), 0);
        return isZombie(name);
      } catch {
        return true;
      }
    };
    /** One that has ended and waits for whoever began it to look. */
    const isZombie = (name: string): boolean => {
      const status = `/proc/${readFileSync(join(folder, name), 'utf8')}/stat`;
      return existsSync(status) && / Z /.test(readFileSync(status, 'utf8'));
    };

    it('ends the app and all that it began', async () => {
      const after = { get: '/', bodyContains: 'there', within: 60_000 };
      write('a.delivery.json', { body: 1, expect: { after } });
      const { code, out } = await runhook(args(stubborn), environment());
      assert.equal(code, 0, out);
      await waitFor('the end of the app', () => isGone('app') && isGone('child'));
    });

    it('stands an app that prints a line without an end', async () => {
      const start = String.raw`head -c 600000000 /dev/zero | tr '\0' x; exit 3`;
      const started = ['test', folder, '--to', `http://127.0.0.1:${port}`, '--start', start];
      const { code, err } = await runhook(started, environment());
      assert.equal(code, 1);
      assert.match(err, /The handler exited before it responded \(exit code 3\)/);
      assert.match(err, /^ {2}x{500}$/m);
    });

    it('tells no part of the secret where a line is cut off', async () => {
      const text = `console.log('.'.repeat(490) + process.env.WEBHOOK_SECRET); process.exit(1);`;
      const { err } = await runhook(args(text), environment());
      assert.match(err, /^ {2}\.{490}\u2022+$/m);
    });

    it('ends an app that obeys no signal but the last where nobody reads what is printed', async () => {
      write('a.delivery.json', { body: 1, expect: { within: 600_000 } });
      const program = new CommandLine(args(stubborn), { ...environment(), HANGS: '1' });
      await waitFor('the child', () => existsSync(join(folder, 'child')));
      program.process.stdout?.destroy();
      program.process.stderr?.destroy();
      program.process.kill('SIGINT');
      await once(program.process, 'exit');
      await waitFor('the end of the app', () => isGone('app') && isGone('child'));
    });

    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      it(`leaves nothing behind where ${signal} comes twice`, async () => {
        write('a.delivery.json', { body: 1, expect: { within: 600_000 } });
        const program = new CommandLine(args(stubborn), { ...environment(), HANGS: '1' });
        await waitFor('the child', () => existsSync(join(folder, 'child')));
        program.process.kill(signal);
        await waitFor('the end of the app', () => isGone('app'));
        program.process.kill(signal);
        assert.equal((await program.ended).code, 1);
        await waitFor('the end of the child', () => isGone('child'));
      });
    }

    it('does so at Ctrl-C, too', async () => {
      write('a.delivery.json', { body: 1, expect: { within: 600_000 } });
      const program = new CommandLine(args(stubborn), { ...environment(), HANGS: '1' });
      await waitFor('the child', () => existsSync(join(folder, 'child')));
      const { code, err } = await program.interrupt();
      assert.equal(code, 1);
      assert.match(err, /It was interrupted\./);
      await waitFor('the end of the app', () => isGone('app') && isGone('child'));
    });
  }
});
