import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { workFolder } from '../checkout.ts';
import { runOwned } from '../processes.mjs';
import { runMain, withProgress } from '../runMain.mjs';

/** A program that tests run: a runtime for verification code, a debugger, or what a relay runs with; and its Debian packages. */
interface Runtime {
  /** A command that succeeds if the runtime is available. */
  probe: readonly [string, ...string[]];
  packages: readonly string[];
}

const runtimes = {
  Flask: { probe: ['python3', '-c', 'import flask'], packages: ['python3-flask'] },
  FastAPI: {
    probe: ['python3', '-c', 'import fastapi, uvicorn'],
    packages: ['python3-fastapi', 'python3-uvicorn'],
  },
  Go: { probe: ['go', 'version'], packages: ['golang-go'] },
  Ruby: {
    probe: ['ruby', '-r', 'rack', '-e', 'require "rack/handler/webrick"'],
    packages: ['ruby', 'ruby-rack', 'ruby-webrick'],
  },
  PHP: { probe: ['php', '--version'], packages: ['php-cli'] },
  Java: { probe: ['javac', '--version'], packages: ['default-jdk-headless'] },
  NATS: { probe: ['nats-server', '--version'], packages: ['nats-server'] },
  'Python debugger': { probe: ['python3', '-c', 'import debugpy'], packages: ['python3-debugpy'] },
  Caddy: { probe: ['caddy', 'version'], packages: ['caddy'] },
} satisfies Record<string, Runtime>;

export type RuntimeName = keyof typeof runtimes;

const folder = join(workFolder, 'runtimes');
const installRoot = join(folder, 'files');
const machineEnv = process.env;

/** The environment variables for programs under `installRoot`. */
function downloadedEnv(): NodeJS.ProcessEnv {
  const lib = join(installRoot, 'usr/lib');
  const paths = (...patterns: string[]) =>
    patterns.flatMap((pattern) => globSync(join(installRoot, pattern)));
  const list = (foundEnvs: string[], before = '') => [...foundEnvs, before].filter(Boolean).join(delimiter);
  const [goRoot] = paths('usr/lib/go-*');
  return {
    ...machineEnv,
    // The Debian packages need Debian's own Python.
    PATH: list(
      [
        join(installRoot, 'usr/bin'),
        join(installRoot, 'usr/sbin'),
        ...paths('usr/lib/go-*/bin', 'usr/lib/jvm/*/bin'),
        '/usr/bin',
      ],
      machineEnv['PATH'],
    ),
    LD_LIBRARY_PATH: list([lib, ...paths('usr/lib/*-linux-gnu*')], machineEnv['LD_LIBRARY_PATH']),
    PYTHONPATH: list([join(lib, 'python3/dist-packages')], machineEnv['PYTHONPATH']),
    RUBYLIB: list(
      paths('usr/lib/ruby/[0-9]*', 'usr/lib/*/ruby/[0-9]*', 'usr/share/rubygems-integration/all/gems/*/lib'),
      machineEnv['RUBYLIB'],
    ),
    ...(goRoot !== undefined && { GOROOT: goRoot }),
  };
}

/** Cached, because probing for all runtimes takes seconds. */
const found = new Map<RuntimeName, NodeJS.ProcessEnv>();

/** The environment in which a runtime is available: this machine's, or that of the downloads; undefined if neither. */
export function runtimeEnv(name: RuntimeName): NodeJS.ProcessEnv | undefined {
  const [program, ...args] = runtimes[name].probe;
  const finds = (env: NodeJS.ProcessEnv) => spawnSync(program, args, { env }).status === 0;
  const env =
    found.get(name) ?? [machineEnv, ...(existsSync(installRoot) ? [downloadedEnv()] : [])].find(finds);
  if (env !== undefined) found.set(name, env);
  return env;
}

/**
 * Downloads missing runtimes with apt-get into `.vscode-test/runtimes`, without root and without changing the system's
 * packages. A runtime that cannot be downloaded causes a warning, not a failure.
 */
async function ensureRuntimes(): Promise<void> {
  const names = Object.keys(runtimes) as RuntimeName[];
  const missing = names.filter((name) => runtimeEnv(name) === undefined);
  if (missing.length === 0) return;
  if (spawnSync('apt-get', ['--version']).status === 0) {
    await withProgress(`fetching ${missing.join(', ')} (Debian packages)`, () => downloadPackages(missing));
  }
  const left = missing.filter((name) => runtimeEnv(name) === undefined);
  if (left.length > 0) {
    console.warn(
      `  Not on this machine: ${left.join(', ')}. Verification code is compared with what ran elsewhere, and the relay and the debugger of Python are not tested.`,
    );
  }
}

async function downloadPackages(missing: readonly RuntimeName[]): Promise<void> {
  const apt = join(folder, 'apt');
  await mkdir(join(apt, 'lists/partial'), { recursive: true });
  await mkdir(join(apt, 'cache/archives/partial'), { recursive: true });
  await mkdir(installRoot, { recursive: true });
  const options = [
    ...[`Dir::State::lists=${apt}/lists`, `Dir::Cache=${apt}/cache`, 'Debug::NoLocking=1'],
    // Short, so that a machine without a network does not wait long.
    ...['Acquire::http::Timeout=10', 'Acquire::https::Timeout=10', 'Acquire::Retries=0'],
  ];
  const aptGet = (...args: string[]) =>
    runOwned('apt-get', [...options.flatMap((option) => ['-o', option]), '-qq', ...args]);
  await aptGet('update');
  for (const name of missing) {
    const install = ['install', '--yes', '--no-install-recommends', '--download-only'];
    const { code, output } = await aptGet(...install, ...runtimes[name].packages);
    if (code !== 0) console.warn(`  ${name}: ${output.trim()}`);
  }
  for (const archive of globSync(`${apt}/cache/archives/*.deb`)) {
    await runOwned('dpkg-deb', ['--extract', archive, installRoot]);
  }
  // Removes some 10,000 unneeded files, which would slow down searches through the checkout.
  const unneeded = ['doc', 'man', 'go-*/{test,misc,api,src/cmd}', 'go-*/src/**/{testdata,*_test.go}'];
  for (const path of unneeded.flatMap((one) => globSync(join(installRoot, 'usr/share', one)))) {
    await rm(path, { recursive: true, force: true });
  }
  // Installing the package would create this link without a version in its name.
  const [php] = globSync(join(installRoot, 'usr/bin/php[0-9]*.[0-9]'));
  if (php !== undefined) await symlink(php, join(installRoot, 'usr/bin/php')).catch(() => undefined);
  await rm(apt, { recursive: true, force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    await ensureRuntimes();
    return 0;
  });
}
