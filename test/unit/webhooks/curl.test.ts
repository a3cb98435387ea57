import assert from 'node:assert/strict';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { curlCommand, type CurlRequest } from '../../../src/webhooks/curl.ts';

/** What a shell makes of a command: the arguments that curl gets, and its standard input. */
function runInShell(command: string, env: Record<string, string> = {}): { args: Buffer[]; input: Buffer } {
  // Stands in for curl: prints how many arguments it got, each with a NUL behind it, and what it is piped.
  const curl = String.raw`curl() { printf '%d\0' $#; printf '%s\0' "$@"; case " $* " in *" @- "*) cat;; esac; }`;
  const { stdout, status, stderr } = spawnSync('sh', [], {
    input: `${curl}\n${command}\n`,
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  assert.equal(status, 0, stderr.toString());
  const fields = stdout.toString('latin1').split('\0');
  const count = Number(fields[0]);
  const bytes = (text: string) => Buffer.from(text, 'latin1');
  return {
    args: fields.slice(1, count + 1).map(bytes),
    input: bytes(fields.slice(count + 1).join('\0')),
  };
}

/** The body that the command sends. */
function bodyOf({ args, input }: { args: Buffer[]; input: Buffer }): Buffer {
  const raw = args.findIndex((arg) => arg.toString() === '--data-raw');
  return raw === -1 ? input : args[raw + 1]!;
}

function headersOf({ args }: { args: Buffer[] }): Buffer[] {
  return args.filter((_, index) => args[index - 1]?.toString() === '--header');
}

const request: CurlRequest = {
  method: 'POST',
  url: 'http://127.0.0.1:8787/',
  headers: { 'content-type': 'application/json', 'x-request-id': 'r-1' },
  body: Buffer.from('{"run_id":"r-1"}'),
};

describe('a delivery as a cURL command', () => {
  it('reaches curl with the same body, whatever its bytes, through a real shell', () => {
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.string({ unit: 'binary', maxLength: 200 }).map((text) => Buffer.from(text)),
      fc.stringMatching(/^[@'"\\$`!%*?~#&;|<>(){}[\] \n-]{0,60}$/).map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(body, (bytes) => {
        const sent = bodyOf(runInShell(curlCommand({ ...request, body: bytes }, [])));
        assert.deepEqual(sent, Buffer.from(bytes));
      }),
      { numRuns: 150 },
    );
  });

  it('reaches curl with the same header values, whatever their bytes', () => {
    const value = fc.stringMatching(
      /^[\x21-\x7e\xa0-\xff]([\t\x20-\x7e\x80-\xff]{0,40}[\x21-\x7e\xa0-\xff])?$/,
    );
    fc.assert(
      fc.property(value, (text) => {
        const sent = runInShell(curlCommand({ ...request, headers: { 'x-a': text } }, []));
        assert.deepEqual(headersOf(sent)[0], Buffer.from(`x-a: ${text}`, 'latin1'));
      }),
      { numRuns: 100 },
    );
  });

  it('keeps a URL, its query and its brackets as they are', () => {
    const url = "http://127.0.0.1:1/a'b/../c?x=[1-9]&y={a,b}&z=$HOME";
    const { args } = runInShell(curlCommand({ ...request, url }, []));
    assert.ok(args.some((arg) => arg.toString() === url));
    for (const option of ['--globoff', '--path-as-is'])
      assert.ok(args.some((arg) => arg.toString() === option));
  });

  it('sends a body that no argument can hold', () => {
    const body = Buffer.alloc(300_000, 'abc\n');
    const command = curlCommand({ ...request, body }, []);
    assert.deepEqual(bodyOf(runInShell(command)), body);
  });

  it('has nothing in it that a terminal acts upon', () => {
    const hostile = "\u001b]0;title\u0007 \r\u202e'\u0000\u200b";
    const command = curlCommand(
      { ...request, headers: { 'x-a': '\u001b[2J' }, body: Buffer.from(hostile) },
      [],
    );
    assert.doesNotMatch(command.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u);
  });

  describe('holds no token and no secret', () => {
    const secret = "it's a $ecret";
    const cases: [what: string, part: Partial<CurlRequest>][] = [
      ['in a header', { headers: { 'x-echo': `before ${secret} after` } }],
      ['in a header of its own', { headers: { 'x-webhook-secret': secret } }],
      ['in a body of text', { body: Buffer.from(`{"echo":"${secret}","again":"${secret}"}`) }],
      [
        'in a body of bytes',
        { body: Buffer.concat([Buffer.from([0, 255]), Buffer.from(secret), Buffer.from([0])]) },
      ],
      ['in the query', { url: `http://127.0.0.1/?s=${secret}` }],
    ];
    for (const [what, part] of cases) {
      it(`${what}, and is the same with the variable set`, () => {
        const whole = { ...request, ...part };
        const command = curlCommand(whole, ['', secret]);
        assert.ok(!command.includes(secret) && !command.includes('ecret"'), command);
        assert.match(command, /"\$RUNHOOK_WEBHOOK_SECRET"/);
        const sent = runInShell(command, { RUNHOOK_WEBHOOK_SECRET: secret });
        assert.deepEqual(bodyOf(sent), Buffer.from(whole.body));
        for (const [name, value] of Object.entries(whole.headers)) {
          assert.ok(headersOf(sent).some((header) => header.toString() === `${name}: ${value}`));
        }
      });
    }

    it('in an authorization header', () => {
      const headers = { authorization: 'Bearer abc.def.ghi', cookie: 'session=1' };
      const command = curlCommand({ ...request, headers }, []);
      assert.doesNotMatch(command, /abc|session=1/);
      assert.match(command, /'authorization: Bearer '"\$RUNHOOK_TOKEN"/);
    });
  });

  describe('run by curl itself', () => {
    let server: Server;
    let received: Promise<{ message: IncomingMessage; body: Buffer }>;

    before((done) => {
      received = new Promise((resolve) => {
        server = createServer((message, response) => {
          const chunks: Buffer[] = [];
          message.on('data', (chunk: Buffer) => chunks.push(chunk));
          message.on('end', () => {
            response.end();
            resolve({ message, body: Buffer.concat(chunks) });
          });
        });
      });
      server.listen(0, '127.0.0.1', done);
    });

    after((done) => {
      server.close(done);
    });

    it('sends the headers that were received and no others', async () => {
      execFileSync('curl', ['--version']);
      const { port } = server.address() as AddressInfo;
      const url = `http://127.0.0.1:${port}/hooks/a?b=[1]`;
      const headers = { 'x-request-id': 'r-1', 'x-empty': '', 'x-latin': 'caf\u00e9' };
      const body = Buffer.from([0, 1, 2, 0x0a]);
      const command = curlCommand({ method: 'PUT', url, headers, body }, []);
      const ran = new Promise((resolve) => execFile('sh', ['-c', command], resolve));
      const { message, body: sent } = await received;
      await ran;
      assert.deepEqual(sent, body);
      assert.equal(message.method, 'PUT');
      assert.equal(message.url, '/hooks/a?b=[1]');
      const { host, 'content-length': length, ...others } = message.headers;
      assert.deepEqual(others, headers);
      assert.deepEqual([host, length], [`127.0.0.1:${port}`, '4']);
    });
  });
});
