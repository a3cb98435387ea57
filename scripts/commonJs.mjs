// Makes CommonJS of the split bundle. For a module, VS Code makes another module of the 500 names of its API first,
// and each file that it imports costs a search, a read and a turn of the event loop: what an activation loads
// becomes one file, and what loads later takes from it what it shares with it.
import { readFile, rm } from 'node:fs/promises';
import { basename, dirname, join, posix } from 'node:path';
import * as esbuild from 'esbuild';
import { staticallyLoaded } from '../test/support/staticallyLoaded.mjs';

/** Takes the API once, as it is: esbuild would copy all of its names for each module that imports it. */
const apiAsItIs = {
  name: 'api-as-it-is',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    build.onLoad({ filter: /\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return {
        contents: text.replaceAll(/import\*as ([\w$]+) from"vscode";/g, 'import{api as $1}from"vscode";'),
      };
    });
    build.onResolve({ filter: /^vscode$/ }, ({ kind }) =>
      kind === 'require-call' ? { external: true } : { path: 'vscode', namespace: 'api' },
    );
    build.onLoad({ filter: /^/, namespace: 'api' }, () => ({
      contents: 'export const api = require("vscode");',
    }));
  },
};

/** @param {string} file */
const commonJsName = (file) => file.replace(/\.js$/, '.cjs');

/**
 * Writes the bundle's files anew as CommonJS and removes those that it replaces. The entry becomes one file with all
 * that it imports statically.
 * @param {import('esbuild').BuildOptions} options those of the bundle
 * @param {import('esbuild').Metafile} metafile of the bundle
 * @param {string} entry `dist/extension.js`, which becomes `dist/extension.cjs`
 */
export async function makeCommonJs({ absWorkingDir = '', target }, metafile, entry) {
  const folder = dirname(entry);
  const at = (/** @type {string} */ file) => join(absWorkingDir, file);
  const files = Object.keys(metafile.outputs);
  const first = staticallyLoaded(metafile, entry);
  const later = files.filter((file) => !first.includes(file));
  const namesOf = (/** @type {string} */ file) =>
    metafile.outputs[file].exports.map((name) => [
      name,
      file === entry ? name : `${name}_${first.indexOf(file)}`,
    ]);

  /** @type {import('esbuild').Plugin} */
  const places = {
    name: 'places',
    setup(build) {
      build.onResolve({ filter: /^\.\// }, ({ kind, path, importer }) => {
        const file = posix.join(folder, path);
        const isFirst = first.includes(file) && kind !== 'dynamic-import';
        if (!isFirst) return { path: commonJsName(path), external: true };
        const comesLater = later.some((one) => importer === at(one));
        return comesLater ? { path: file, namespace: 'first' } : undefined;
      });
      build.onLoad({ filter: /^/, namespace: 'first' }, ({ path }) => {
        const names = namesOf(path).map(([name, joined]) => `${joined} as ${name}`);
        return { contents: `export {${names.join()}} from './${commonJsName(basename(entry))}';` };
      });
    },
  };
  /** @type {import('esbuild').BuildOptions} */
  const options = {
    absWorkingDir,
    target,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    // `import()` of CommonJS is a `require` that comes later.
    supported: { 'dynamic-import': false },
    minify: true,
    logLevel: 'warning',
    plugins: [places, apiAsItIs],
  };
  const lines = first.map((file) => {
    const names = namesOf(file).map(([name, joined]) => `${name} as ${joined}`);
    return `export {${names.join()}} from './${basename(file)}';`;
  });
  const stdin = { contents: `'use strict';\n${lines.join('\n')}`, resolveDir: at(folder) };
  await esbuild.build({ ...options, stdin, outfile: commonJsName(entry) });
  await esbuild.build({
    ...options,
    entryPoints: later.map(at),
    outdir: folder,
    outExtension: { '.js': '.cjs' },
  });
  await Promise.all(files.map((file) => rm(at(file))));
}
