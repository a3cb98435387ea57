import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { processesWithEnv } from '../support/processes/processesWithEnv.ts';
import { desktopEditors, resolveEditorProgram } from '../../scripts/test/editorTests.ts';
import { nextFreePort } from '../../scripts/start/demo.ts';
import { manifest, root } from '../../scripts/checkout.ts';
import { floorServer } from '../../scripts/test/vscodeServer.ts';

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

describe('npm run test:desktop', () => {
  it('takes the oldest VS Code that Runhook: Runs in, and the latest', () => {
    assert.deepEqual(desktopEditors([]), [
      { kind: 'version', version: '1.105.0' },
      { kind: 'version', version: 'stable' },
    ]);
  });

  it('takes the version or the program that is named', () => {
    assert.deepEqual(desktopEditors(['--version', '1.110.0']), [{ kind: 'version', version: '1.110.0' }]);
    assert.deepEqual(desktopEditors(['--vscode', '/opt/code']), [
      { kind: 'installed', program: '/opt/code' },
    ]);
  });

  it('refuses what is no version, and options that it does not know', () => {
    assert.throws(() => desktopEditors(['--version', 'newest']), /"newest" is no version of VS Code/);
    assert.throws(() => desktopEditors(['--verson', '1.110.0']), /--verson/);
  });

  it('downloads nothing where a program is named', async () => {
    const fail = () => Promise.reject(new Error('It has tried to.'));
    assert.equal(await resolveEditorProgram({ kind: 'installed', program: '/opt/code' }, fail), '/opt/code');
  });

  it('says what else to do where nothing can be downloaded', async () => {
    const offline = () => Promise.reject(new Error('getaddrinfo ENOTFOUND update.code.visualstudio.com'));
    await assert.rejects(
      resolveEditorProgram({ kind: 'version', version: '1.105.0' }, offline),
      /VS Code 1\.105\.0 could not be downloaded.*ENOTFOUND[\s\S]*--vscode[\s\S]*npm run test:editor/,
    );
  });
});

describe('nextFreePort', () => {
  it('passes over a port that is taken', async () => {
    const taken = createServer();
    const port = await new Promise<number>((resolve) => {
      taken.listen(0, '127.0.0.1', () => {
        const address = taken.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
    try {
      const next = await nextFreePort(port);
      assert.ok(next > port && next < port + 100, `${next} after ${port}`);
    } finally {
      taken.close();
    }
  });
});

const scripts = new URL('../../scripts/', import.meta.url).href;

/** A script that goes on to its next step when the process of the one before has ended. */
const script = `
  const { runMain } = await import('${scripts}runMain.mjs');
  const { runOwned } = await import('${scripts}processes.mjs');
  const wait = ['-e', 'console.log("started"); setInterval(() => undefined, 1000)'];
  await runMain(async () => {
    for (let step = 0; step < 3; step += 1) await runOwned(process.execPath, wait, { output: 'inherit' });
  });
`;

// There are no such signals on Windows.
if (process.platform !== 'win32')
  describe('runMain', () => {
    for (const [signal, exitCode] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      it(`leaves no process after ${signal}, not even that of a next step`, async () => {
        const mark = randomUUID();
        const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
          env: { ...process.env, RUNHOOK_TEST_MARK: mark },
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        await once(child.stdout, 'data');
        assert.equal((await processesWithEnv(mark)).length, 2);
        child.kill(signal);
        const [code] = (await once(child, 'exit')) as [number];
        assert.equal(code, exitCode);
        const left = await processesWithEnv(mark);
        for (const { pid } of left) process.kill(pid, 'SIGKILL');
        assert.deepEqual(left, []);
      });
    }
  });

describe('npm run test:floor', () => {
  it('takes the oldest VS Code that package.json allows, and the Node that it has', () => {
    // code-server counts as VS Code does, from another major version.
    const [, minor] = /^4\.(\d+)\.\d+$/.exec(floorServer.version) ?? [];
    assert.equal(manifest.engines.vscode, `^1.${minor}.0`);
    assert.match(floorServer.nodeVersion ?? '', /^22\.\d+\.\d+$/);
  });
});

const { devDependencies } = readJson(join(root, 'package.json')) as {
  devDependencies: Record<string, string>;
};

describe('the workflows', () => {
  const files = globSync('.github/workflows/*.yml', { cwd: root });

  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');

    it(`${file} may read the repository, and nothing else`, () => {
      assert.equal(text.match(/^permissions:\n(?: +.*\n)+/m)?.[0], 'permissions:\n  contents: read\n');
      // The two jobs that say what was made of what run nothing of the repository.
      const job = (name: string): string =>
        new RegExp(`^ {2}${name}:\\n(?: {3,}.*\\n)*`, 'm').exec(text)?.[0] ?? '';
      const [attest, npm] = [job('attest'), job('npm')];
      assert.doesNotMatch(text.replace(attest, '').replace(npm, ''), /^ +permissions:/m);
      assert.doesNotMatch(attest, /run:|checkout|secrets\b/);
      assert.doesNotMatch(npm, /checkout|npm ci/);
      assert.deepEqual(npm.match(/\w[\w-]*: write/g), npm === '' ? null : ['id-token: write']);
      assert.deepEqual(
        attest.match(/\w[\w-]*: write/g),
        attest === '' ? null : ['id-token: write', 'attestations: write'],
      );
    });

    it(`${file} takes actions by their commits, not by tags that can be moved`, () => {
      const actions = [...text.matchAll(/uses: (.*)$/gm)].map(([, action]) => action ?? '');
      assert.ok(actions.length > 0);
      for (const action of actions) assert.match(action, /^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
    });
  }

  describe('that publishes', () => {
    const text = readFileSync(join(root, '.github/workflows/publish.yml'), 'utf8');
    const publish = text.slice(text.indexOf('\n  publish:\n'));
    const steps = publish
      .slice(publish.indexOf('    steps:\n'))
      .split(/^ {6}- /m)
      .slice(1);

    it('says of both files what they were made of, before one is published', () => {
      const attest = text.slice(text.indexOf('\n  attest:\n'), text.indexOf(publish));
      assert.match(attest, /uses: actions\/attest-build-provenance@/);
      assert.match(attest, /subject-path: \|\n +runhook\.vsix\n +runhook-cli\.tgz$/);
      assert.match(publish, /needs: \[package, attest\]\n/);
    });

    it('publishes the command line with its provenance, as it was packaged, and without a token', () => {
      const npm = /^ {2}npm:\n(?: {3,}.*\n)*/m.exec(text)?.[0] ?? '';
      assert.match(npm, /needs: \[package, attest\]\n/);
      assert.deepEqual(npm.match(/run: .*/g), [
        'run: npm publish ./runhook-cli.tgz --provenance --access public --ignore-scripts',
      ]);
    });

    it('publishes what is on main, and no tag beside it', () => {
      const [, check = ''] = /name: the tag is on main\n +run: (.*)\n/.exec(text) ?? [];
      assert.match(text, /fetch-depth: 0\n +- name: the tag is on main\n/);
      assert.ok(text.indexOf(check) < text.indexOf('run: bash .ci/run'));
      const folder = mkdtempSync(join(tmpdir(), 'runhook-'));
      const git = (line: string) =>
        spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...line.split(' ')], { cwd: folder });
      git('init -q -b main');
      git('commit -q --allow-empty -m one');
      git('commit -q --allow-empty -m two');
      // As a checkout has the branches of the server.
      git('update-ref refs/remotes/origin/main main');
      const isOnMain = () => spawnSync(check, { cwd: folder, shell: true }).status === 0;
      assert.ok(isOnMain());
      git('checkout -q --detach HEAD~1');
      assert.ok(isOnMain());
      git('commit -q --allow-empty -m beside');
      assert.ok(!isOnMain());
      rmSync(folder, { recursive: true });
    });

    it('keeps what was packaged beside each other: the extension, and the command line', () => {
      const before = text.slice(text.indexOf('run: npm run package\n'), text.indexOf(publish));
      const uploads = before
        .split(/^ {6}- /m)
        .filter((step) => step.startsWith('uses: actions/upload-artifact@'));
      assert.deepEqual(
        uploads.map((step) => /\n +path: (.*)\n +if-no-files-found: error\b/.exec(step)?.[1]),
        ['runhook.vsix', 'runhook-cli.tgz'],
      );
    });

    it('takes its programs from a lockfile: nothing is fetched by a name alone', () => {
      for (const file of files) {
        assert.doesNotMatch(
          readFileSync(join(root, file), 'utf8'),
          /\bnpx\b|npm (?:i|install|exec)\b|@latest/,
        );
      }
      assert.match(publish, /working-directory: \.github\/publish\n +run: npm ci --ignore-scripts/);
      const folder = join(root, '.github/publish');
      const { dependencies } = readJson(join(folder, 'package.json')) as {
        dependencies: Record<string, string>;
      };
      assert.deepEqual(Object.keys(dependencies), ['@vscode/vsce', 'ovsx']);
      assert.equal(dependencies['@vscode/vsce'], devDependencies['@vscode/vsce']);
      const { packages } = readJson(join(folder, 'package-lock.json')) as {
        packages: Record<string, { version: string; integrity: string }>;
      };
      for (const [path, { version, integrity }] of Object.entries(packages)) {
        if (path !== '') assert.match(`${version} ${integrity}`, /^\d+\.\d+\.\d+\S* sha512-/, path);
      }
      for (const [name, version] of Object.entries(dependencies)) {
        assert.equal(packages[`node_modules/${name}`]?.version, version);
      }
    });

    it('gives its tokens to the step that publishes, and to no other', () => {
      const before = text.slice(0, text.indexOf(publish)) + publish.slice(0, publish.indexOf('    steps:\n'));
      assert.doesNotMatch(before, /secrets\b/);
      assert.ok(steps.length > 3);
      const last = steps.at(-1) ?? '';
      assert.deepEqual(
        steps.filter((step) => /secrets\b/.test(step)),
        [last],
      );
      assert.deepEqual(last.match(/secrets\.\w+/g), ['secrets.VSCE_PAT', 'secrets.OVSX_PAT']);
      assert.doesNotMatch(last, /uses:|npm|bash/);
      assert.match(publish, /environment: marketplaces\n/);
    });

    it('publishes nothing that has a known weakness', () => {
      assert.match(text, /run: npm audit --omit=dev --audit-level=high\n +- run: npm run package\n/);
    });
  });
});

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
