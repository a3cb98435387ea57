// Builds dist/: one bundle for each place code runs in. `--watch` rebuilds, `--dev` keeps names and maps.
import { readFileSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { makeCommonJs } from './scripts/commonJs.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));

const manifest = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const requireBanner =
  "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);";

/** What the manifest names, and VS Code loads. */
const main = 'dist/extension.cjs';

/**
 * undici is 700 KB that no activation may pay for: it stays a bundle of its own, loaded by the first
 * `import('undici')` that runs.
 */
const undiciApart = {
  name: 'undici-apart',
  setup(build) {
    build.onResolve({ filter: /^undici$/ }, () => ({ path: './undici.cjs', external: true }));
  },
};

/** Options of every bundle. What several bundles, or a lazy `import()`, need comes to stand in chunks. */
function common(dev) {
  return {
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22.19',
    outdir: 'dist',
    minify: !dev,
    keepNames: dev,
    sourcemap: dev ? 'linked' : false,
    metafile: true,
    logLevel: 'warning',
    external: ['vscode'],
    // Its `main` asks for its files by a `require` that no bundler can follow.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  };
}

/** The bundles, by name. Exported for the test of the walls, which reads their metafiles. */
export function bundles({ dev = false } = {}) {
  return {
    extension: {
      ...common(dev),
      splitting: true,
      plugins: [undiciApart],
      entryPoints: { extension: 'src/extension.ts' },
    },
    threads: {
      ...common(dev),
      splitting: true,
      // vscode-jsonrpc asks for Node's modules by `require`.
      banner: { js: requireBanner },
      define: { runhookVersion: JSON.stringify(manifest.version) },
      // Told from those of the extension, which are replaced.
      chunkNames: 'thread-[hash]',
      plugins: [undiciApart],
      entryPoints: {
        runhook: 'src/commandLine/main.ts',
        'explanation.worker': 'src/webhooks/explanation/explanation.worker.ts',
        'sandbox.worker': 'src/sandbox/sandbox.worker.ts',
        sandbox: 'src/sandbox/main.ts',
        tunnelGuard: 'src/listener/tunnels/tunnelGuard.ts',
      },
    },
    undici: {
      ...common(dev),
      format: 'cjs',
      outExtension: { '.js': '.cjs' },
      entryPoints: { undici: 'undici' },
    },
    form: {
      ...common(dev),
      platform: 'browser',
      format: 'iife',
      target: 'chrome130',
      entryPoints: { form: 'src/form/main.ts' },
    },
  };
}

/** What ships as it is, in `dist/codicons`. */
export const copiedFiles = ['codicon.css', 'codicon.ttf'].map(
  (file) => `node_modules/@vscode/codicons/dist/${file}`,
);

async function copyCodicons() {
  const to = join(root, 'dist', 'codicons');
  await mkdir(to, { recursive: true });
  for (const file of copiedFiles) await cp(join(root, file), join(to, basename(file)));
}

async function build() {
  const watch = process.argv.includes('--watch');
  const dev = watch || process.argv.includes('--dev');
  const { extension, ...others } = bundles({ dev });
  const all = [extension, ...Object.values(others)];
  await rm(new URL('dist/', import.meta.url), { recursive: true, force: true });
  await copyCodicons();
  if (dev) await writeFile(join(root, main), "module.exports = require('./extension.js');\n");
  if (watch) {
    const contexts = await Promise.all(all.map((options) => esbuild.context(options)));
    await Promise.all(contexts.map((context) => context.watch()));
    console.log('Watching.');
  } else {
    const [{ metafile }] = await Promise.all(all.map((options) => esbuild.build(options)));
    if (!dev) await makeCommonJs(extension, metafile, 'dist/extension.js');
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build();
}
