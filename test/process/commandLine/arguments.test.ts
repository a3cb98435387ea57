import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { programCommands } from '../../../src/commandLine/options/commandTable.ts';
import { UsageError } from '../../../src/commandLine/options/readArguments.ts';
import { storeFolder } from '../../../src/commandLine/options/sharedOptions.ts';
import { version } from '../../../src/commandLine/version.ts';
import { commandLineTexts } from '../../../src/commandLine/options/commandTable.ts';
import { englishMessages } from '../../support/sources/englishMessages.ts';
import { runhook } from '../../support/processes/commandLine.ts';

describe('the command line', () => {
  it('says which version it is', async () => {
    for (const args of [['--version'], ['listen', '--version']]) {
      assert.deepEqual(await runhook(args), { code: 0, out: `${version()}\n`, err: '' });
    }
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
    [['listen', '--colour'], 'There is no such option.'],
    [['listen', '--port'], 'The option --port has no value.'],
    [['listen', '--port', '70000'], 'The port is not a whole number up to 65535.'],
    [['listen', '--port', '1e3'], 'The port is not a whole number up to 65535.'],
    [['listen', '--json=yes'], 'The option --json takes no value.'],
    [['listen', '--forward-to', 'app'], 'The address of --forward-to is not an http or https address.'],
    [['deliveries', 'all'], 'There is an argument too many: it takes options alone.'],
    [['listen', '--route', 'echo'], 'A route is written as --route APP=URL.'],
    [['listen', '--route', 'echo=app'], 'The address of --route is not an http or https address.'],
    [['send'], 'The fixture is missing.'],
    [['send', 'fixture.json'], 'The option --to is missing.'],
    [['send', 'no.json', '--to', 'http://x/'], 'The fixture cannot be read: it is not there (ENOENT).'],
    [['send', 'a', 'b'], 'There is an argument too many: it takes the fixture and options.'],
    [['verify', 'request.txt'], 'The secret is missing: --secret-env NAME | --secret-file PATH.'],
    [['sandbox', '--port', 'x'], 'The port is not a whole number up to 65535.'],
    [['sandbox', '--app', 'mine'], 'The value of --app is not <name>=<url>.'],
    [
      ['sandbox', '--app', 'mine=hush'],
      'The address of an app that --app gives is not an http or https address.',
    ],
    [['sandbox', '--token', 'hush'], 'It takes --port <port> and --app <name>=<url>, and nothing else.'],
    [['sandbox', 'hush'], 'It takes --port <port> and --app <name>=<url>, and nothing else.'],
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
