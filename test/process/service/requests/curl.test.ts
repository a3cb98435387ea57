import assert from 'node:assert/strict';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  type CurlRequest,
  curlCommand,
  secretVariables,
} from '../../../../src/service/requests/copiedRequest.ts';

/** The arguments that curl gets from a shell, and its standard input. */
interface Call {
  args: Buffer[];
  input: Buffer;
}

/** What one shell makes of some commands. */
function runInShell(commands: string[], env: Record<string, string> = {}): Call[] {
  const folder = mkdtempSync(join(tmpdir(), 'runhook-curl-'));
  try {
    // Stands in for curl: writes how many arguments it got, each with a NUL behind it, and what it is piped.
    const write = String.raw`printf '%d\0' $#; printf '%s\0' "$@"; case " $* " in *" @- "*) cat;; esac`;
    const script = commands.map((command, index) => `number=${index}\n${command}`).join('\n');
    const { status, stderr } = spawnSync('sh', [], {
      input: `curl() { { ${write}; } > "$folder/$number"; }\n${script}\n`,
      env: { ...process.env, ...env, folder },
    });
    assert.equal(status, 0, stderr.toString());
    return commands.map((_, index) => readCall(readFileSync(join(folder, index.toString()), 'latin1')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readCall(written: string): Call {
  const fields = written.split('\0');
  const count = Number(fields[0]);
  const bytes = (text: string) => Buffer.from(text, 'latin1');
  return {
    args: fields.slice(1, count + 1).map(bytes),
    input: bytes(fields.slice(count + 1).join('\0')),
  };
}

function runOne(command: string, env?: Record<string, string>): Call {
  return runInShell([command], env)[0]!;
}

/** The body that the command sends. */
function bodyOf({ args, input }: Call): Buffer {
  const raw = args.findIndex((arg) => arg.toString() === '--data-raw');
  return raw === -1 ? input : args[raw + 1]!;
}

function headersOf({ args }: Call): Buffer[] {
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
      fc.property(fc.array(body, { minLength: 15, maxLength: 30 }), (bodies) => {
        const calls = runInShell(bodies.map((bytes) => curlCommand({ ...request, body: bytes }, [])));
        assert.deepEqual(
          calls.map(bodyOf),
          bodies.map((bytes) => Buffer.from(bytes)),
        );
      }),
      { numRuns: 5, endOnFailure: true },
    );
  });

  it('reaches curl with the same header values, whatever their bytes', () => {
    const value = fc.stringMatching(
      /^[\x21-\x7e\xa0-\xff]([\t\x20-\x7e\x80-\xff]{0,40}[\x21-\x7e\xa0-\xff])?$/,
    );
    fc.assert(
      fc.property(fc.array(value, { minLength: 15, maxLength: 30 }), (values) => {
        const calls = runInShell(
          values.map((text) => curlCommand({ ...request, headers: { 'x-a': text } }, [])),
        );
        assert.deepEqual(
          calls.map((call) => headersOf(call)[0]),
          values.map((text) => Buffer.from(`x-a: ${text}`, 'latin1')),
        );
      }),
      { numRuns: 4, endOnFailure: true },
    );
  });

  it('keeps a URL, its query and its brackets as they are', () => {
    const url = "http://127.0.0.1:1/a'b/../c?x=[1-9]&y={a,b}&z=$HOME";
    const { args } = runOne(curlCommand({ ...request, url }, []));
    assert.ok(args.some((arg) => arg.toString() === url));
    for (const option of ['--globoff', '--path-as-is'])
      assert.ok(args.some((arg) => arg.toString() === option));
  });

  it('sends a body that no argument can hold', () => {
    const body = Buffer.alloc(300_000, 'abc\n');
    const command = curlCommand({ ...request, body }, []);
    assert.deepEqual(bodyOf(runOne(command)), body);
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
        const command = curlCommand(whole, secretVariables(['', secret]));
        assert.ok(!command.includes(secret) && !command.includes('ecret"'), command);
        assert.match(command, /"\$WEBHOOK_SECRET"/);
        const sent = runOne(command, { WEBHOOK_SECRET: secret });
        assert.deepEqual(bodyOf(sent), Buffer.from(whole.body ?? ''));
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
