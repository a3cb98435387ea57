// The entry point of the npm scripts: `node bootstrap.mjs <name> [arguments]`. It runs on the system's Node
// (20 or newer) without any dependency, installs the dependencies if needed, and then runs scripts/<name>.ts
// on the Node 24 that the package `node` contains.
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runOwned, spawnOwned } from './processes.mjs';
import { runMain, ScriptError } from './runMain.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const nodeMajor = Number(process.versions.node.split('.')[0]);

/** @param {string} path */
function readPackages(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** Compares package-lock.json with the lockfile that npm writes into node_modules when an install has finished. */
function dependenciesAreInstalled() {
  const wanted = readPackages('package-lock.json') ?? {};
  const present = readPackages('node_modules/.package-lock.json');
  return (
    present !== undefined &&
    Object.entries(wanted).every(
      ([path, entry]) =>
        path === '' ||
        (present[path] === undefined ? entry.optional === true : present[path].version === entry.version),
    )
  );
}

/** @param {string} output what npm printed */
function explainInstallFailure(output) {
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network/i.test(output)) {
    return (
      'The npm registry cannot be reached, and the dependencies are not installed yet.\n' +
      'Connect to the network, or name a registry or proxy that this machine reaches:\n' +
      '  npm config set registry https://…    npm config set proxy http://…\n' +
      'Then run the command again.'
    );
  }
  return 'npm ci failed. Its message stands above.';
}

async function install() {
  console.log('Installing the dependencies with npm ci (about 300 packages, half a minute) …');
  const started = Date.now();
  const timer = setInterval(() => {
    console.log(`  … still installing, ${Math.round((Date.now() - started) / 1000)} s`);
  }, 10_000);
  // With its default retries, npm takes minutes to report that there is no network.
  const retries = ['--fetch-retries=2', '--fetch-retry-mintimeout=500', '--fetch-retry-maxtimeout=3000'];
  const npm = ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...retries];
  const { code, output } = await runOwned('npm', npm, { cwd: root }).finally(() => clearInterval(timer));
  if (code !== 0) throw new ScriptError(`${output.trim()}\n\n${explainInstallFailure(output)}`);
  console.log(`Installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}

function findNode24() {
  const own = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(own)) return own;
  if (nodeMajor >= 24) return process.execPath;
  throw new ScriptError(
    `Node 24 is needed, and this is Node ${process.versions.node}. The package "node" should have brought it;\n` +
      'its install script did not run. Run: npm rebuild node --ignore-scripts=false\nOr install Node 24.',
  );
}

await runMain(async () => {
  const [name = '', ...args] = process.argv.slice(2);
  if (nodeMajor < 20)
    throw new ScriptError(`Node 20 or newer is needed, and this is ${process.versions.node}.`);
  const script = join(root, 'scripts', `${name}.ts`);
  if (!existsSync(script)) throw new ScriptError(`There is no script scripts/${name}.ts.`);
  if (!dependenciesAreInstalled()) await install();
  const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  const child = spawnOwned(findNode24(), [script, ...args], {
    cwd: root,
    env: { ...process.env, PATH: path },
    output: 'inherit',
    // The script stops its own child processes first.
    graceMs: 15_000,
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
});
