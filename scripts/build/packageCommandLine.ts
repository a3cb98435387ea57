import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { bundles } from '../../esbuild.mjs';
import { manifest, root, workFolder } from '../checkout.ts';
import { runOwned } from '../processes.mjs';
import { ScriptError } from '../runMain.mjs';

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
