import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions, type Metafile } from 'esbuild';
import ts from 'typescript';
import { bundles } from '../../esbuild.mjs';
import { manifest, root, workFolder } from '../checkout.ts';
import { runOwned } from '../processes.mjs';
import { runMain, ScriptError } from '../runMain.mjs';

/** The extension that `npm run package` writes, and that tour, UI tests and `npm start` install. */
export const vsix = join(root, 'runhook.vsix');

/** Builds dist/. @param dev keeps names and writes source maps */
export async function buildExtension({ dev = false } = {}): Promise<void> {
  const args = ['esbuild.mjs', ...(dev ? ['--dev'] : [])];
  const { code } = await runOwned(process.execPath, args, { cwd: root, output: 'inherit' });
  if (code !== 0) throw new ScriptError('The build failed.');
}

/**
 * Builds dist/ and packs the VSIX. Warnings of vsce are failures, because in a terminal vsce would ask whether to go on.
 * So are secrets that its scanner finds.
 * @param out the file to write
 * @returns the output of vsce, which lists the packed files
 */
export async function packageExtension(out = vsix): Promise<string> {
  await buildExtension();
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  // The dependencies are bundled.
  const args = [vsce, 'package', '--no-dependencies', '--out', out];
  const { code, output } = await runOwned(process.execPath, args, { cwd: root });
  if (code !== 0 || /warn|error|secret/i.test(output.replaceAll(out, ''))) {
    throw new ScriptError(`${output.trim()}\n\n${out} was not packed.`);
  }
  return output.trim();
}

let cachedMetafiles: Promise<Metafile[]> | undefined;

/** The esbuild metafiles of the bundles, in the order of `bundles()`. Cached, because building takes seconds. */
export function bundleMetafiles(): Promise<Metafile[]> {
  cachedMetafiles ??= Promise.all(
    Object.values(bundles()).map(async (options) => {
      const { metafile } = await build({ ...options, write: false } as Parameters<typeof build>[0]);
      if (metafile === undefined) throw new Error('esbuild has written no metafile.');
      return metafile;
    }),
  );
  return cachedMetafiles;
}

/** The npm package of the command line, which `npm run package` writes. */
const commandLinePackage = join(root, 'runhook-cli.tgz');

/**
 * Bundles the command line and the library for tests, and packs both as an npm package without dependencies.
 * @param out the file to write
 */
export async function packageCommandLine(out = commandLinePackage): Promise<void> {
  await mkdir(workFolder, { recursive: true });
  const folder = await mkdtemp(join(workFolder, 'command-line-'));
  try {
    await writePackageContents(folder);
    const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
    const { code, output } = await runOwned('npm', pack, { cwd: folder });
    if (code !== 0) throw new ScriptError(`${output.trim()}\n\n${out} was not packed.`);
    await rename(join(folder, `${manifest.name}-${manifest.version}.tgz`), out);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writePackageContents(folder: string): Promise<void> {
  await build({
    ...(bundles().threads as BuildOptions),
    entryPoints: { runhook: join(root, 'src', 'commandLine', 'main.ts'), testing: testingLibrary },
    outdir: join(folder, 'dist'),
  });
  await writeFile(join(folder, 'dist', 'testing.d.ts'), await declarationsOf(testingLibrary));
  // What it loads where it is needed.
  const { relay, undici } = bundles();
  for (const bundle of [relay, undici]) {
    await build({ ...(bundle as BuildOptions), outdir: join(folder, 'dist') });
  }
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
    keywords: ['webhook', 'signature', 'hmac', 'testing', 'mcp'],
    bin: { runhook: 'dist/runhook.js' },
    exports: {
      './testing': { types: './dist/testing.d.ts', default: './dist/testing.js' },
      './package.json': './package.json',
    },
    // npm says with it which commit and workflow a package was made of.
    publishConfig: { access: 'public', provenance: true },
    engines: { node: '>=22.13' },
  };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(own, undefined, 2)}\n`);
  await cp(join(root, 'media', 'skills'), join(folder, 'media', 'skills'), { recursive: true });
  await cp(join(root, 'scripts', 'build', 'npmReadme.md'), join(folder, 'README.md'));
}

const testingLibrary = join(root, 'src', 'commandLine', 'testing', 'testing.ts');

/** The types of a module whose exports use no type of another. */
async function declarationsOf(path: string): Promise<string> {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(await readFile(path, 'utf8'), {
    fileName: path,
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
  });
  const problems = diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  if (/^import /m.test(outputText)) problems.push('It uses types of other modules.');
  if (problems.length > 0) throw new ScriptError(`${path} has no types of its own:\n${problems.join('\n')}`);
  return outputText;
}

// `npm run package` writes runhook.vsix and runhook-cli.tgz; with `--extension` only runhook.vsix.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    console.log(await packageExtension());
    if (!process.argv.includes('--extension')) await packageCommandLine();
  });
}
