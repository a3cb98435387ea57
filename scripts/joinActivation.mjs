// What an activation loads is split into dozens of files, for parts that load later share modules with it. Each
// file costs VS Code a search, a read and a turn of the event loop: this makes one file of them, of CommonJS, for
// which VS Code makes no module of the 500 names of its API.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as esbuild from 'esbuild';
import { staticallyLoaded } from './staticallyLoaded.mjs';

/** Leaves what loads later, and undici, in files of their own. */
const laterApart = {
  name: 'later-apart',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    build.onResolve({ filter: /^\.\// }, ({ kind, path }) =>
      kind === 'dynamic-import' || path.endsWith('.cjs') ? { path, external: true } : undefined,
    );
  },
};

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

/**
 * Has one file hold the entry and all that it imports statically. The files that were imported pass on to others
 * what it exports of them.
 * @param {import('esbuild').BuildOptions} options those that the entry was built with
 * @param {import('esbuild').Metafile} metafile of that build
 * @param {string} entry `dist/extension.js`, which goes
 * @param {string} joined `dist/extension.cjs`
 */
export async function joinActivation({ absWorkingDir = '', target }, metafile, entry, joined) {
  const at = (/** @type {string} */ file) => join(absWorkingDir, file);
  const lines = [`export * from './${basename(entry)}';`];
  /** @type {[file: string, text: string][]} */
  const passingOn = [];
  let count = 0;
  for (const file of staticallyLoaded(metafile, entry).filter((one) => one !== entry)) {
    const names = metafile.outputs[file].exports.map((name) => [name, `_${(count += 1)}`]);
    const exported = names.map(([name, alias]) => `${name} as ${alias}`);
    lines.push(`export {${exported.join()}} from './${basename(file)}';`);
    const given = names.map(([name, alias]) => `${alias} as ${name}`);
    passingOn.push([at(file), `export{${given.join()}}from"./${basename(joined)}";\n`]);
  }
  await esbuild.build({
    absWorkingDir,
    target,
    stdin: { contents: lines.join('\n'), resolveDir: at(dirname(entry)) },
    outfile: joined,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    minify: true,
    logLevel: 'warning',
    plugins: [laterApart, apiAsItIs],
  });
  await rm(at(entry));
  await Promise.all(passingOn.map(([file, text]) => writeFile(file, text)));
}
