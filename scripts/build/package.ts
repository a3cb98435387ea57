import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions, type Metafile } from 'esbuild';
import { bundles } from '../../esbuild.mjs';
import { manifest, root, workFolder } from '../checkout.ts';
import { runOwned } from '../processes.mjs';
import { runMain, ScriptError } from '../runMain.mjs';

/** The file that `npm run package` writes, and that tour, UI tests and `npm start` install. */
export const vsix = join(root, 'runhook.vsix');

/** Builds dist/. @param dev keeps names and source maps */
export async function buildExtension({ dev = false } = {}): Promise<void> {
  const args = ['esbuild.mjs', ...(dev ? ['--dev'] : [])];
  const { code } = await runOwned(process.execPath, args, { cwd: root, output: 'inherit' });
  if (code !== 0) throw new ScriptError('The build failed.');
}

/**
 * Builds dist/ and packs it. A warning of vsce is a failure: with a terminal it would ask. So is a file in
 * which its scanner finds a secret.
 * @param out the file to write
 * @returns what vsce said: the files that are in it
 */
export async function packageExtension(out = vsix): Promise<string> {
  await buildExtension();
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  // What ships is bundled: there are no dependencies to pack.
  const args = [vsce, 'package', '--no-dependencies', '--out', out];
  const { code, output } = await runOwned(process.execPath, args, { cwd: root });
  if (code !== 0 || /warn|error|secret/i.test(output.replaceAll(out, ''))) {
    throw new ScriptError(`${output.trim()}\n\n${out} was not packed.`);
  }
  return output.trim();
}

let made: Promise<Metafile[]> | undefined;

/** What esbuild says of the bundles that ship, in the order of `bundles()`. Made once: it takes seconds. */
export function bundleMetafiles(): Promise<Metafile[]> {
  made ??= Promise.all(
    Object.values(bundles()).map(async (options) => {
      const { metafile } = await build({ ...options, write: false } as Parameters<typeof build>[0]);
      if (metafile === undefined) throw new Error('esbuild has written no metafile.');
      return metafile;
    }),
  );
  return made;
}

/** The file that `npm run package` writes. */
export const commandLinePackage = join(root, 'runhook-cli.tgz');

/**
 * Bundles the command line, and packs it as an npm package that needs no other.
 * @param out the file to write
 */
export async function packageCommandLine(out = commandLinePackage): Promise<void> {
  await mkdir(workFolder, { recursive: true });
  const folder = await mkdtemp(join(workFolder, 'command-line-'));
  try {
    await fill(folder);
    const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
    const { code, output } = await runOwned('npm', pack, { cwd: folder });
    if (code !== 0) throw new ScriptError(`${output.trim()}\n\n${out} was not packed.`);
    await rename(join(folder, `${manifest.name}-${manifest.version}.tgz`), out);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fill(folder: string): Promise<void> {
  await build({
    ...(bundles().threads as BuildOptions),
    entryPoints: { runhook: join(root, 'src', 'commandLine', 'main.ts') },
    outdir: join(folder, 'dist'),
  });
  for (const file of ['LICENSE', 'THIRD-PARTY-NOTICES.md']) await cp(join(root, file), join(folder, file));
  const { name, version, license, repository, homepage, bugs } = manifest;
  const own = {
    name,
    version,
    description:
      'Receive, send and verify signed webhooks, and run the service they come from on your machine.',
    license,
    repository,
    homepage,
    bugs,
    type: 'module',
    bin: { runhook: 'dist/runhook.js' },
    engines: { node: '>=22.13' },
  };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(own, undefined, 2)}\n`);
  await writeFile(join(folder, 'README.md'), readme);
}

const readme = `# runhook

The command line of [Runhook](${manifest.homepage}): \`npx runhook --help\`.
`;

// `npm run package`: runhook.vsix, and runhook-cli.tgz; with `--extension` the first alone.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    console.log(await packageExtension());
    if (!process.argv.includes('--extension')) await packageCommandLine();
  });
}
