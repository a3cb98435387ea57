// Builds dist/: one bundle for each place code runs in. `--watch` rebuilds, `--dev` keeps names and maps.
import { readFileSync } from 'node:fs';
import { cp, mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

const root = fileURLToPath(new URL('.', import.meta.url));

const manifest = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const requireBanner =
  "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);";

/**
 * Bundles that are loaded by the first `import()` of their entry: all that an activation does not need, and undici, which
 * windows that send nothing need not load.
 */
const apart = {
  name: 'apart',
  setup(build) {
    build.onResolve({ filter: /\/(?:features\.ts|undici\.cjs)$/ }, ({ path, kind }) =>
      kind === 'dynamic-import'
        ? { path: `./${basename(path).replace(/\.ts$/, '.cjs')}`, external: true }
        : undefined,
    );
  },
};

/**
 * One namespace of VS Code's API for all modules of a bundle. esbuild would make one for each that imports it, by
 * copying all of its 500 names.
 */
const vscodeOnce = {
  name: 'vscode-once',
  setup(build) {
    build.onResolve({ filter: /^vscode$/ }, ({ namespace }) =>
      namespace === 'once' ? { external: true } : { path: 'vscode', namespace: 'once' },
    );
    build.onLoad({ filter: /^/, namespace: 'once' }, () => ({ contents: "export * from 'vscode';" }));
  },
};

/** Options of every bundle. */
function common(dev) {
  return {
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node22.19',
    outdir: 'dist',
    minify: !dev,
    keepNames: dev,
    sourcemap: dev ? 'linked' : false,
    metafile: true,
    logLevel: 'warning',
    // Its `main` asks for its files by a `require` that no bundler can follow.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  };
}

/** Those of a bundle of the extension host, which loads CommonJS sooner than modules. */
function commonJs(dev) {
  return {
    ...common(dev),
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    // `import()` of CommonJS is a `require` that comes later.
    supported: { 'dynamic-import': false },
  };
}

/** The bundles, by name. Exported for the test of the walls, which reads their metafiles. */
export function bundles({ dev = false } = {}) {
  return {
    // What an activation loads.
    extension: {
      ...commonJs(dev),
      plugins: [apart, vscodeOnce],
      entryPoints: { extension: 'src/extension.ts' },
    },
    // All else that runs in the extension host.
    features: {
      ...commonJs(dev),
      plugins: [apart, vscodeOnce],
      entryPoints: { features: 'src/editor/features.ts' },
    },
    threads: {
      ...common(dev),
      format: 'esm',
      // What several of them, or a lazy `import()`, need comes to stand in chunks.
      splitting: true,
      chunkNames: 'thread-[hash]',
      // vscode-jsonrpc asks for Node's modules by `require`.
      banner: { js: requireBanner },
      define: { runhookVersion: JSON.stringify(manifest.version) },
      entryPoints: {
        runhook: 'src/commandLine/main.ts',
        'explanation.worker': 'src/webhooks/explanation/explanation.worker.ts',
        'sandbox.worker': 'src/sandbox/sandbox.worker.ts',
        sandbox: 'src/sandbox/main.ts',
        tunnelGuard: 'src/listener/tunnels/tunnelGuard.ts',
      },
    },
    undici: {
      ...commonJs(dev),
      // undici's own switch, as Node bundles it: without its second, experimental parser.
      define: { esbuildDetection: 'true' },
      entryPoints: { undici: 'src/client/undici/undici.cjs' },
    },
    // The pages of webviews, each by itself.
    pages: {
      ...common(dev),
      platform: 'browser',
      format: 'iife',
      target: 'chrome130',
      entryPoints: {
        form: 'src/form/main.ts',
        explanation: 'src/explanation/main.ts',
        timeline: 'src/timeline/main.ts',
      },
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
  const all = Object.values(bundles({ dev }));
  await rm(new URL('dist/', import.meta.url), { recursive: true, force: true });
  await copyCodicons();
  if (watch) {
    const contexts = await Promise.all(all.map((options) => esbuild.context(options)));
    await Promise.all(contexts.map((context) => context.watch()));
    console.log('Watching.');
  } else {
    await Promise.all(all.map((options) => esbuild.build(options)));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build();
}
