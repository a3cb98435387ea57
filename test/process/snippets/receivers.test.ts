import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { request, type ServerResponse } from 'node:http';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ChildProcess, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { firstFixtures } from '../../../src/suite/fixture/savedFixture.ts';
import { testsIn } from '../../../src/suite/fixture/foundFixtures.ts';
import { runSuite } from '../../../src/suite/run/runSuite.ts';
import { sign } from '../../../src/service/signature/signature.ts';
import { verificationCode, verificationTargets } from '../../../src/service/signature/verificationCode.ts';
import { systemClock } from '../../../src/shared/async/clock.ts';
import { signatureCases } from '../../support/deliveries/signatureCases.ts';
import { limits, type ServedTarget, servedTargets } from '../../support/snippets/servedTargets.ts';
import { waitFor } from '../../support/time/waitFor.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { runtimeEnv } from '../../../scripts/test/receiverRuntimes.ts';
import { workFolder } from '../../../scripts/checkout.ts';
import { spawnOwned, stopOwned } from '../../../scripts/processes.mjs';

const here = fileURLToPath(new URL('../../support/snippets/', import.meta.url));
const packages = fileURLToPath(new URL('../../../node_modules', import.meta.url));

/** Runs verification code as a program. Its handler calls an endpoint of the test (`work`) for each delivery. */
class ServedReceiver {
  readonly folder = mkdtempSync(join(tmpdir(), 'runhook-receiver-'));
  readonly #target: ServedTarget;
  readonly #env: NodeJS.ProcessEnv;
  #work: Receiver | undefined;
  #process: ChildProcess | undefined;
  #port = 0;
  #output = '';

  /** @param code the target's code as users get it */
  constructor(target: ServedTarget, code: string) {
    this.#target = target;
    const { file, build, runtime, changes } = target;
    const changed = changes.reduce((before, [text, other]) => {
      assert.equal(before.split(text).length, 2, `${text} stands once in ${file}`);
      return before.replace(text, () => other);
    }, code);
    writeFileSync(join(this.folder, file), changed);
    writeFileSync(join(this.folder, 'package.json'), '{"type":"module"}');
    cpSync(here, this.folder, { recursive: true });
    symlinkSync(packages, join(this.folder, 'node_modules'), 'junction');
    this.#env = {
      ...(runtime === undefined ? process.env : runtimeEnv(runtime)),
      // Non-ASCII secrets are UTF-8 in every language.
      LC_ALL: 'C.UTF-8',
      TMPDIR: this.folder,
      TEMP: this.folder,
      GOCACHE: join(workFolder, 'runtimes/go-cache'),
      GO111MODULE: 'off',
      CGO_ENABLED: '0',
      PHP_CLI_SERVER_WORKERS: '8',
      PYTHONUNBUFFERED: '1',
      PORT: '0',
    };
    if (build !== undefined) this.run(build);
  }

  /** The endpoint that the handler calls. The handler fails if it does not answer 200. */
  get work(): Receiver {
    assert.ok(this.#work, 'The receiver has not been started.');
    return this.#work;
  }

  /** Runs a command in the folder of the code and returns its output. */
  run([program = '', ...args]: readonly string[], input = ''): string {
    const env = { ...this.#env, WEBHOOK_SECRET: 'any' };
    const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: this.folder, env, input });
    assert.equal(status, 0, error?.message ?? stderr.toString());
    return stdout.toString();
  }

  /** Starts the program. Rejects with its output if it exits. */
  async start(secret: string): Promise<void> {
    this.#work = await Receiver.start();
    const found = /(?:port[:=] ?|127\.0\.0\.1:)([1-9]\d*)/;
    const child = this.#spawn(secret);
    this.#process = child;
    this.#port = await new Promise((resolve, reject) => {
      child.on('close', () => reject(new Error(`It ended:\n${this.#output}`)));
      const look = () => {
        const port = found.exec(this.#output)?.[1];
        if (port !== undefined) resolve(Number(port));
      };
      child.stdout?.on('data', look);
      child.stderr?.on('data', look);
    });
  }

  #spawn(secret: string): ChildProcess {
    const [program = '', ...args] = this.#target.serve;
    this.#output = '';
    const env = { ...this.#env, WEBHOOK_SECRET: secret, WORK_URL: this.#work?.url ?? '' };
    const path = program.startsWith('./') ? join(this.folder, program) : program;
    // spawnOwned also stops its children, such as PHP's workers.
    const child = spawnOwned(path, args, { cwd: this.folder, env });
    const keep = (text: Buffer) => (this.#output += text.toString());
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    return child;
  }

  /** What it has printed since it was started. */
  get output(): string {
    return this.#output;
  }

  /** Where it takes webhooks. */
  get url(): URL {
    return new URL(`http://127.0.0.1:${this.#port}/webhook`);
  }

  /** Starts it once more on a port that is taken: its own. @returns how it ended */
  startOnTakenPort(): { code: number | null; output: string } {
    const [program = '', ...args] = this.#target.serve;
    const env = { ...this.#env, WEBHOOK_SECRET: 'any', PORT: String(this.#port) };
    const path = program.startsWith('./') ? join(this.folder, program) : program;
    const { status, stdout, stderr } = spawnSync(path, args, { cwd: this.folder, env, timeout: 60_000 });
    return { code: status, output: `${stdout.toString()}${stderr.toString()}` };
  }

  /** Sends a webhook and resolves to the status of the answer. */
  send(headers: Record<string, string>, body: Uint8Array): Promise<number> {
    const options = {
      host: '127.0.0.1',
      port: this.#port,
      path: '/webhook',
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(!('Transfer-Encoding' in headers) && { 'Content-Length': body.byteLength }),
        ...headers,
      },
      agent: false,
    };
    return new Promise((resolve, reject) => {
      const sent = request(options, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      });
      sent.on('error', (error) => reject(new Error(`${error.message}\n${this.#output}`))).end(body);
    });
  }

  async stop(): Promise<void> {
    if (this.#process !== undefined) await stopOwned(this.#process);
    await this.#work?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/**
 * The signature cases in the format of the drivers: one line per case, with secret, clock, request id, timestamp,
 * signature and body in base64, separated by tabs; `-` means a missing header. A driver answers each line with `true` or
 * `false`.
 */
function caseLines(): string {
  const base64 = (text: string | undefined, encoding: BufferEncoding = 'utf8') =>
    text === undefined ? '-' : Buffer.from(text, encoding).toString('base64');
  const lines = signatureCases.map(({ heldSecret, clock, headers, bodyBase64 }) =>
    [
      base64(heldSecret),
      base64(clock.toString()),
      base64(headers['X-Request-Id'], 'latin1'),
      base64(headers['X-Service-Webhook-Timestamp'], 'latin1'),
      base64(headers['X-Service-Webhook-Signature'], 'latin1'),
      bodyBase64,
    ].join('\t'),
  );
  return `${lines.join('\n')}\n`;
}

const snippets = fileURLToPath(new URL('../../../media/snippets/', import.meta.url));
const read = (file: string) => readFile(join(snippets, file), 'utf8');
const secret = 'sécrèt-✓';

/** The digest of the code of each target, as it was when these tests ran it the last time. */
const ran = JSON.parse(
  readFileSync(new URL('../../fixtures/receivers.json', import.meta.url), 'utf8'),
) as Record<string, string>;

interface Webhook {
  id: string;
  body?: Uint8Array | string;
  key?: string;
  ageSeconds?: number;
}

function signed({ id, body = '{}', key = secret, ageSeconds = 0 }: Webhook): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1000 - ageSeconds).toString();
  return {
    'X-Request-Id': id,
    'X-Service-Webhook-Timestamp': timestamp,
    'X-Service-Webhook-Signature': `v1,${sign(key, id, timestamp, Buffer.from(body))}`,
  };
}

describe('a receiver of webhooks made of verification code', () => {
  for (const target of verificationTargets) {
    const served = servedTargets[target.id]!;
    const { runtime } = served;
    const isThere = runtime === undefined || runtimeEnv(runtime) !== undefined;

    it(`${target.title}: is the text that ran the last time${isThere ? '' : `; ${runtime} is not on this machine`}`, async () => {
      const digest = createHash('sha256')
        .update(await verificationCode(target, read))
        .digest('hex');
      const advice = `Run its tests where ${runtime ?? 'Node'} is, then put this digest into test/fixtures/receivers.json`;
      assert.equal(ran[target.id], digest, `The code is another. ${advice}: ${digest}`);
    });

    if (!isThere) continue;

    describe(target.title, () => {
      let receiver: ServedReceiver;
      const send = ({ body = '{}', ...webhook }: Webhook) =>
        receiver.send(signed({ body, ...webhook }), Buffer.from(body));
      /** How often the work has been done, or tried. */
      const works = () => receiver.work.received.length;
      /** Lets the next work wait for what the function returned does. */
      const holdWork = () => {
        let held: ServerResponse | undefined;
        receiver.work.behaviours = [(_, response) => (held = response)];
        return (status: number) => held!.writeHead(status).end();
      };

      /** PHP's own server gives further connections to a process that waits. */
      const isOneAtATime = target.id === 'php';
      let others = 0;
      /** What came before it has come as well then. */
      const anotherIsDone = async () => {
        if (!isOneAtATime) assert.equal(await send({ id: `another ${(others += 1)}` }), 200);
      };

      before(async () => {
        receiver = new ServedReceiver(served, await verificationCode(target, read));
        await receiver.start(secret);
      });
      after(() => receiver.stop());
      beforeEach(() => receiver.work.received.splice(0));

      const { judge } = served;
      if (judge !== undefined) {
        it('judges every signature case rightly', () => {
          const answers = receiver.run(judge, caseLines()).trim().split('\n');
          assert.deepEqual(
            signatureCases.map(({ name }, index) => [name, answers[index]]),
            signatureCases.map(({ name, verdict }) => [name, String(verdict === 'verified')]),
          );
        });
      }

      it('does the work for what is genuine, with the value of its JSON, and answers 200', async () => {
        assert.equal(await send({ id: 'genuine', body: '{"run_id":"r-1","result":"Zoë 😀"}' }), 200);
        const [work] = receiver.work.received;
        assert.deepEqual(JSON.parse(work!.body.toString()), { run_id: 'r-1', result: 'Zoë 😀' });
      });

      it('answers 401 to what is unsigned, wrong, old or not of the exact form, and does no work', async () => {
        const good = signed({ id: 'wrong' });
        const signature = good['X-Service-Webhook-Signature']!;
        const timestamp = good['X-Service-Webhook-Timestamp']!;
        const withTime = (text: string) => ({
          ...good,
          'X-Service-Webhook-Timestamp': text,
          'X-Service-Webhook-Signature': `v1,${sign(secret, 'wrong', text, Buffer.from('{}'))}`,
        });
        const wrong: Record<string, Record<string, string>> = {
          unsigned: {},
          'another body': signed({ id: 'wrong', body: '{ }' }),
          'another secret': signed({ id: 'wrong', key: 'another' }),
          'the empty secret': signed({ id: 'wrong', key: '' }),
          old: signed({ id: 'wrong', ageSeconds: 400 }),
          ahead: signed({ id: 'wrong', ageSeconds: -400 }),
          'a capital V': { ...good, 'X-Service-Webhook-Signature': signature.replace('v', 'V') },
          'capital digits': {
            ...good,
            'X-Service-Webhook-Signature': signature.replace(/[0-9a-f]{64}/, (digits) =>
              digits.toUpperCase(),
            ),
          },
          'no version': { ...good, 'X-Service-Webhook-Signature': signature.slice(3) },
          'a digit too many': { ...good, 'X-Service-Webhook-Signature': `${signature}0` },
          'two signatures': { ...good, 'X-Service-Webhook-Signature': `${signature} ${signature}` },
          'a fraction of a second': withTime(`${timestamp}.5`),
          'a leading zero': withTime(`0${timestamp}`),
          'a sign': withTime(`+${timestamp}`),
          'an exponent': withTime(`${timestamp}e0`),
          'no request id': Object.fromEntries(
            Object.entries(good).filter(([name]) => name !== 'X-Request-Id'),
          ),
        };
        for (const [name, headers] of Object.entries(wrong)) {
          assert.equal(await receiver.send(headers, Buffer.from('{}')), 401, name);
        }
        assert.equal(works(), 0);
      });

      it('takes a body that is no JSON, or no object, as well', async () => {
        const bodies: Record<string, Uint8Array | string> = {
          'no JSON': 'Internal Server Error',
          nothing: '',
          null: 'null',
          list: '[1, "two"]',
          number: '12345678901234567890',
          'no UTF-8': Uint8Array.from([0x7b, 0xff, 0xfe, 0x00, 0x80]),
          'half a pair': '"\\ud800"',
          'byte-order mark': '\ufeff{"a":1}',
          deep: '['.repeat(2000) + ']'.repeat(2000),
        };
        for (const [name, body] of Object.entries(bodies)) {
          assert.equal(await send({ id: `body: ${name}`, body }), 200, name);
        }
        assert.equal(works(), Object.keys(bodies).length);
      });

      it('passes every fixture that is made as the first ones of an app', async () => {
        const tests = firstFixtures('hello', undefined, Date.now()).flatMap(({ name, text }) =>
          testsIn(`${name}.delivery.json`, () => text),
        );
        const app = { to: receiver.url, secret, clock: systemClock, signal: new AbortController().signal };
        const failed: string[] = [];
        for await (const { fixture, outcome, failures } of runSuite(tests, 'a run', app)) {
          if (outcome !== 'passed')
            failed.push(`${fixture}: ${failures.map(({ message }) => message).join(' ')}`);
        }
        assert.deepEqual(failed, []);
      });

      const readers = target.id.startsWith('express') ? ['json', 'stream'] : ['stream'];
      // A function that is handed the bytes reads none.
      for (const reader of target.id.startsWith('function') ? [] : readers) {
        it(`says so where something has read the body before (${reader}), and lets it be sent again`, async () => {
          const body = '{"run_id":"r-1"}';
          const id = `read before: ${reader}`;
          // PHP reads a form itself, and keeps nothing of it.
          const form = { 'Content-Type': 'multipart/form-data; boundary=x' };
          const headers = {
            ...signed({ id, body }),
            'X-Read-Before': reader,
            ...(target.id === 'php' && form),
          };
          const status = await receiver.send(headers, Buffer.from(body)).catch(() => 'no response');
          assert.ok(status === 404 || status === 'no response', String(status));
          const says = /has read (?:its|the|it) (?:body )?before|keeps no raw body/;
          await waitFor('what it says', () => says.test(receiver.output));
          assert.equal(works(), 0);
          assert.equal(await send({ id, body }), 200);
        });
      }

      it('does the work once, however often the webhook comes', async () => {
        for (let time = 0; time < 3; time += 1) assert.equal(await send({ id: 'again' }), 200);
        assert.equal(works(), 1);
      });

      it('answers 404 where the work failed, so that it is sent again, and then does it', async () => {
        receiver.work.behaviours = [500, 'drop'];
        assert.equal(await send({ id: 'failing' }), 404);
        assert.equal(await send({ id: 'failing' }), 404);
        assert.equal(await send({ id: 'failing' }), 200);
        assert.equal(await send({ id: 'failing' }), 200);
        assert.equal(works(), 3);
      });

      it('lets a repeat wait that comes while the first is worked on, and does the work once', async () => {
        const endWork = holdWork();
        const first = send({ id: 'slow' });
        await receiver.work.count(1);
        const repeats = [send({ id: 'slow' }), send({ id: 'slow' })];
        await anotherIsDone();
        endWork(200);
        assert.deepEqual(await Promise.all([first, ...repeats]), [200, 200, 200]);
        assert.equal(works(), isOneAtATime ? 1 : 2);
      });

      it('does the work for a repeat that waited, where the first failed', async () => {
        const endWork = holdWork();
        const first = send({ id: 'slow and failing' });
        await receiver.work.count(1);
        const repeat = send({ id: 'slow and failing' });
        await anotherIsDone();
        endWork(500);
        assert.deepEqual(await Promise.all([first, repeat]), [404, 200]);
        assert.equal(works(), isOneAtATime ? 2 : 3);
      });

      it('remembers a bounded number of webhooks', async () => {
        await send({ id: 'number 0' });
        if (target.id === 'php') {
          const [files = ''] = readdirSync(receiver.folder).filter((name) => name.startsWith('webhooks-'));
          for (const file of readdirSync(join(receiver.folder, files))) {
            utimesSync(join(receiver.folder, files, file), 0, Date.now() / 1000 - 3700);
          }
        }
        for (let number = 1; number <= limits.remembered; number += 1) await send({ id: `number ${number}` });
        const before = works();
        await send({ id: `number ${limits.remembered}` });
        assert.equal(works(), before);
        await send({ id: 'number 0' });
        assert.equal(works(), before + 1);
      });

      if (/^(?:node|express|go|java)/.test(target.id)) {
        it('ends with what is wrong where its port is taken', () => {
          const { code, output } = receiver.startOnTakenPort();
          assert.match(output, /address already in use/i);
          assert.doesNotMatch(output, /Listening on/);
          assert.notEqual(code, 0);
        });
      }

      if (!/^(?:fetch|function)/.test(target.id)) {
        it('answers 413 to a body that is too large', async () => {
          const body = 'x'.repeat(limits.bodyBytes + 1);
          assert.equal(await send({ id: 'large', body }), 413);
          assert.equal(await send({ id: 'just right', body: body.slice(1) }), 200);
          assert.equal(works(), 1);
        });
      }

      if (target.language === 'python') {
        it('answers 413 to a body that is too large and does not say how long it is', async () => {
          const body = Buffer.from('x'.repeat(limits.bodyBytes + 1));
          const inChunks = { 'Transfer-Encoding': 'chunked' };
          assert.equal(await receiver.send({ ...signed({ id: 'in chunks', body }), ...inChunks }, body), 413);
          assert.equal(works(), 0);
        });
      }
    });

    if (target.id === 'php') {
      it(`${target.title}: takes nothing without a secret, and lets the service send it again`, async () => {
        const receiver = new ServedReceiver(served, await verificationCode(target, read));
        try {
          await receiver.start('');
          const body = Buffer.from('{}');
          assert.equal(await receiver.send(signed({ id: 'empty', key: '' }), body), 404);
          assert.equal(receiver.work.received.length, 0);
        } finally {
          await receiver.stop();
        }
      });
    } else {
      it(`${target.title}: does not start without a secret, and says what to set`, async () => {
        const receiver = new ServedReceiver(served, await verificationCode(target, read));
        try {
          await assert.rejects(receiver.start(''), /It ended:[\s\S]*Set WEBHOOK_SECRET to the secret/);
        } finally {
          await receiver.stop();
        }
      });
    }
  }
});
