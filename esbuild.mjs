// Builds dist/. `--watch` rebuilds after changes, `--dev` keeps names and writes source maps.
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import subsetFont from 'subset-font';

const root = fileURLToPath(new URL('.', import.meta.url));

const manifest = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/**
 * Makes the dynamic imports of features.ts, undici.cjs and relay.ts load those bundles at run time. So activation loads
 * no feature, a window that sends no request loads no undici, and the VSIX goes without the relay.
 */
const separateBundles = {
  name: 'separate-bundles',
  setup(build) {
    build.onResolve({ filter: /\/(?:features\.ts|undici\.cjs|relay\/relay\.ts)$/ }, ({ path, kind }) =>
      kind === 'dynamic-import'
        ? { path: `./${basename(path).replace(/\.ts$/, '.cjs')}`, external: true }
        : undefined,
    );
  },
};

/**
 * Imports `vscode` once per bundle. By default esbuild creates a namespace object in every importing module, and copies
 * the 500 names of the API into each.
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

/**
 * Leaves out what Runhook does not use of undici, 45 KB of the VSIX: HTTP/2, which it refuses; forms, since its bodies are
 * texts; and one of two parsers, that for processors with SIMD, without which undici takes the other. That one is packed.
 */
const partOfUndici = {
  name: 'part-of-undici',
  setup(build) {
    build.onLoad({ filter: /(?:llhttp_simd-wasm|client-h2|fetch[\\/](?:body|formdata))\.js$/ }, () => ({
      contents: '',
    }));
    build.onLoad({ filter: /webidl[\\/]index\.js$/ }, () => ({
      contents: 'exports.webidl = { is: { FormData: () => false } };',
    }));
    build.onLoad({ filter: /llhttp-wasm\.js$/ }, async ({ path }) => {
      const packed = deflateRawSync((await import(path)).default, { level: 9 }).toString('base64');
      const bytes = `require('node:zlib').inflateRawSync(Buffer.from('${packed}', 'base64'))`;
      return { contents: `module.exports = ${bytes};` };
    });
  },
};

/** Options for every bundle. */
function commonOptions(dev) {
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
    // Its UMD `main` requires its files in a way that esbuild cannot follow.
    alias: {
      'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
      '@modelcontextprotocol/server/_shims': './src/commandLine/mcp/sdkShims.ts',
    },
  };
}

/** Options for bundles of the extension host, which loads CommonJS faster than ES modules. */
function extensionHostOptions(dev) {
  return {
    ...commonOptions(dev),
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    // Turns `import()` into a deferred `require()`.
    supported: { 'dynamic-import': false },
  };
}

/** The esbuild options of each bundle. */
export function bundles({ dev = false } = {}) {
  return {
    // Loaded by activation.
    extension: {
      ...extensionHostOptions(dev),
      plugins: [separateBundles, vscodeOnce],
      entryPoints: { extension: 'src/extension.ts' },
    },
    // The features, which run in the extension host as well.
    features: {
      ...extensionHostOptions(dev),
      plugins: [separateBundles, vscodeOnce],
      entryPoints: { features: 'src/editor/features.ts' },
    },
    threads: {
      ...commonOptions(dev),
      plugins: [separateBundles],
      format: 'esm',
      // Shared and lazily imported code goes into chunks.
      splitting: true,
      chunkNames: 'thread-[hash]',
      define: { runhookVersion: JSON.stringify(manifest.version) },
      entryPoints: {
        runhook: 'src/commandLine/main.ts',
        'explanation.worker': 'src/editor/deliveries/explanation/explanation.worker.ts',
        'sandbox.worker': 'src/service/sandbox/sandbox.worker.ts',
        sandbox: 'src/service/sandbox/main.ts',
        tunnelGuard: 'src/listener/tunnels/tunnelGuard.ts',
      },
    },
    undici: {
      ...extensionHostOptions(dev),
      // The constant with which Node bundles undici. It leaves out the experimental second parser.
      define: { esbuildDetection: 'true' },
      plugins: [partOfUndici],
      entryPoints: { undici: 'src/service/client/undici/undici.cjs' },
    },
    // Part of the npm package alone, with the client of NATS.
    relay: {
      ...extensionHostOptions(dev),
      entryPoints: { relay: 'src/relay/relay.ts' },
    },
    // One bundle for each webview page.
    pages: {
      ...commonOptions(dev),
      platform: 'browser',
      format: 'iife',
      target: 'chrome130',
      entryPoints: {
        form: 'src/pages/form/main.ts',
        explanation: 'src/pages/explanation/main.ts',
        timeline: 'src/pages/timeline/main.ts',
      },
    },
  };
}

/** What `dist/codicons` is made of. */
export const copiedFiles = ['codicon.css', 'codicon.ttf'].map(
  (file) => `node_modules/@vscode/codicons/dist/${file}`,
);

/** The style sheets of the pages. */
export const pageStyles = ['page', 'form', 'explanation', 'timeline'].map((name) => `media/${name}.css`);

/**
 * Pages show a dozen of the icons, and the whole font is 60 KB of the VSIX: those stay that a page names in quotes, or a style
 * sheet by its code.
 */
async function writeCodicons() {
  const to = join(root, 'dist', 'codicons');
  await mkdir(to, { recursive: true });
  const pages = join(root, 'src', 'pages');
  const files = (await readdir(pages, { recursive: true })).filter((file) => file.endsWith('.ts'));
  const sources = await Promise.all(files.map((file) => readFile(join(pages, file), 'utf8')));
  const named = new Set(sources.flatMap((source) => source.match(/(?<=['"])[a-z-]+(?=['"])/g) ?? []));
  const sheets = await Promise.all(pageStyles.map((file) => readFile(join(root, file), 'utf8')));
  const drawn = new Set(sheets.flatMap((sheet) => sheet.match(/(?<=content: '\\)[0-9a-f]+/g) ?? []));
  const [styles, font] = await Promise.all(copiedFiles.map((file) => readFile(join(root, file))));
  let characters = '';
  const rule = /^\.codicon-([a-z0-9-]+):before \{ content: "\\([0-9a-f]+)" \}\n/gm;
  const kept = styles.toString().replaceAll(rule, (text, name, code) => {
    if (!named.has(name) && !drawn.has(code)) return '';
    characters += String.fromCodePoint(Number.parseInt(code, 16));
    return text;
  });
  if (characters === '') throw new Error('No page names a codicon.');
  await writeFile(join(to, 'codicon.css'), kept);
  await writeFile(join(to, 'codicon.ttf'), await subsetFont(font, characters, { targetFormat: 'truetype' }));
}

async function build() {
  const watch = process.argv.includes('--watch');
  const dev = watch || process.argv.includes('--dev');
  const all = Object.values(bundles({ dev }));
  await rm(new URL('dist/', import.meta.url), { recursive: true, force: true });
  await writeCodicons();
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
