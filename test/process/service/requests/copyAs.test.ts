import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { copyFormats } from '../../../../src/contract/values.ts';
import { readAll } from '../../../../src/service/client/boundedBody.ts';
import { RunClient, runHead } from '../../../../src/service/client/runClient.ts';
import { createUndiciTransport } from '../../../../src/service/client/undiciTransport.ts';
import { runUrl, withWebhook } from '../../../../src/service/runs/runUrl.ts';
import { type CopiedRequest, secretVariables } from '../../../../src/service/requests/copiedRequest.ts';
import { copyAs, type CopyFormat } from '../../../../src/service/requests/copyAs.ts';
import { verify } from '../../../../src/service/signature/signature.ts';
import { Receiver } from '../../../support/http/receiver.ts';
import { startSandboxServer } from '../../../support/service/startSandboxServer.ts';

const standIns = fileURLToPath(new URL('../../../support/standIns', import.meta.url));

/** Whether a program of the machine can be run so. */
const has = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;

/** What runs the copy in a file of that name, and what has to stand in for what this machine does not have. */
function runtimeOf(format: CopyFormat): { program: string; file: string; env: Record<string, string> } {
  switch (format) {
    case 'curl':
      return { program: 'sh', file: 'copy.sh', env: {} };
    case 'fetch':
      return { program: process.execPath, file: 'copy.mjs', env: {} };
    case 'requests': {
      const isThere = has('python3', '-c', `import ${format}`);
      return { program: 'python3', file: 'runhookCopy.py', env: isThere ? {} : { PYTHONPATH: standIns } };
    }
  }
}

async function runCopy(format: CopyFormat, copied: string, token: string, secret: string): Promise<string> {
  const { program, file, env } = runtimeOf(format);
  const folder = await mkdtemp(join(tmpdir(), 'runhook-copy-'));
  try {
    await writeFile(join(folder, file), copied);
    const running = promisify(execFile)(program, [join(folder, file)], {
      env: {
        ...process.env,
        ...env,
        PYTHONDONTWRITEBYTECODE: '1',
        RUNHOOK_TOKEN: token,
        WEBHOOK_SECRET: secret,
      },
      timeout: 60_000,
    });
    running.child.stdin?.end();
    return (await running).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('a run that is copied', () => {
  const viaUndici = createUndiciTransport({
    proxySupport: 'off',
    strictSsl: true,
    systemCertificates: false,
  });
  after(async () => viaUndici.close());
  const token = 'eyJ.the-token.sig';
  const secret = "it's the $ecret";
  const stranger = 'https://hooks.example/a?b=c&d=%20e';
  let proxy: Receiver;

  beforeEach(async () => {
    proxy = await Receiver.start();
  });
  afterEach(() => proxy.close());

  const cases: Record<
    string,
    { path?: string; method?: string; headers?: Record<string, string>; body?: string }
  > = {
    'a plain call': { body: '{"n":1}' },
    'a query that is encoded once': { path: 'run?q=a%20b&r=%26%3D&s=1,2;3', body: '{}' },
    'several lines and all that a shell or a language could take for its own': {
      body: '{\n\t"a": "it\'s \\"$HOME\\" `id` ${x} \\\\ %s !! é 漢 😀",\r\n  "b": """ \'\'\' \u2028 end"}',
    },
    'a body that begins as an option or a file does': { body: '@-- --raw' },
    'headers of its own': { headers: { 'x-own': "a 'quoted' $VALUE", 'x-empty': '' }, body: '{}' },
    'a header that is not ASCII': { headers: { 'x-own': 'café' }, body: '{}' },
    'no body': { method: 'GET', path: 'status?x=1' },
    'a body that no argument holds': { body: JSON.stringify({ long: 'x\n'.repeat(80_000) }) },
  };

  for (const [what, { path = 'run', method = 'POST', headers = {}, body }] of Object.entries(cases)) {
    it(`is sent as Runhook sends it: ${what}`, async () => {
      const written = runUrl(proxy.url, { projectId: 'p', appName: 'hello', path });
      const url = withWebhook(written, stranger);
      const call = { url, method, headers, secret, ...(body !== undefined && { body }) };
      const client = new RunClient({ transport: viaUndici.send, token, userAgent: 'Runhook' });
      await readAll((await client.run(call)).body);
      const request: CopiedRequest = {
        url: url.href,
        ...runHead(call, token),
        ...(body !== undefined && { body }),
      };
      for (const format of copyFormats) {
        const copied = copyAs(format, request, secretVariables([secret]));
        assert.ok(!copied.includes('the-token') && !copied.includes(secret), copied);
        await runCopy(format, copied, token, secret);
        const names = ['authorization', 'content-type', 'x-webhook-secret', ...Object.keys(headers)];
        const [own, sent] = [proxy.received[0], proxy.received.at(-1)].map((one) => ({
          ...{ method: one?.method, path: one?.path, body: one?.body.toString() },
          headers: names.map((name) => one?.headers[name]),
        }));
        assert.deepEqual(sent, own, `${format}\n${copied}`);
      }
    });
  }

  it('reaches the sandbox, which delivers its result once and signs it', async () => {
    const sandbox = await startSandboxServer();
    try {
      const { proxyUrl, projectId, token: good } = sandbox.address;
      const hook = `${proxy.url}/hook?to=a%20b`;
      const written = runUrl(proxyUrl, { projectId, appName: 'echo', path: 'run' });
      const call = { url: withWebhook(written, hook), method: 'POST', secret, body: '{"n":1}' };
      const request = { url: call.url.href, ...runHead(call, good), body: call.body };
      for (const [at, format] of copyFormats.entries()) {
        const answer = await runCopy(
          format,
          copyAs(format, request, secretVariables([secret])),
          good,
          secret,
        );
        assert.match(answer, /"run_id"/, format);
        await proxy.count(at + 1);
        const { path, body, headers } = proxy.received[at]!;
        assert.equal(path, '/hook?to=a%20b');
        assert.equal(verify(headers, body, [secret], Date.now() / 1000, 300).verdict, 'verified');
      }
    } finally {
      await sandbox.close();
    }
  });

  it('is copied as cURL alone where others would write its address anew', () => {
    for (const query of ['x=%7E', 'x=%3a', 'x=a|b', 'x=[1]', "x='"]) {
      const request = { method: 'POST', url: `http://127.0.0.1/v4/p/a/run?${query}`, headers: {}, body: '' };
      assert.ok(copyAs('curl', request, []).includes(query.replace("'", String.raw`'\''`)));
      for (const format of copyFormats.filter((one) => one !== 'curl')) {
        assert.throws(
          () => copyAs(format, request, []),
          /would change the address of this call\. Copy it as cURL/,
        );
      }
    }
  });
});
