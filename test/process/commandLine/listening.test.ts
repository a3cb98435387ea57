import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { WholeDelivery } from '../../../src/contract/delivery.ts';
import { listenAndPrint } from '../../../src/commandLine/commands/listenCommand.ts';
import { initialSettings } from '../../../src/listener/intake/initialSettings.ts';
import { CommandLine, runhook } from '../../support/processes/commandLine.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { encodingsOf } from '../../support/untrusted/secretSearch.ts';
import { Sender } from '../../support/listener/sender.ts';
import { waitFor } from '../../support/time/waitFor.ts';
import { commandLineEntry } from '../../support/processes/entryPoints.ts';
import { UnreadTerminal } from '../../support/processes/unreadTerminal.ts';

const secret = 'a secret of the test';

describe('runhook listen', () => {
  let folder: string;
  let store: string;
  const started: CommandLine[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'runhook-'));
    store = join(folder, 'store');
  });
  afterEach(() => {
    // Those of a test that failed.
    for (const { process: child } of started.splice(0)) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  function start(args: string[], environment: Record<string, string> = {}): CommandLine {
    const program = new CommandLine(['listen', '--store', store, ...args], environment);
    started.push(program);
    return program;
  }

  const listen = (...args: string[]): CommandLine =>
    start(['--secret-env', 'HELD', ...args], { HELD: secret });

  async function portOf(program: CommandLine): Promise<number> {
    const said = JSON.parse(await program.line(0)) as { listening: { port: number; url: string } };
    assert.deepEqual(said, {
      listening: { port: said.listening.port, url: `http://127.0.0.1:${said.listening.port}` },
    });
    return said.listening.port;
  }

  const kept = async (): Promise<WholeDelivery[]> => {
    const { code, out, err } = await runhook(['deliveries', '--store', store, '--json']);
    assert.deepEqual([code, err], [0, '']);
    return out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as WholeDelivery);
  };

  it('prints where it listens, then a line of JSON for each delivery, as it is kept', async () => {
    const program = listen('--json');
    const sender = new Sender(await portOf(program), secret);
    assert.equal(await sender.deliver('r-1', '{"text":"\u009b31m"}'), 200);
    const delivery = JSON.parse(await program.line(1)) as WholeDelivery;
    assert.ok(!(await program.line(1)).includes('\u009b'), 'no control character reaches the terminal');
    assert.deepEqual(
      [delivery.requestId, delivery.verdict, delivery.answered, delivery.body],
      ['r-1', 'verified', 200, '{"text":"\u009b31m"}'],
    );
    await sender.deliver('r-1', '{"text":"\u009b31m"}');
    assert.equal((JSON.parse(await program.line(2)) as WholeDelivery).repeatOf, delivery.id);
    sender.close();
    const { code, out, err } = await program.interrupt();
    assert.deepEqual([code, out.trim().split('\n').length, err], [0, 3, '']);
    assert.deepEqual((await kept())[1], delivery);
  });

  it('prints a line for people, with what the app answered', async () => {
    const app = await Receiver.start();
    const program = listen('--forward-to', new URL(app.url).host);
    const [, port] = /^Runhook listens on http:\/\/127\.0\.0\.1:(\d+) /.exec(await program.line(0))!;
    const sender = new Sender(Number(port), secret);
    await sender.deliver('r-1', '{}');
    assert.match(await program.line(1), /^[\d:.]{12} {2}✓ verified .* 200 .* → 127\.0\.0\.1:\d+ 200 in /);
    const stranger = new Sender(Number(port), 'another secret');
    assert.equal(await stranger.deliver('r-2', '{}'), 401);
    const line = await program.line(2);
    assert.match(line, /✗ mismatch .* 401 /);
    assert.doesNotMatch(line, /Explain/);
    await program.interrupt();
    await app.close();
    const { out } = await runhook(['deliveries', '--store', store]);
    assert.match(out, /^\d{4}-\d\d-\d\d [\d:.]{12} {2}✗ mismatch .*\n.* {2}✓ verified .*\n$/);
  });

  it('says of a delivery that the app did not take that it is kept, and no more', async () => {
    const program = listen('--forward-to', 'http://127.0.0.1:9', '--tolerance', '0');
    const sender = new Sender(Number(/:(\d+) /.exec(await program.line(0))?.[1]), secret);
    // Signed long ago.
    assert.equal(await sender.deliver('r-1', '{}', '/', 1_700_000_000), 200);
    assert.match(await program.line(1), / → 127\.0\.0\.1:9 is not running: kept$/);
    sender.close();
    await program.interrupt();
  });

  it('forwards the deliveries of an app to an address of its own', async () => {
    const [app, others] = [await Receiver.start(), await Receiver.start()];
    const program = listen(
      '--json',
      '--forward-to',
      others.url,
      '--route',
      `echo=127.0.0.1:${new URL(app.url).port}`,
    );
    const sender = new Sender(await portOf(program), secret);
    await sender.deliver('r-1', '{}', '/runhook/echo');
    await app.count(1);
    await sender.deliver('r-2', '{}');
    await others.count(1);
    assert.equal(app.received.length, 1);
    sender.close();
    await program.interrupt();
    await Promise.all([app.close(), others.close()]);
  });

  it('has kept, on Ctrl-C, what it has acknowledged, and answers nothing that has not come whole', async () => {
    const app = await Receiver.start();
    app.otherwise = 'hang';
    const program = listen('--json', '--forward-to', app.url);
    const port = await portOf(program);
    const sender = new Sender(port, secret);
    const statuses = await Promise.all([1, 2, 3].map((n) => sender.deliver(`r-${n}`, `{"n":${n}}`)));
    assert.deepEqual(statuses, [200, 200, 200]);
    await app.count(3);
    const half = connect(port, '127.0.0.1');
    let answer = '';
    half.on('data', (data) => (answer += data.toString())).on('error', () => undefined);
    await once(half, 'connect');
    half.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345');
    const closed = new Promise((resolve) => half.once('close', resolve));
    const { code, out, err } = await program.interrupt();
    await closed;
    assert.deepEqual([code, err, answer], [0, '', '']);
    // Though the app has not answered: nothing follows any more.
    assert.equal(out.trim().split('\n').length, 4);
    assert.deepEqual(
      (await kept()).map(({ requestId }) => requestId),
      ['r-3', 'r-2', 'r-1'],
    );
    sender.close();
    const next = listen('--json');
    await portOf(next);
    const { err: said } = await next.interrupt();
    assert.equal(
      said,
      'runhook: Not accepted by your handler, because the previous listener stopped first: 3.\n',
    );
    assert.deepEqual(
      (await kept()).map(({ forward }) => forward?.error),
      Array.from({ length: 3 }, () => 'the listener ended before your app answered'),
    );
    await app.close();
  });

  it('shares its folder with no other, and frees it', async () => {
    const first = listen('--json');
    await portOf(first);
    const { code, out, err } = await listen('--json').ended;
    assert.deepEqual([code, out], [1, '']);
    assert.equal(
      err,
      `runhook: Another program listens and keeps its deliveries in ${store}. Choose another folder with --store.\n`,
    );
    await first.interrupt();
    const next = listen('--json');
    await portOf(next);
    await next.interrupt();
  });

  it('keeps its folder to itself also where that is removed', async () => {
    const first = listen('--json');
    await portOf(first);
    rmSync(store, { recursive: true });
    await waitFor('its lock', () => existsSync(join(store, 'listener', 'lock.sqlite')));
    assert.match((await listen('--json').ended).err, /^runhook: Another program listens/);
    await first.interrupt();
  });

  // A program on Windows is not stopped by a signal.
  if (process.platform !== 'win32')
    it('ends where another one listens for its folder since that was removed, which goes on', async () => {
      const first = listen('--json');
      await portOf(first);
      first.process.kill('SIGSTOP');
      rmSync(store, { recursive: true });
      const second = listen('--json');
      const sender = new Sender(await portOf(second), secret);
      first.process.kill('SIGCONT');
      const { code, err } = await first.ended;
      assert.deepEqual(
        [code, err],
        [1, `runhook: Another program now listens and keeps its deliveries in ${store}.\n`],
      );
      assert.equal(await sender.deliver('r-1', '{}'), 200);
      sender.close();
      await second.interrupt();
    });

  it('exits with 1 where the port or the folder cannot be had', async () => {
    const taken = await Receiver.start();
    const { port } = new URL(taken.url);
    const busy = await listen('--port', port).ended;
    assert.deepEqual(
      [busy.code, busy.err],
      [
        1,
        `runhook: The port ${port} cannot be had: another program is using the port. Choose another with --port.\n`,
      ],
    );
    await taken.close();
    writeFileSync(join(folder, 'file'), '');
    const { code, err } = await runhook(['listen', '--store', join(folder, 'file')]);
    assert.equal(code, 1);
    assert.match(
      err,
      /^runhook: No deliveries can be kept in .*file: .* Choose another folder with --store\.\n$/,
    );
    // There the parent is there, and yet no folder can be made in it.
    const nowhere = process.platform === 'linux' ? '/proc/nothing/here' : join(folder, 'file', 'below');
    const failed = await runhook(['listen', '--store', nowhere]);
    assert.equal(failed.code, 1);
    assert.match(
      failed.err,
      /^runhook: No deliveries can be kept in .*: it does not exist\. Choose another .*\n$/,
    );
  });

  it('prints no secret, whatever goes wrong', async () => {
    const file = join(folder, 'secret');
    writeFileSync(file, `${secret}\n`);
    const program = start(['--secret-file', file, '--json']);
    const sender = new Sender(await portOf(program), secret);
    assert.equal(
      await sender.deliver('r-1', '{}'),
      200,
      'a line break at the end of the file does not count',
    );
    sender.close();
    const request = join(folder, 'request.txt');
    writeFileSync(
      request,
      `X-Request-Id: a\nX-Service-Webhook-Timestamp: 1\nX-Service-Webhook-Signature: v1,${'0'.repeat(64)}\n\n${secret}`,
    );
    const ended = await Promise.all([
      program.interrupt(),
      runhook(['verify', request, '--secret-file', file]),
      runhook(['listen', '--secret', secret]),
      runhook(['listen', `--secret=${secret}`]),
      runhook(['listen', secret]),
      runhook(['send', 'x', '--to', secret]),
      runhook(['verify', 'x', '--secret-env', secret]),
      runhook(['listen', '--secret-env', 'HELD', '--secret-file', file], { HELD: secret }),
      runhook([secret]),
    ]);
    for (const { out, err } of ended) {
      for (const [form, text] of encodingsOf(secret))
        assert.ok(!`${out}${err}`.includes(text), `${form}: ${out}${err}`);
    }
  });
});

describe('what listens on the command line', () => {
  let parent: string;
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'runhook-'));
  });
  afterEach(() => rmSync(parent, { recursive: true, force: true }));

  it('goes on where its folder cannot be used in the moment after it has said that it listens', async () => {
    const folder = join(parent, 'store');
    let port = 0;
    const end = await listenAndPrint({
      folder,
      port: 0,
      settings: { ...initialSettings, isPublic: false, secrets: [{ secret, owner: { kind: 'default' } }] },
      isJson: true,
      onListening: (actualPort) => {
        port = actualPort;
        rmSync(folder, { recursive: true });
        writeFileSync(folder, '');
      },
      onReplaced: () => assert.fail('nobody else listens for the folder'),
    });
    rmSync(folder);
    const sender = new Sender(port, secret);
    assert.equal(await sender.deliver('r-1', '{}'), 200);
    sender.close();
    await end();
  });
});

const environment = { HELD: secret };
/** More than the buffers of a terminal and of a pipe hold. */
const body = JSON.stringify({ text: 'x'.repeat(4000) });

/** The terminal of these tests is one of Unix. */
const hasTerminals = process.platform !== 'win32';

describe('an output that nobody reads', () => {
  let folder: string;
  let terminal: UnreadTerminal | undefined;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'runhook-'));
  });
  afterEach(() => {
    terminal?.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  const listening = (...args: string[]): string[] => [
    ...[process.execPath, commandLineEntry, 'listen', '--store', folder, '--secret-env', 'HELD', ...args],
  ];
  const deliver = async (port: number, from: number, to: number): Promise<void> => {
    const sender = new Sender(port, secret);
    for (let at = from; at < to; at += 50) {
      const some = Array.from({ length: Math.min(50, to - at) }, (_, index) => at + index);
      const statuses = await Promise.all(some.map((n) => sender.deliver(`r-${n}`, body)));
      assert.ok(statuses.every((status) => status === 200));
    }
    sender.close();
  };
  const keptCount = async (): Promise<number> => {
    const { out } = await runhook(['deliveries', '--store', folder]);
    return out.split('\n').filter(Boolean).length;
  };

  for (const [args, count] of [
    [[], 400],
    [['--json'], 1000],
  ] as const) {
    if (hasTerminals)
      it(`keeps no delivery from being answered and kept, nor the program from ending: a terminal ${args.join('')}`, async () => {
        terminal = await UnreadTerminal.start(listening(...args), environment);
        const port = Number(/127\.0\.0\.1:(\d+)/.exec(terminal.line)?.[1]);
        await deliver(port, 0, count);
        assert.equal(await terminal.terminate(), 0);
        assert.equal(await keptCount(), count);
      });
  }

  it('keeps nothing from being answered either where it is a pipe, and says later what was not shown', async () => {
    const [node = '', ...args] = listening('--json');
    const program = spawn(node, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...environment },
    });
    const lines: string[] = [];
    createInterface(program.stdout).on('line', (line) => lines.push(line));
    const first = await waitFor('its address', () => lines[0]);
    program.stdout.pause();
    const {
      listening: { port },
    } = JSON.parse(first) as { listening: { port: number } };
    await deliver(port, 0, 900);
    program.stdout.resume();
    await waitFor('what was not shown', () => lines.find((line) => line.startsWith('{"notShown"')));
    await deliver(port, 900, 901);
    await waitFor('the next line', () => lines.at(-1)?.includes('"r-900"'));
    const told = lines.slice(1).map((line) => JSON.parse(line) as { notShown?: { lines: number } });
    const count = told.reduce((sum, { notShown }) => sum + (notShown?.lines ?? 1), 0);
    assert.equal(count, 901, 'each is shown or counted');
    program.stdout.pause();
    await deliver(port, 901, 1000);
    const ended = once(program, 'exit');
    program.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
    program.stdout.destroy();
    assert.equal(await keptCount(), 1000);
  });

  if (hasTerminals)
    it('is no end of the sandbox, nor of its answers', async () => {
      terminal = await UnreadTerminal.start([process.execPath, commandLineEntry, 'sandbox']);
      const { proxyUrl, projectId, token } = JSON.parse(terminal.line) as Record<string, string>;
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
      for (let count = 0; count < 40; count += 1) {
        const url = `${proxyUrl}/v4/${projectId}/echo/run?webhookEndpoint=http%3A%2F%2F127.0.0.1%3A9%2F${'x'.repeat(200)}`;
        const answer = await fetch(url, { method: 'POST', headers, body: '{}' });
        assert.equal(answer.status, 200);
        await answer.arrayBuffer();
      }
      assert.equal(await terminal.terminate(), 0);
    });
});
