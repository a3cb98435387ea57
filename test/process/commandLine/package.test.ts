import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';
import { root } from '../../../scripts/checkout.ts';
import { packageCommandLine } from '../../../scripts/build/package.ts';
import { programCommands } from '../../../src/commandLine/options/commandTable.ts';
import { systemClock } from '../../../src/shared/async/clock.ts';
import { untilListening } from '../../../src/suite/run/untilListening.ts';
import { version } from '../../../src/commandLine/version.ts';
import { findFreePort } from '../../soak/freePort.ts';
import { cpuUsageMs } from '../../support/time/cpuTime.ts';

const run = promisify(execFile);
const shell = process.platform === 'win32';

/** The job that a document shows. */
function shownJob(path: string): string[] {
  const guide = readFileSync(join(root, path), 'utf8');
  const [, yaml = ''] = /```yaml\n(webhooks:.*?)```/s.exec(guide) ?? [];
  return yaml.trimEnd().split('\n');
}

describe('runhook-cli.tgz', () => {
  let folder: string;
  const environment = { ...process.env, npm_config_offline: 'true', npm_config_update_notifier: 'false' };
  const call = (command: string, args: string[]) =>
    run(command, args, { cwd: folder, env: environment, shell });

  before('packs it, and installs it into an empty folder', async () => {
    folder = mkdtempSync(join(tmpdir(), 'runhook-'));
    await packageCommandLine(join(folder, 'runhook-cli.tgz'));
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    await call('npm', ['install', '--offline', '--no-audit', '--no-fund', './runhook-cli.tgz']);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is a package of its own, without dependencies, of at most 1 MB', () => {
    const installed = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
    assert.deepEqual(installed, ['runhook']);
    const text = readFileSync(join(folder, 'node_modules', 'runhook', 'package.json'), 'utf8');
    assert.ok(!('dependencies' in (JSON.parse(text) as object)));
    const { size } = statSync(join(folder, 'runhook-cli.tgz'));
    assert.ok(size <= 1024 * 1024, `${size} bytes`);
  });

  it('is run by npx, and says nothing of Node on its standard error', async () => {
    const { stdout, stderr } = await call('npx', ['--no', '--', 'runhook', '--version']);
    assert.equal(stdout, `${version()}\n`);
    assert.doesNotMatch(stderr, /runhook|Experimental/);
    const [, ...shown] =
      /^ +(npx .*--help)$/m.exec(readFileSync(join(folder, 'node_modules/runhook/README.md'), 'utf8')) ?? [];
    const [program = '', ...args] = shown.join().split(' ');
    assert.match((await call(program, args)).stdout, /^Usage: runhook/);
    const listed = await call('npx', ['--no', 'runhook', 'deliveries', '--store', 'none']);
    assert.equal(listed.stdout, '');
    assert.match(listed.stderr, /^runhook: No deliveries are kept in .*none\./m);
    assert.doesNotMatch(listed.stderr, /Experimental/);
  });

  it('says its help in 80 ms of processor time more than Node takes to start, at most', async () => {
    const main = join(folder, 'node_modules', 'runhook', 'dist', 'runhook.js');
    const tell = 'process.on("exit",()=>process.stderr.write(JSON.stringify(process.cpuUsage())))';
    const timeOf = async (args: string[]): Promise<number> => {
      const { stderr } = await run(process.execPath, ['--import', `data:text/javascript,${tell}`, ...args]);
      return cpuUsageMs(JSON.parse(stderr) as NodeJS.CpuUsage);
    };
    // The least of several: what else the machine does only adds to it.
    const [bare, help]: [number[], number[]] = [[], []];
    for (let round = 0; round < 5; round += 1) {
      bare.push(await timeOf(['--eval', '0']));
      help.push(await timeOf([main, '--help']));
    }
    const more = Math.min(...help) - Math.min(...bare);
    assert.ok(more <= 80, `${more} ms`);
  });

  it('has all that its commands load', async () => {
    const main = join(folder, 'node_modules', 'runhook', 'dist', 'runhook.js');
    const sandbox = execFile(process.execPath, [main, 'sandbox']);
    await new Promise<void>((resolve, reject) => {
      sandbox.stdout?.once('data', () => resolve());
      sandbox.stderr?.once('data', (text: Buffer) => reject(new Error(text.toString())));
    });
    sandbox.kill('SIGINT');
    for (const name of programCommands.keys()) {
      const { stdout } = await run(process.execPath, [main, name, '--help']);
      assert.match(stdout, /^Usage: /);
      // Called wrongly, it has loaded what it runs.
      const wrong = run(process.execPath, [main, name, '--no-such-option']);
      await assert.rejects(wrong, ({ stderr }: { stderr: string }) =>
        /^runhook: [^\n]*\nUsage: /.test(stderr),
      );
    }
  });

  it('has the library that docs/testing.md shows, for the tests of others, with its types', async () => {
    const guide = readFileSync(join(root, 'docs', 'testing.md'), 'utf8');
    const [, shown = ''] = /```js\n(import .*?)```/s.exec(guide) ?? [];
    assert.equal(shown.trimEnd().split('\n').length, 10, 'ten lines');
    const port = String(await findFreePort());
    writeHandler();
    mkdirSync(join(folder, '.runhook', 'fixtures'), { recursive: true });
    const fixture = { body: { run_id: 'r-1' }, expect: { within: 60_000 } };
    writeFileSync(join(folder, '.runhook/fixtures/payment.delivery.json'), JSON.stringify(fixture));
    const secret = 'for the tests alone';
    const env = { ...environment, PORT: port, WEBHOOK_SECRET: secret };
    const handler = execFile(process.execPath, [join(folder, 'handler.js')], { env });
    try {
      await untilListening(
        new URL(`http://127.0.0.1:${port}`),
        systemClock,
        30_000,
        new AbortController().signal,
      );
      writeFileSync(join(folder, 'own.test.mjs'), shown.replaceAll('3000', port));
      const test = () =>
        run(process.execPath, ['--test', '--test-reporter', 'tap', 'own.test.mjs'], { cwd: folder, env });
      assert.match((await test()).stdout, /^# pass 1$/m);
      // It fails where the secret is another, and says why it may be so.
      env.WEBHOOK_SECRET = 'another';
      await assert.rejects(test(), ({ stdout }: { stdout: string }) =>
        /payment\.delivery\.json:1 as delivered: Expected 2xx, got 401\./.test(stdout),
      );
    } finally {
      handler.kill();
    }
    const typed = `import { expectDelivery, sign, startListener, type TestDelivery } from 'runhook/testing';
const listener = await startListener({ forwardTo: '3000' });
const [first]: TestDelivery[] = listener.deliveries();
if (first !== undefined) expectDelivery(first, { verdict: 'stale' });
const headers: Record<string, string> = sign('{}', listener.secret);
// @ts-expect-error -- there is no such verdict
if (first !== undefined) expectDelivery(first, { verdict: 'none' });
console.log(headers);
`;
    writeFileSync(join(folder, 'typed.mts'), typed);
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const types = ['--typeRoots', join(root, 'node_modules', '@types'), '--types', 'node'];
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', ...types];
    const { status, stdout } = spawnSync(process.execPath, [tsc, ...options, 'typed.mts'], { cwd: folder });
    assert.equal(status, 0, stdout.toString());
  });

  /** The handler that Insert Verification Code writes. */
  const writeHandler = (): void =>
    void buildSync({
      entryPoints: [join(root, 'media/snippets/typescript/node.ts')],
      outfile: join(folder, 'handler.js'),
      platform: 'node',
      bundle: true,
    });

  // The job is one of bash, which Windows may not have.
  if (!shell)
    it('checks a handler in the job that docs/commandLine.md shows', async () => {
      const job = shownJob('docs/commandLine.md');
      assert.equal(job.length, 10, 'ten lines');
      const port = String(await findFreePort());
      writeHandler();
      mkdirSync(join(folder, 'test'), { recursive: true });
      const fixture = {
        headers: { 'x-request-id': 'r-1', 'content-type': 'application/json' },
        body: '{"n":1}',
      };
      writeFileSync(join(folder, 'test', 'webhook.json'), JSON.stringify(fixture));
      const script = job
        .slice(job.findIndex((line) => line.includes('run: |')) + 1)
        .map((line) => line.trim())
        .join('\n')
        .replaceAll('3000', port);
      const bash = (text: string) =>
        run('bash', ['-e', '-c', `trap 'kill $(jobs -p)' EXIT\n${text}`], {
          cwd: folder,
          env: { ...environment, PORT: port, WEBHOOK_SECRET: 'for the tests alone' },
        });
      await bash(script);
      // A handler that takes everything fails it.
      const careless = `require('http').createServer((q, r) => q.resume().on('end', () => r.end())).listen(${port})`;
      writeFileSync(join(folder, 'handler.js'), careless);
      await assert.rejects(bash(script));
    });

  // The action is one of bash, which Windows may not have.
  if (!shell)
    it('is what the action for GitHub installs and runs: annotations, a summary, outputs', async () => {
      const yaml = readFileSync(join(root, 'action.yml'), 'utf8');
      const [, script = ''] = /^ {6}run: \|\n((?: {8}.*\n)+)/m.exec(yaml) ?? [];
      // What stands in an input is a value, and never a part of the script.
      assert.doesNotMatch(script, /\$\{\{/);
      for (const name of ['runner-temp', 'web hooks/two']) mkdirSync(join(folder, name), { recursive: true });
      const port = String(await findFreePort());
      const count = { expect: { after: { get: '/count' } }, variants: ['as it is', 'repeat'] };
      const hostile = { expect: { bodyContains: '<b>::warning::%0A' } };
      for (const [name, more] of [
        ['one', count],
        ['two/a,b<i>', hostile],
      ] as const) {
        const text = JSON.stringify({ body: { n: 1 }, ...more }, undefined, 1);
        writeFileSync(join(folder, 'web hooks', `${name}.delivery.json`), text);
      }
      const handlers = join(root, 'test', 'fixtures', 'handlers', 'node');
      const files = {
        GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
        GITHUB_OUTPUT: join(folder, 'output'),
      };
      const act = (handler: string) => {
        for (const file of Object.values(files)) writeFileSync(file, '');
        return spawnSync('bash', ['-c', script.replaceAll(/^ {8}/gm, '')], {
          cwd: folder,
          encoding: 'utf8',
          env: {
            ...{
              ...environment,
              ...files,
              GITHUB_WORKSPACE: folder,
              RUNNER_TEMP: join(folder, 'runner-temp'),
            },
            ...{ PORT: port, RUNHOOK_TO: `http://127.0.0.1:${port}`, RUNHOOK_READY: '', WEBHOOK_SECRET: '' },
            ...{
              RUNHOOK_FIXTURES: 'web hooks/one.delivery.json\nweb hooks/two\n',
              RUNHOOK_JUNIT: 'report.xml',
            },
            ...{ RUNHOOK_PACKAGE: './runhook-cli.tgz', RUNHOOK_START: `node "${join(handlers, handler)}"` },
          },
        });
      };
      const forgets = act('forgetful.mjs');
      assert.equal(forgets.status, 1, forgets.stderr);
      const commands = forgets.stderr.split('\n').filter((line) => line.startsWith('::'));
      assert.match(commands[0]!, /^::stop-commands::(.+)$/);
      assert.equal(commands[1], commands[0]!.replace('stop-commands::', '') + '::');
      assert.match(
        commands[2]!,
        /^::error file=web hooks\/one\.delivery\.json,line=7,title=Webhook%3A repeat::GET \/count returned 200 2 before, but 200 3 now\. Your handler processed/,
      );
      assert.equal(
        commands[3]!,
        '::error file=web hooks/two/a%2Cb<i>.delivery.json,line=6,title=Webhook%3A as delivered::' +
          'Expected a response that contains "<b>::warning::%250A", but it is empty.',
      );
      assert.equal(commands.length, 4);
      const summary = readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8');
      assert.match(summary, /^1 passed, 2 failed$/m);
      assert.match(summary, /<td>✗<\/td><td>web hooks\/one\.delivery\.json:7<\/td><td>repeat<\/td>/);
      assert.doesNotMatch(summary, /<b>|<i>/);
      assert.equal(readFileSync(files.GITHUB_OUTPUT, 'utf8'), 'passed=1\nfailed=2\nreport=report.xml\n');
      assert.match(readFileSync(join(folder, 'report.xml'), 'utf8'), /tests="3" failures="2"/);
      rmSync(join(folder, 'web hooks', 'two', 'a,b<i>.delivery.json'));
      const mended = act('mended.mjs');
      assert.equal(mended.status, 0, mended.stderr);
      assert.match(readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8'), /^2 passed, 0 failed$/m);
    });

  it('tests a handler in the job that README.md shows, which needs no secret', async () => {
    const job = shownJob('README.md');
    assert.equal(job.length, 10, 'ten lines');
    const [, line = ''] = /- run: npx --no (runhook test .*)$/m.exec(job.join('\n')) ?? [];
    const port = String(await findFreePort());
    const args = [...line.replaceAll('3000', port).matchAll(/"([^"]+)"|(\S+)/g)].map(
      ([, text, word]) => text ?? word!,
    );
    const fixtures = join(folder, '.runhook', 'fixtures');
    mkdirSync(fixtures, { recursive: true });
    const fixture = { body: { run_id: 'r-1' }, expect: { within: 60_000 }, variants: 'all' };
    writeFileSync(join(fixtures, 'payment.delivery.json'), JSON.stringify(fixture));
    writeHandler();
    const env = { ...environment, PORT: port, WEBHOOK_SECRET: undefined };
    const npx = () =>
      run('npx', ['--no', ...args.map((one) => (shell ? `"${one}"` : one))], {
        cwd: folder,
        env,
        shell,
      });
    const { stdout } = await npx();
    assert.match(stdout, /^8 passed, 0 failed/m);
    assert.match(
      readFileSync(join(folder, 'report.xml'), 'utf8'),
      /<testsuites name="runhook" tests="8" failures="0"/,
    );
    // A handler that takes everything fails it.
    const careless = `require('http').createServer((q, r) => q.resume().on('end', () => r.end())).listen(${port}, '127.0.0.1')`;
    writeFileSync(join(folder, 'handler.js'), careless);
    await assert.rejects(npx(), /exit|Command failed/);
    assert.match(readFileSync(join(folder, 'report.xml'), 'utf8'), /failures="4"/);
  });
});
