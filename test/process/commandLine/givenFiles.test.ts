import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { savedRequest } from '../../../src/commandLine/commands/verifyCommand.ts';
import { programCommands } from '../../../src/commandLine/options/commandTable.ts';
import { UsageError } from '../../../src/commandLine/options/readArguments.ts';
import { readSecret } from '../../../src/commandLine/options/sharedOptions.ts';
import { testsOf } from '../../../src/suite/fixture/foundFixtures.ts';
import { runhook } from '../../support/processes/commandLine.ts';

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

  it('of several in a HAR has to be chosen', () => {
    assert.throws(() => savedRequest(Buffer.from(har(sent, sent)), 'x.har'), /2 requests with a signature/);
    assert.throws(() => savedRequest(Buffer.from(har()), 'x.har'), /0 requests with a signature/);
    assert.throws(() => savedRequest(Buffer.from('{"log": 1}'), 'x.har'), /not a HAR/);
  });
});
