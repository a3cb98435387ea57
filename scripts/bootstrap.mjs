// What `npm start`, `npm test` and the others call: `node bootstrap.mjs <name> [arguments]`. Runs on the
// system's node (20 or newer) with nothing installed, sees to the dependencies, then runs scripts/<name>.ts
// on Node 24, which the package `node` brings along.
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runOwned, spawnOwned } from './processes.mjs';
import { runMain, ScriptError } from './runMain.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const major = Number(process.versions.node.split('.')[0]);

/** @param {string} path */
function readPackages(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** Whether node_modules is what package-lock.json asks for, by the record that npm leaves when it has finished. */
function isInstalled() {
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

/** @param {string} output of npm */
function installProblem(output) {
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
  // npm by itself takes minutes to find out that there is no network.
  const retries = ['--fetch-retries=2', '--fetch-retry-mintimeout=500', '--fetch-retry-maxtimeout=3000'];
  const npm = ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...retries];
  const { code, output } = await runOwned('npm', npm, { cwd: root }).finally(() => clearInterval(timer));
  if (code !== 0) throw new ScriptError(`${output.trim()}\n\n${installProblem(output)}`);
  console.log(`Installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}

function node24() {
  const own = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(own)) return own;
  if (major >= 24) return process.execPath;
  throw new ScriptError(
    `Node 24 is needed, and this is Node ${process.versions.node}. The package "node" should have brought it;\n` +
      'its install script did not run. Run: npm rebuild node --ignore-scripts=false\nOr install Node 24.',
  );
}

await runMain(async () => {
  const [name = '', ...args] = process.argv.slice(2);
  if (major < 20) throw new ScriptError(`Node 20 or newer is needed, and this is ${process.versions.node}.`);
  const script = join(root, 'scripts', `${name}.ts`);
  if (!existsSync(script)) throw new ScriptError(`There is no script scripts/${name}.ts.`);
  if (!isInstalled()) await install();
  const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  const child = spawnOwned(node24(), [script, ...args], {
    cwd: root,
    env: { ...process.env, PATH: path },
    output: 'inherit',
    // It has processes of its own to end first.
    graceMs: 15_000,
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
});
