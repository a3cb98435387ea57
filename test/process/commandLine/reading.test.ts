import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { commandLineTexts, programCommands } from '../../../src/commandLine/options/commandTable.ts';
import { UsageError } from '../../../src/commandLine/options/readArguments.ts';
import { readSecret, storeFolder } from '../../../src/commandLine/options/sharedOptions.ts';
import { version } from '../../../src/commandLine/version.ts';
import { sign } from '../../../src/service/signature/signature.ts';
import { savedRequest } from '../../../src/commandLine/commands/verifyCommand.ts';
import { testsOf } from '../../../src/suite/fixture/foundFixtures.ts';
import { fixtureText } from '../../../src/suite/fixture/savedFixture.ts';
import { CommandLine, type ProgramResult, runhook } from '../../support/processes/commandLine.ts';
import { deliveryOf } from '../../support/deliveries/deliveryOf.ts';
import { Sender } from '../../support/listener/sender.ts';
import { downgradeToVersion2 } from '../../support/listener/storeRig.ts';
import { root } from '../../../scripts/checkout.ts';

/** All translatable messages in English. */
const englishMessages: ReadonlySet<string> = new Set(
  Object.keys(
    JSON.parse(readFileSync(join(root, 'l10n', 'bundle.l10n.json'), 'utf8')) as Record<string, unknown>,
  ),
);

describe('the command line', () => {
  it('says which version it is', async () => {
    for (const args of [['--version'], ['listen', '--version']]) {
      assert.deepEqual(await runhook(args), { code: 0, out: `${version()}\n`, err: '' });
    }
  });

  it('says which Node it needs, also where an older one could not do the rest', async () => {
    const older = 'delete Promise.withResolvers; process.getBuiltinModule = () => undefined;';
    const options = `--import=data:text/javascript,${encodeURIComponent(older)}`;
    const { code, out, err } = await runhook(['deliveries'], { NODE_OPTIONS: options });
    assert.deepEqual([code, out], [1, '']);
    assert.equal(err, `runhook: It needs Node 22.13 or newer, and this is ${process.version}.\n`);
  });

  it('says what it can do, and exits with 0', async () => {
    const { code, out, err } = await runhook(['--help']);
    assert.deepEqual([code, err], [0, '']);
    for (const name of programCommands.keys()) assert.match(out, new RegExp(`^ {2}${name} `, 'm'));
  });

  for (const [name, { options }] of programCommands) {
    it(`says how ${name} is used, and exits with 0`, async () => {
      const { code, out, err } = await runhook([name, '--help']);
      assert.deepEqual([code, err], [0, '']);
      assert.match(out, new RegExp(`^Usage: runhook ${name} `));
      for (const [option] of options) assert.ok(out.includes(option), option);
    });
  }

  for (const [args, reason] of [
    [[], 'The command is missing.'],
    [['serve'], 'There is no such command.'],
    [['listen', '--colour'], 'There is no option --colour.'],
    [['listen', '--secret=hush'], 'There is no option --secret.'],
    [['listen', '--hush$1'], 'There is no such option.'],
    [['listen', '--port'], 'The option --port has no value.'],
    [['listen', '--port', '70000'], 'The port must be a whole number up to 65535.'],
    [['listen', '--port', '1e3'], 'The port must be a whole number up to 65535.'],
    [['listen', '--json=yes'], 'The option --json takes no value.'],
    [['listen', '--forward-to', 'app'], 'The address of --forward-to is not an http or https address.'],
    [['deliveries', 'all'], 'Too many arguments: it takes options alone.'],
    [['listen', '--route', 'echo'], 'Write a route as --route APP=URL.'],
    [['listen', '--route', 'echo=app'], 'The address of --route is not an http or https address.'],
    [['send'], 'The fixture is missing.'],
    [['send', 'fixture.json'], 'The option --to is missing.'],
    [
      ['send', 'none/no.json', '--to', 'http://x/'],
      `The fixture cannot be read: nothing in ${process.cwd()} has that name.`,
    ],
    [
      ['send', 'test/no.json', '--to', 'http://x/'],
      `The fixture cannot be read: nothing in ${join(process.cwd(), 'test')} has that name.`,
    ],
    [['send', 'test', '--to', 'http://x/'], 'The fixture test cannot be read: It is not a file.'],
    [
      ['test', 'docs', 'no', '--to', 'http://x/'],
      `The folder or file 2 cannot be read: nothing in ${process.cwd()} has that name.`,
    ],
    [['test', 'docs', 'media', '--to', 'http://x/'], 'Found no *.delivery.json in docs, media.'],
    [
      ['verify', 'README.md', '--secret-file', 'docs'],
      'The file of --secret-file docs cannot be read: It is not a file.',
    ],
    [['send', 'a', 'b'], 'Too many arguments: it takes the fixture and options.'],
    [['verify', 'request.txt'], 'The secret is missing: --secret-env NAME | --secret-file PATH.'],
    [['relay'], 'Set --nats or NATS_URL to nats://HOST:PORT, or to several, separated by commas.'],
    [['relay', '--nats', 'nats://x', '--replicas', '2'], 'The number of replicas must be 1, 3 or 5.'],
    [
      ['relay', '--nats', 'nats://x', '--join-token-env', 'NONE'],
      'The environment variable that --join-token-env names must hold a token of 16 characters or more.',
    ],
    [['listen', '--relay', 'https://x'], '--relay and --relay-key-env go together.'],
    [
      ['listen', '--relay', 'https://x', '--relay-key-env', 'NONE'],
      'The environment variable that --relay-key-env names holds no key of 256 bits. Make one: openssl rand -hex 32',
    ],
    [['sandbox', '--port', 'x'], 'The port must be a whole number up to 65535.'],
    [['sandbox', '--app', 'mine'], 'Write an app as --app NAME=URL.'],
    [
      ['sandbox', '--app', 'mine=hush'],
      'The address of an app that --app gives is not an http or https address.',
    ],
    [['sandbox', '--token', 'hush'], 'It takes --port PORT and --app NAME=URL, and nothing else.'],
    [['sandbox', 'hush'], 'It takes --port PORT and --app NAME=URL, and nothing else.'],
  ] as const) {
    it(`refuses "${args.join(' ')}" with 2, in a sentence and how it is used`, async () => {
      const { code, out, err } = await runhook(args);
      const [sentence, usage, ...rest] = err.split('\n');
      assert.deepEqual([code, out, sentence, rest], [2, '', `runhook: ${reason}`, ['']]);
      assert.match(usage!, /^Usage: runhook /);
    });
  }

  it('repeats nothing of what was given, wherever a secret was put by mistake', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const loop = join(mkdtempSync(join(tmpdir(), 'runhook-')), secret);
    symlinkSync(loop, loop);
    for (const [name = '', ...args] of [
      ['listen', `--${secret}`],
      ['listen', `--${secret}=x`],
      ['listen', `-${secret}`],
      ['listen', '--port', secret],
      ['listen', '--forward-to', secret],
      ['listen', '--forward-to', `http://me:${secret}@localhost:1`],
      ['listen', '--route', `${secret}=x`],
      ['listen', '--route', secret],
      ['listen', `--json=${secret}`],
      ['deliveries', secret],
      ['send', secret, '--to', '1'],
      ['send', 'x', '--to', secret],
      ['send', 'x', '--to', '1', '--fault', secret],
      ['verify', secret, '--secret-env', secret],
      ['verify', 'x', '--secret-file', secret],
      ['verify', 'x', '--secret-file', loop],
      ['test', secret, '--to', '1'],
      ['test', loop, '--to', '1'],
      ['test', '.', '--to', secret],
      ['test', '.', '--to', '1', '--ready', secret, '--start', 'x'],
      ['relay', '--nats', secret],
      ['relay', '--nats', `http://me:${secret}@localhost:1`],
      ['relay', '--nats', 'nats://x', '--join-token-env', secret],
      ['listen', '--relay', 'https://x', '--relay-key-env', secret],
      ['sandbox', `--${secret}`],
      ['sandbox', '--app', `${secret}=x`],
      ['sandbox', '--app', `${secret}=http://me:x@localhost:1`],
      ['sandbox', '--app', `mine=${secret}`],
      ['sandbox', '--port', secret],
    ]) {
      const command = await programCommands.get(name)!.load();
      await assert.rejects(
        // `main.ts` prints the message of this kind of error, and nothing else of it.
        () => command(args),
        (error: Error) => error instanceof UsageError && !error.message.includes(secret.slice(0, 12)),
        [name, ...args].join(' '),
      );
    }
    rmSync(dirname(loop), { recursive: true });
  });

  it('speaks of the command line where a message speaks of the editor', () => {
    // A message that was reworded is not to come back unnoticed.
    for (const message of Object.keys(commandLineTexts)) assert.ok(englishMessages.has(message), message);
  });
});

describe('the folder of the kept deliveries', () => {
  const folder = (platform: NodeJS.Platform, environment: NodeJS.ProcessEnv) =>
    storeFolder(undefined, { platform, environment, home: '/home/ada' }).replaceAll('\\', '/');

  it('is one of the user', () => {
    assert.equal(folder('linux', {}), '/home/ada/.local/share/runhook');
    assert.equal(folder('darwin', { XDG_DATA_HOME: '/data' }), '/data/runhook');
    assert.equal(folder('win32', { LOCALAPPDATA: '/local' }), '/local/runhook');
    for (const none of ['', 'data']) {
      assert.equal(folder('linux', { XDG_DATA_HOME: none }), '/home/ada/.local/share/runhook');
    }
  });

  it('is the one that is named', () => {
    const around = { platform: 'linux', environment: {}, home: '/home/ada' } as const;
    assert.equal(storeFolder('/here', around), '/here');
  });
});

const secret = 'a secret of the test';

describe('the deliveries that runhook deliveries lists', () => {
  let store: string;
  let started: CommandLine | undefined;
  beforeEach(() => {
    store = mkdtempSync(join(tmpdir(), 'runhook-'));
  });
  afterEach(() => {
    started?.process.kill('SIGKILL');
    rmSync(store, { recursive: true, force: true });
  });

  function listen(): CommandLine {
    const args = ['listen', '--store', store, '--secret-env', 'HELD', '--json'];
    return (started = new CommandLine(args, { HELD: secret }));
  }

  async function port(program: CommandLine): Promise<number> {
    return (JSON.parse(await program.line(0)) as { listening: { port: number } }).listening.port;
  }

  async function count(): Promise<number> {
    const { code, out, err } = await runhook(['deliveries', '--store', store, '--json']);
    assert.deepEqual([code, err], [0, '']);
    return out.split('\n').filter(Boolean).length;
  }

  const inStore = (name: string): string => join(store, 'deliveries', name);
  /** The files of the store, byte for byte. What maps the log is for the programs that are running. */
  const files = (): [string, string][] =>
    readdirSync(join(store, 'deliveries'))
      .filter((name) => !name.endsWith('-shm'))
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(inStore(name)))
          .digest('hex'),
      ]);

  async function untouched(list: () => Promise<unknown>): Promise<void> {
    const before = files();
    await list();
    assert.deepEqual(files(), before);
  }

  it('are none where none were kept, and the folder is named', async () => {
    const { code, out, err } = await runhook(['deliveries', '--store', store, '--json']);
    assert.deepEqual([code, out], [0, '']);
    assert.equal(err, `runhook: No deliveries are kept in ${store}. To keep some: runhook listen\n`);
  });

  it('are read while it runs, after a kill, and after it has ended, and are not changed by it', async () => {
    const program = listen();
    const sender = new Sender(await port(program), secret);
    assert.equal(await sender.deliver('r-1', '{}'), 200);
    sender.close();
    await untouched(async () => assert.equal(await count(), 1));
    program.process.kill('SIGKILL');
    await program.ended;
    await untouched(async () => assert.equal(await count(), 1));
    const next = listen();
    await port(next);
    await next.interrupt();
    await untouched(async () => assert.equal(await count(), 1));
    const database = new DatabaseSync(inStore('deliveries.sqlite'));
    database.exec(`${downgradeToVersion2}; PRAGMA journal_mode = DELETE`);
    database.close();
    await untouched(async () => assert.equal(await count(), 1, 'of an older version'));
  });

  // A program on Windows is not stopped by a signal.
  if (process.platform !== 'win32')
    it('cannot be read are said to be so, and are left to the program that runs', async () => {
      const program = listen();
      const sender = new Sender(await port(program), secret);
      for (const id of ['r-1', 'r-2']) assert.equal(await sender.deliver(id, 'x'.repeat(100_000)), 200);
      sender.close();
      // So that it does not find out before.
      program.process.kill('SIGSTOP');
      const { size } = statSync(inStore('deliveries.sqlite'));
      for (const name of readdirSync(join(store, 'deliveries')).filter((one) => !one.endsWith('-shm')))
        writeFileSync(inStore(name), randomBytes(Math.max(size, 50_000)), { flag: 'r+' });
      await untouched(async () => {
        const { code, err } = await runhook(['deliveries', '--store', store]);
        assert.equal(code, 1);
        assert.match(err, /^runhook: The deliveries cannot be read: .*\n$/);
      });
      program.process.kill('SIGKILL');
      await program.ended;
      rmSync(inStore('deliveries.sqlite'), { recursive: true, force: true });
      mkdirSync(inStore('deliveries.sqlite'));
      const { code, err } = await runhook(['deliveries', '--store', store]);
      assert.deepEqual([code, err.includes('The deliveries cannot be read')], [1, true]);
      rmSync(inStore('deliveries.sqlite'), { recursive: true });
      writeFileSync(inStore('deliveries.sqlite'), '');
      rmSync(inStore('deliveries.sqlite-wal'), { force: true });
      execFileSync('mkfifo', [inStore('deliveries.sqlite-wal')]);
      assert.equal((await runhook(['deliveries', '--store', store])).code, 1);
    });
});

describe('runhook verify', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'runhook-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function verify(request: Buffer | string, held = secret, ...args: string[]): Promise<ProgramResult> {
    const file = join(folder, 'request.txt');
    writeFileSync(file, request);
    return runhook(['verify', file, '--secret-env', 'HELD', ...args], { HELD: held });
  }

  function request(body: Uint8Array, sent = body): Buffer {
    const head = [
      'POST /hook HTTP/1.1',
      'X-Request-Id: r-1',
      'X-Service-Webhook-Timestamp: 1790000000',
      `X-Service-Webhook-Signature: v1,${sign(secret, 'r-1', '1790000000', body)}`,
    ];
    return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), sent]);
  }

  it('exits with 0 where the signature is right, whatever the bytes and however long ago', async () => {
    for (const body of [Buffer.from('{"a":"é"}\r\n'), Buffer.from([0xff, 0x00, 0x80, 0x0a])]) {
      const { code, out, err } = await verify(request(body));
      assert.deepEqual([code, err], [0, '']);
      assert.match(out, /^The signature matches\.\n/);
    }
  });

  it('exits with 1 where it is not, and says why', async () => {
    const body = Buffer.from('{"a":1}');
    const changed = await verify(request(body, Buffer.from('{"a":1}\n')));
    assert.equal(changed.code, 1);
    assert.match(
      changed.out,
      /^The signature does not match\.\nNewline after body: it was added after the body was signed\./,
    );
    const other = await verify(request(body), `${secret} `);
    assert.equal(other.code, 1);
    assert.match(other.out, /Space around secret/);
    const unsigned = await verify('X-Request-Id: a\n\n{}');
    assert.equal(unsigned.code, 1);
    assert.match(unsigned.out, /^The signature could not be checked\./);
  });

  it('checks how old the timestamp is where that is asked for', async () => {
    const old = await verify(request(Buffer.from('{}')), secret, '--tolerance', '60');
    assert.equal(old.code, 1);
    const young = await verify(request(Buffer.from('{}')), secret, '--tolerance', '999999999');
    assert.equal(young.code, 0);
    assert.equal((await verify('', secret, '--tolerance', '-1')).code, 2);
  });

  it('prints no signature that would make anything verify', async () => {
    const body = Buffer.from('{"a":2}');
    const { out } = await verify(request(Buffer.from('{"a":1}'), body));
    assert.ok(!out.includes(sign(secret, 'r-1', '1790000000', body)));
    assert.doesNotMatch(out, /shown on your screen/);
  });

  it('exits with 2 where the file holds no request', async () => {
    const { code, out, err } = await verify('{"a": 1}');
    assert.deepEqual([code, out], [2, '']);
    assert.match(
      err,
      /^runhook: The file contains no request: it needs headers, an empty line and the body\.\n/,
    );
  });
});

const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');

/** Windows has neither named pipes in folders nor devices. */
const hasPipes = process.platform !== 'win32';

describe('a file that the command line is given', () => {
  let folder: string;
  let secretFile: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'runhook-'));
    secretFile = write('secret', 'a secret\n');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  function write(name: string, content: string | Uint8Array): string {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  }

  /** Each way in which a file is read. */
  const uses = (file: string) => [
    ['send', file, '--to', '1'],
    ['verify', file, '--secret-file', secretFile],
    ['verify', secretFile, '--secret-file', file],
    ['listen', '--secret-file', file],
  ];

  async function refuses(file: string, why: RegExp): Promise<void> {
    for (const [name = '', ...args] of uses(file)) {
      const command = await programCommands.get(name)!.load();
      await assert.rejects(
        () => command(args),
        (error: Error) => error instanceof UsageError && why.test(error.message),
        name,
      );
    }
    const [test] = testsOf(file);
    assert.match(test && 'problem' in test.read ? test.read.problem.message : '', why);
  }

  it('is refused where it is not UTF-8: it would be another secret, or another body', async () => {
    await refuses(write('latin', Buffer.from('größe', 'latin1')), /not UTF-8/);
    await refuses(write('half', utf16('secret').subarray(2)), /not UTF-8/);
  });

  it('is refused where it is no file', async () => {
    await refuses(folder, /not a file|is a folder/);
    if (hasPipes) {
      const endless = join(folder, 'endless');
      symlinkSync('/dev/zero', endless);
      await refuses(endless, /It is not a file/);
    }
  });

  it('is refused where it is too large, and not read', async () => {
    const huge = write('huge', '');
    truncateSync(huge, 2 ** 33);
    const before = process.memoryUsage.rss();
    await refuses(huge, /It is larger than \d+ MiB/);
    assert.ok(process.memoryUsage.rss() - before < 2 ** 28);
  });

  if (hasPipes)
    it('is refused where it is a pipe that nobody writes into', async () => {
      const pipe = join(folder, 'pipe');
      execFileSync('mkfifo', [pipe]);
      for (const args of uses(pipe)) {
        const { code, err } = await runhook(args);
        assert.equal(code, 2);
        assert.match(err, /It is not a file\./);
      }
    });

  it('holds the same secret however an editor saved it', () => {
    for (const [at, bytes] of ['a secret\r\n', '\ufeffa secret\n', utf16('a secret\r\n')].entries()) {
      assert.equal(readSecret({ 'secret-file': write(`s${at}`, bytes) }), 'a secret');
    }
  });
});

describe('a saved request', () => {
  const headers = { 'x-service-webhook-signature': 'v1,00', 'x-request-id': 'r' };
  const body = Buffer.from('{"ü":1}');
  const names = Object.entries(headers).map(([name, value]) => ({ name: name.toUpperCase(), value }));
  const dump = `${names.map(({ name, value }) => `> ${name}: ${value}`).join('\r\n')}\r\n>\r\n`;
  const har = (...requests: object[]) =>
    JSON.stringify({ log: { version: '1.2', entries: requests.map((request) => ({ request })) } });
  const sent = { method: 'POST', url: 'http://localhost/', headers: names };

  for (const [what, bytes] of [
    ['what curl -v prints', Buffer.concat([Buffer.from(dump), body])],
    ['the same, redirected by PowerShell', utf16(dump + body.toString())],
    ['a fixture', Buffer.from(JSON.stringify({ headers, body: body.toString() }))],
    ['a fixture with a mark', utf16(JSON.stringify({ headers, body: { base64: body.toString('base64') } }))],
    ['a HAR', Buffer.from(har({ headers: [] }, { ...sent, postData: { text: body.toString() } }))],
    [
      'a HAR with bytes',
      Buffer.from(har({ ...sent, postData: { text: body.toString('base64'), encoding: 'base64' } })),
    ],
  ] as const) {
    it(`is read from ${what}`, () => {
      assert.deepEqual(savedRequest(bytes, what === 'a fixture' ? 'x.json' : 'x.delivery.json'), {
        headers,
        body,
      });
    });
  }

  it('is none in a fixture that was saved, which is signed when it is sent', () => {
    const fixture = Buffer.from(fixtureText(deliveryOf('a', { headers })));
    assert.throws(() => savedRequest(fixture, 'x.delivery.json'), /A fixture keeps no signature/);
  });

  it('of several in a HAR has to be chosen', () => {
    assert.throws(() => savedRequest(Buffer.from(har(sent, sent)), 'x.har'), /2 signed requests/);
    assert.throws(() => savedRequest(Buffer.from(har()), 'x.har'), /0 signed requests/);
    assert.throws(() => savedRequest(Buffer.from('{"log": 1}'), 'x.har'), /HAR contains no requests/);
  });
});
