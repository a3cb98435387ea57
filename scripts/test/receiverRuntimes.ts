import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { workFolder } from '../checkout.ts';
import { runOwned } from '../processes.mjs';
import { runMain, withProgress } from '../runMain.mjs';

/** What runs the verification code of a language, and the Debian packages that bring it. */
interface Runtime {
  /** A command that succeeds where it is there. */
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
} satisfies Record<string, Runtime>;

export type RuntimeName = keyof typeof runtimes;

const folder = join(workFolder, 'runtimes');
const files = join(folder, 'files');
const own = process.env;

/** The environment in which what was fetched is found. */
function fetchedEnv(): NodeJS.ProcessEnv {
  const lib = join(files, 'usr/lib');
  const paths = (...patterns: string[]) => patterns.flatMap((pattern) => globSync(join(files, pattern)));
  const list = (found: string[], before = '') => [...found, before].filter(Boolean).join(delimiter);
  const [goRoot] = paths('usr/lib/go-*');
  return {
    ...own,
    // Debian's own Python is the one that its packages are for.
    PATH: list(
      [join(files, 'usr/bin'), ...paths('usr/lib/go-*/bin', 'usr/lib/jvm/*/bin'), '/usr/bin'],
      own['PATH'],
    ),
    LD_LIBRARY_PATH: list([lib, ...paths('usr/lib/*-linux-gnu*')], own['LD_LIBRARY_PATH']),
    PYTHONPATH: list([join(lib, 'python3/dist-packages')], own['PYTHONPATH']),
    RUBYLIB: list(
      paths('usr/lib/ruby/[0-9]*', 'usr/lib/*/ruby/[0-9]*', 'usr/share/rubygems-integration/all/gems/*/lib'),
      own['RUBYLIB'],
    ),
    ...(goRoot !== undefined && { GOROOT: goRoot }),
  };
}

/** Where a runtime was found: to look for all of them takes seconds. */
const found = new Map<RuntimeName, NodeJS.ProcessEnv>();

/** The environment in which a runtime is found: the machine's own or the fetched one; undefined where neither has it. */
export function runtimeEnv(name: RuntimeName): NodeJS.ProcessEnv | undefined {
  const [program, ...args] = runtimes[name].probe;
  const finds = (env: NodeJS.ProcessEnv) => spawnSync(program, args, { env }).status === 0;
  const env = found.get(name) ?? [own, ...(existsSync(files) ? [fetchedEnv()] : [])].find(finds);
  if (env !== undefined) found.set(name, env);
  return env;
}

/**
 * Fetches what is missing on a machine with apt-get, into `.vscode-test/runtimes`, without root and without touching
 * the machine's own packages. What cannot be had is said, and is no failure.
 */
async function ensureRuntimes(): Promise<void> {
  const names = Object.keys(runtimes) as RuntimeName[];
  const missing = names.filter((name) => runtimeEnv(name) === undefined);
  if (missing.length === 0) return;
  if (spawnSync('apt-get', ['--version']).status === 0) {
    await withProgress(`fetching ${missing.join(', ')} (Debian packages)`, () => fetchPackages(missing));
  }
  const left = missing.filter((name) => runtimeEnv(name) === undefined);
  if (left.length > 0) {
    console.warn(
      `  Not on this machine: ${left.join(', ')}. Their verification code is compared with what ran elsewhere.`,
    );
  }
}

async function fetchPackages(missing: readonly RuntimeName[]): Promise<void> {
  const apt = join(folder, 'apt');
  await mkdir(join(apt, 'lists/partial'), { recursive: true });
  await mkdir(join(apt, 'cache/archives/partial'), { recursive: true });
  await mkdir(files, { recursive: true });
  const options = [
    ...[`Dir::State::lists=${apt}/lists`, `Dir::Cache=${apt}/cache`, 'Debug::NoLocking=1'],
    // Without a network it goes on soon.
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
    await runOwned('dpkg-deb', ['--extract', archive, files]);
  }
  // Some 10,000 files that nobody needs here, and that whatever looks through the checkout would find.
  const needless = ['doc', 'man', 'go-*/{test,misc,api,src/cmd}', 'go-*/src/**/{testdata,*_test.go}'];
  for (const path of needless.flatMap((one) => globSync(join(files, 'usr/share', one)))) {
    await rm(path, { recursive: true, force: true });
  }
  // Its name without the version is one that the installation would have made.
  const [php] = globSync(join(files, 'usr/bin/php[0-9]*.[0-9]'));
  if (php !== undefined) await symlink(php, join(files, 'usr/bin/php')).catch(() => undefined);
  await rm(apt, { recursive: true, force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    await ensureRuntimes();
    return 0;
  });
}
