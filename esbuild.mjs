// Builds dist/: one bundle for each place code runs in. `--watch` rebuilds, `--dev` keeps names and maps.
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

const root = fileURLToPath(new URL('.', import.meta.url));

/**
 * undici is 700 KB that no activation may pay for: it stays a bundle of its own, loaded by the first
 * `import('undici')` that runs.
 */
const undiciApart = {
  name: 'undici-apart',
  setup(build) {
    build.onResolve({ filter: /^undici$/ }, (found) =>
      found.kind === 'entry-point' ? null : { path: './undici.js', external: true },
    );
  },
};

/** Options of every bundle that runs in Node. */
function node(dev) {
  return {
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22.19',
    outdir: 'dist',
    minify: !dev,
    keepNames: dev,
    sourcemap: dev ? 'linked' : false,
    metafile: true,
    logLevel: 'warning',
    external: ['vscode'],
    supported: { 'dynamic-import': false },
    plugins: [undiciApart],
  };
}

/** The bundles, by name. Exported for the test of the walls, which reads their metafiles. */
export function bundles({ dev = false } = {}) {
  return {
    node: {
      ...node(dev),
      entryPoints: {
        extension: 'src/extension.ts',
        'listener.worker': 'src/webhooks/listener.worker.ts',
        'sandbox.worker': 'src/sandbox/sandbox.worker.ts',
        sandbox: 'src/sandbox/main.ts',
        undici: 'undici',
      },
    },
    form: {
      ...node(dev),
      platform: 'browser',
      format: 'iife',
      target: 'chrome130',
      external: [],
      plugins: [],
      entryPoints: { form: 'src/form/main.ts' },
    },
  };
}

async function copyCodicons() {
  const from = new URL('node_modules/@vscode/codicons/dist/', import.meta.url);
  const to = new URL('dist/codicons/', import.meta.url);
  await mkdir(to, { recursive: true });
  for (const file of ['codicon.css', 'codicon.ttf']) {
    await cp(new URL(file, from), new URL(file, to));
  }
}

async function main() {
  const watch = process.argv.includes('--watch');
  const dev = watch || process.argv.includes('--dev');
  const all = Object.values(bundles({ dev }));
  await rm(new URL('dist/', import.meta.url), { recursive: true, force: true });
  await copyCodicons();
  // The package is ESM for the sake of its tests and scripts; what VS Code loads is CommonJS.
  await writeFile(new URL('dist/package.json', import.meta.url), '{"type":"commonjs"}\n');
  if (watch) {
    const contexts = await Promise.all(all.map((options) => esbuild.context(options)));
    await Promise.all(contexts.map((context) => context.watch()));
    console.log('Watching.');
  } else {
    await Promise.all(all.map((options) => esbuild.build(options)));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main();
}
