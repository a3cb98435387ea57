import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ProgramResult, runhook } from '../../support/processes/commandLine.ts';
import { pythonProgram } from '../../support/processes/python.ts';
import { commandLineEntry } from '../../support/processes/entryPoints.ts';
import { startListener, waitForDelivery } from '../../../src/commandLine/testing/testing.ts';
import { SandboxGate } from '../../support/service/sandboxGate.ts';
import type { SandboxAddress } from '../../../src/service/sandbox/sandboxProtocol.ts';

describe('runhook keys, apply and run', () => {
  const gate = new SandboxGate();
  let service: SandboxAddress;
  let folder: string;
  before(async () => {
    service = await gate.start();
    folder = mkdtempSync(join(tmpdir(), 'runhook-'));
  });
  after(async () => {
    await gate.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => gate.reset());

  const environment = (): Record<string, string> => ({
    RUNHOOK_TOKEN: service.token,
    RUNHOOK_BASE_URL: service.baseUrl,
    RUNHOOK_PROXY_URL: service.proxyUrl,
  });
  const call = (args: readonly string[], more: Record<string, string> = {}): Promise<ProgramResult> =>
    runhook(args, { ...environment(), ...more });
  const written = (name: string, content: unknown): string => {
    const path = join(folder, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  const keys = (...more: string[]): string[] => [
    ...['keys', '--project', service.projectId, '--account', service.serviceAccountId],
    ...more,
  ];
  const day = 24 * 60 * 60 * 1000;
  const inDays = (days: number): string => new Date(Date.now() + days * day).toISOString();

  it('tell of keys that expire soon, whatever form the list has', async () => {
    gate.answers(200, { items: [{ name: 'ci', expires_at: inDays(90), secret: service.token }] });
    const fine = await call(keys());
    assert.deepEqual([fine.code, fine.err], [0, '']);
    assert.match(
      fine.out,
      /^✓ ci {2}valid · \d{4}-\d\d-\d\d, 90 days left\nKeys: 1\. Expired, or expiring within 14 days: 0\. .* not documented\.\n$/,
    );
    const soon = await call(keys('--within', '100d', '--json'));
    assert.equal(soon.code, 1);
    const [key, last] = soon.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual([key!['name'], key!['status']], ['ci', 'expiring']);
    assert.deepEqual(last, {
      summary: { keys: 1, expireWithinDays: 100, needAttention: 1, readLeniently: true, isComplete: true },
    });
    gate.answers(200, {
      data: [
        { name: 'old', exp: Date.parse(inDays(-3)) / 1000 },
        { name: 'gone', exp: 1, revoked: true },
        { id: 'k' },
      ],
      next: 'p2',
    });
    const old = await call(keys());
    assert.equal(old.code, 1);
    assert.match(old.out, /^✗ old {2}expired · /m);
    assert.match(old.err, /The list is incomplete.*\n.*Keys whose expiry cannot be read: 1/);
    gate.answers(200, { hello: 'world' });
    const other = await call(keys());
    assert.deepEqual([other.code, other.out], [1, '']);
    assert.match(other.err, /recognises no keys/);
  });

  it('apply the settings of a file, and nothing else, once somebody agrees', async () => {
    const app = service.apps[0]!.id;
    const file = written('small.runhook.json', {
      app,
      settings: { memory: '2', gpuCount: 1, compute: 'CPU' },
    });
    const args = ['apply', file, '--project', service.projectId];
    const dry = await call([...args, '--dry-run'], { RUNHOOK_TOKEN: '' });
    assert.equal(dry.code, 0);
    assert.match(dry.out, new RegExp(`^PATCH ${service.baseUrl}/v2/projects/.*/apps/${app}\n{`));
    assert.match(dry.err, /warning: The compute is CPU/);
    const unasked = await call(args);
    assert.equal(unasked.code, 2);
    assert.match(unasked.err, /There is no terminal to ask in: add --yes/);
    assert.equal(gate.requests.length, 0);
    const applied = await call([...args, '--yes']);
    assert.equal(applied.code, 0);
    assert.match(applied.out, /^Applied to .*: Compute CPU, GPUs 1, Memory 2\n$/);
    assert.deepEqual(JSON.parse(gate.requests[0]!.body), { compute: 'CPU', gpuCount: 1, memory: '2' });
    const wrong = written('wrong.runhook.json', { app, settings: { memory: '193' } });
    const refused = await call(['apply', wrong, '--project', service.projectId, '--yes']);
    assert.equal(refused.code, 2);
    assert.match(refused.err, /memory: Enter 192 or less\./);
    assert.equal(gate.requests.length, 1);
  });

  it('run an app, print its response without the token, and wait for its delivery', async () => {
    const args = ['run', '--project', service.projectId, '--app', 'echo', '--yes'];
    const body = written('body.json', { echoed: service.token });
    const ran = await call([...args, '--body', body]);
    assert.equal(ran.code, 0);
    assert.match(ran.err, /^200 in \d+ ms\n$/);
    assert.ok(!ran.out.includes(service.token));
    assert.ok('run_id' in (JSON.parse(ran.out) as object));
    const waited = await call([...args, '--wait']);
    assert.equal(waited.code, 0);
    assert.match(waited.err, /^200 in .*\n.* ✓ verified +echo +run-/);
    gate.sandbox.state.faults = new Set(['bad-signature']);
    const spoiled = await call([...args, '--wait']);
    assert.equal(spoiled.code, 1);
    assert.match(spoiled.err, /✗ mismatch/);
    gate.sandbox.state.faults = new Set(['500']);
    assert.equal((await call(args)).code, 1);
  });

  it('run an app with the secret that signs its delivery, and print it nowhere', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const listener = await startListener({ secret });
    try {
      const body = written('body.json', { echoed: secret });
      const run = ['run', '--project', service.projectId, '--app', 'echo', '--yes', '--body', body];
      const signed = [...run, '--secret-env', 'HELD'];
      const { code, out, err } = await call([...signed, '--webhook', listener.url], { HELD: secret });
      assert.equal(code, 0, err);
      assert.ok(!`${out}${err}`.includes(secret));
      await waitForDelivery(listener);
      const unneeded = await call([...signed, '--wait'], { HELD: secret });
      assert.equal(unneeded.code, 2);
      assert.match(unneeded.err, /^runhook: The options --secret-env and --secret-file need --webhook\./);
      const broken = await call([...signed, '--webhook', listener.url], { HELD: `${secret}\n` });
      assert.equal(broken.code, 2);
      assert.match(broken.err, /cannot be sent with a run: it contains a line break/);
    } finally {
      await listener.stop();
    }
  });

  it('say what did not come in time', async () => {
    const args = ['run', '--project', service.projectId, '--yes', '--timeout', '1'];
    const slow = await call([...args, '--app', 'sleep', '--body', written('slow.json', { seconds: 30 })]);
    assert.equal(slow.code, 1);
    assert.match(slow.err, /127\.0\.0\.1:\d+ did not respond within 1 s\. Allow more with --timeout\.\n$/);
    gate.sandbox.state.faults = new Set(['hang']);
    const lost = await call([...args, '--app', 'echo', '--wait']);
    assert.equal(lost.code, 1);
    assert.match(
      lost.err,
      /^200 in .*\nrunhook: No delivery arrived within 1 s\. Allow more with --timeout\.\n$/,
    );
  });

  it('refuse what would give the token away, and repeat no argument', async () => {
    const token = service.token;
    const base = ['run', '--project', 'p', '--app', 'echo', '--yes'];
    const cases: [args: string[], environment: Record<string, string>, said: RegExp][] = [
      [
        keys('--base-url', 'http://service.example'),
        {},
        /could be read on the way to http:\/\/service\.example/,
      ],
      [keys('--token', token), {}, /There is no option --token\./],
      [keys(token), {}, /Too many arguments/],
      [keys('--base-url', `http://${token}@x/`), {}, /--base-url is not an http or https address/],
      [keys(), { RUNHOOK_BASE_URL: '' }, /The address is missing: --base-url, or RUNHOOK_BASE_URL/],
      [keys('--token-file', join(folder, token)), {}, /file of --token-file cannot be read/],
      [keys(), { RUNHOOK_TOKEN: ' ' }, /The token of RUNHOOK_TOKEN cannot be used: The token is empty/],
      [keys('--within', '2w'), {}, /in days/],
      [['keys'], {}, /--project is missing/],
      [[...base, '--wait', '--proxy-url', 'https://service.example'], {}, /cannot reach this machine/],
      [
        [...base, '--body', written('no.json', 'no')],
        {},
        /The body .*no.json cannot be read: It is not JSON/,
      ],
      [[...base, '--path', '../x'], {}, /leaves the app/],
    ];
    for (const [args, more, said] of cases) {
      const { code, out, err } = await call(args, more);
      assert.deepEqual([code, out], [2, ''], args.join(' '));
      assert.match(err, said);
      assert.ok(!err.includes(token), args.join(' '));
    }
    assert.equal(gate.requests.length, 0);
  });

  if (process.platform !== 'win32')
    it('ask in a terminal, and take no for an answer', async () => {
      const ask = `
import os, pty, sys
answer, *args = sys.argv[1:]
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(args[0], args)
seen = b''
while b'[y/N]' not in seen:
    seen += os.read(terminal, 1024)
os.write(terminal, answer.encode() + b'\\n')
try:
    while True:
        seen += os.read(terminal, 1024)
except OSError:
    pass
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
print(seen.decode())
`;
      const script = written('ask.py', ask);
      const run = ['run', '--project', service.projectId, '--app', 'echo'];
      for (const [answer, code] of [
        ['n', '1'],
        ['y', '0'],
      ] as const) {
        const { stdout } = await promisify(execFile)(
          pythonProgram(),
          [script, answer, process.execPath, commandLineEntry, ...run],
          {
            env: { ...process.env, ...environment() },
          },
        );
        assert.match(stdout, new RegExp(`^${code}\n`), stdout);
        assert.match(stdout, /Run echo in .* at 127\.0\.0\.1:\d+\? \[y\/N\]/);
      }
      assert.equal(gate.requests.length, 1);
    });
});
