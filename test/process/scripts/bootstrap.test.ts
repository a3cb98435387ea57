import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

describe('scripts/bootstrap.mjs', () => {
  let checkout: string;

  beforeEach('makes a checkout with nothing installed', async () => {
    checkout = await mkdtemp(join(tmpdir(), 'runhook-bootstrap-'));
    const files = [
      'package.json',
      'package-lock.json',
      ...['bootstrap.mjs', 'processes.mjs', 'runMain.mjs', 'test/all.ts'].map(inScripts),
    ];
    for (const file of files) await cp(join(root, file), join(checkout, file));
  });

  afterEach(() => rm(checkout, { recursive: true, force: true }));

  it('says what to do where the registry cannot be reached', async () => {
    const { code, output } = await bootstrap(checkout, ['test/all'], {
      // Nobody listens on the discard port, and a proxy would be asked in its stead.
      npm_config_registry: 'http://127.0.0.1:9/',
      npm_config_noproxy: '127.0.0.1',
      npm_config_cache: join(checkout, 'cache'),
    });
    assert.equal(code, 1, output);
    assert.match(output, /Installing the dependencies/);
    assert.match(output, /The npm registry cannot be reached.*\n.*npm config set registry/s);
  });

  it('installs nothing for a script that is not there', async () => {
    const { code, output } = await bootstrap(checkout, ['nothing'], {});
    assert.equal(code, 1);
    assert.match(output, /There is no script scripts\/nothing\.ts/);
    assert.doesNotMatch(output, /Installing/);
  });
});

function inScripts(file: string): string {
  return join('scripts', file);
}

function bootstrap(
  checkout: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(checkout, 'scripts', 'bootstrap.mjs'), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
