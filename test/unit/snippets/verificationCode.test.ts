import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { sign } from '../../../src/webhooks/signature.ts';
import { verificationCode, verificationTargets } from '../../../src/webhooks/verificationCode.ts';
import { signatureCases } from '../../support/signatureCases.ts';
import { caseLines } from '../../support/snippets/snippetCases.ts';

const snippets = fileURLToPath(new URL('../../../media/snippets/', import.meta.url));
const drivers = fileURLToPath(new URL('../../support/snippets/', import.meta.url));
const express = fileURLToPath(new URL('../../../.vscode-test/server/node_modules/express', import.meta.url));
const read = (file: string) => readFile(join(snippets, file), 'utf8');

function target(id: string) {
  const found = verificationTargets.find((one) => one.id === id);
  assert.ok(found, id);
  return found;
}

/** The request of a delivery that is signed now. */
function signedRequest(secret: string, body: string): { body: string; headers: Record<string, string> } {
  const timestamp = Math.floor(Date.now() / 1000).toString();
  const signature = sign(secret, 'req-1', timestamp, Buffer.from(body));
  return {
    body,
    headers: {
      'X-Request-Id': 'req-1',
      'X-Service-Webhook-Timestamp': timestamp,
      'X-Service-Webhook-Signature': `v1,${signature}`,
    },
  };
}

/** The code with a word more: on which port it listens, where it does not say so itself. */
function tellingPort(code: string): string {
  return code.replace(/^app\.listen\((.*)\);$/m, (_, to: string) =>
    [
      `const listening = app.listen(${to});`,
      "listening.on('listening', () => console.log(`port ${listening.address().port}`));",
    ].join('\n'),
  );
}

describe('verification code', function () {
  this.timeout(60_000);

  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'runhook-snippets-'));
    for (const part of ['typescript', 'python', 'java', 'ruby', 'php']) {
      cpSync(join(snippets, part), folder, { recursive: true });
    }
    cpSync(drivers, folder, { recursive: true });
    mkdirSync(join(folder, 'webhook'));
    cpSync(join(snippets, 'go/webhook.go'), join(folder, 'webhook/webhook.go'));
    writeFileSync(join(folder, 'go.mod'), 'module snippets\n\ngo 1.19\n');
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const one of verificationTargets) {
    it(`${one.title}: is one file that reads the secret from the environment`, async () => {
      const code = await verificationCode(one, read);
      assert.doesNotMatch(code, /verify\.ts|from verify import/);
      assert.match(code, /WEBHOOK_SECRET/);
      assert.match(code, /x-service-webhook-signature/i);
    });
  }

  it("carries the vendor's name in the header names", async () => {
    assert.match(await verificationCode(target('go'), read, 'acme-hub'), /"X-Acme-Hub-Webhook-Signature"/);
    assert.match(await verificationCode(target('flask'), read, 'acme'), /"x-acme-webhook-timestamp"/);
    const hostile = await verificationCode(target('node'), read, "a'); evil('");
    assert.doesNotMatch(hostile, /evil/);
  });

  describe('TypeScript', () => {
    it('judges every signature case rightly', async () => {
      const module = (await import(pathToFileURL(join(folder, 'verify.ts')).href)) as {
        verifyWebhook: (
          header: (name: string) => string | undefined,
          body: Uint8Array,
          secret: string,
          now: number,
        ) => boolean;
      };
      for (const { name, heldSecret, clock, headers, bodyBase64, verdict } of signatureCases) {
        const byName = new Map(Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value]));
        const body = Buffer.from(bodyBase64, 'base64');
        const genuine = module.verifyWebhook((key) => byName.get(key), body, heldSecret, clock);
        assert.equal(genuine, verdict === 'verified', name);
      }
    });

    for (const id of ['node', 'express', 'fetch']) {
      it(`${id}: is a module without errors of syntax`, async () => {
        const file = join(folder, `${id}-whole.mjs`);
        writeFileSync(file, stripTypeScriptTypes(await verificationCode(target(id), read)));
        const { status, stderr } = spawnSync(process.execPath, ['--check', file]);
        assert.equal(status, 0, stderr.toString());
      });
    }

    it('fetch: answers 200 to what is genuine and 401 to the rest', async () => {
      const file = join(folder, 'fetch-whole.ts');
      writeFileSync(file, await verificationCode(target('fetch'), read));
      process.env.WEBHOOK_SECRET = 'from the environment';
      const { handleWebhook } = (await import(pathToFileURL(file).href)) as {
        handleWebhook: (request: Request) => Promise<Response>;
      };
      delete process.env.WEBHOOK_SECRET;
      const { body, headers } = signedRequest('from the environment', '{"run_id":"r-1"}');
      const ask = (sent: string) =>
        handleWebhook(new Request('http://127.0.0.1/', { method: 'POST', headers, body: sent }));
      assert.equal((await ask(body)).status, 200);
      assert.equal((await ask(`${body} `)).status, 401);
    });

    // Express comes with the VS Code server that the other tests use, where that is there.
    for (const id of existsSync(express) ? ['node', 'express'] : ['node'])
      describe(id, () => {
        let server: ChildProcess;
        let port: number;

        before(async () => {
          if (id === 'express') symlinkSync(dirname(express), join(folder, 'node_modules'));
          const file = join(folder, `${id}-served.ts`);
          writeFileSync(file, tellingPort(await verificationCode(target(id), read)));
          server = spawn(process.execPath, [file], {
            env: { ...process.env, WEBHOOK_SECRET: 'from the environment', PORT: '0' },
            stdio: ['ignore', 'pipe', 'inherit'],
          });
          port = await new Promise((resolve, reject) => {
            server.on('exit', (code) => reject(new Error(`It ended with ${String(code)}.`)));
            server.stdout?.on('data', (text: Buffer) => {
              const found = /port (\d+)/.exec(text.toString())?.[1];
              if (found !== undefined) resolve(Number(found));
            });
          });
        });

        after(() => {
          server.removeAllListeners('exit');
          server.kill();
        });

        it('answers 200 to what is genuine and 401 to the rest', async () => {
          const { body, headers } = signedRequest('from the environment', '{"run_id":"r-1"}');
          const ask = (sent: string) =>
            fetch(`http://127.0.0.1:${port}/webhook`, { method: 'POST', headers, body: sent });
          assert.equal((await ask(body)).status, 200);
          assert.equal((await ask(`${body} `)).status, 401);
        });
      });
  });

  /** What judges the cases in each language, by the program that has to be there. */
  const others: [language: string, program: string, args: string[]][] = [
    ['Python', 'python3', ['driver.py']],
    ['Java', 'java', ['-cp', '.', 'Driver']],
    ['Go', 'go', ['run', '.']],
    ['Ruby', 'ruby', ['driver.rb']],
    ['PHP', 'php', ['driver.php']],
  ];
  for (const [language, program, args] of others.filter((one) => isInstalled(one[1]))) {
    describe(language, () => {
      it('judges every signature case rightly', function () {
        this.timeout(60_000);
        if (language === 'Java') execute('javac', ['WebhookReceiver.java', 'Driver.java']);
        const answers = execute(program, args).trim().split('\n');
        assert.deepEqual(
          signatureCases.map(({ name }, index) => [name, answers[index]]),
          signatureCases.map(({ name, verdict }) => [name, String(verdict === 'verified')]),
        );
      });
    });
  }

  if (isInstalled('python3')) {
    for (const id of ['flask', 'fastapi']) {
      it(`Python, ${id}: is a module without errors of syntax`, async () => {
        writeFileSync(join(folder, `${id}_whole.py`), await verificationCode(target(id), read));
        execute('python3', ['-m', 'py_compile', `${id}_whole.py`]);
      });
    }
  }

  const frameworks = [
    ['flask', 'wsgi'],
    ['fastapi', 'asgi'],
  ] as const;
  for (const [id, kind] of frameworks.filter(([id]) => isInstalled('python3', ['-c', `import ${id}`]))) {
    it(`Python, ${id}: answers 200 to what is genuine and 401 to the rest`, async () => {
      writeFileSync(join(folder, `${id}_whole.py`), await verificationCode(target(id), read));
      const { body, headers } = signedRequest('from the environment', '{"run_id":"r-1"}');
      const lines = [body, `${body} `].map((sent) => JSON.stringify({ headers, body: sent }));
      const answers = execute('python3', ['app_driver.py', `${id}_whole`, kind], lines.join('\n'));
      assert.deepEqual(answers.trim().split('\n'), ['200', '401']);
    });
  }

  function execute(program: string, args: string[], input = caseLines()): string {
    const env = { ...process.env, WEBHOOK_SECRET: 'from the environment' };
    const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: folder, input, env });
    assert.equal(status, 0, error?.message ?? stderr.toString());
    return stdout.toString();
  }
});

/** Whether a program is there, and, for Java, its compiler too. */
function isInstalled(program: string, args = [program === 'go' ? 'version' : '--version']): boolean {
  const works = (name: string) => spawnSync(name, args).status === 0;
  return works(program) && (program !== 'java' || works('javac'));
}
