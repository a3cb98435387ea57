// What an activation loads is split into dozens of files, for parts that load later share modules with it. Each
// file costs VS Code a search, a read and a turn of the event loop: this makes one file of them.
import { writeFile } from 'node:fs/promises';
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

/**
 * Has the entry hold all that it imports statically. The files that it imported pass on to others what it exports
 * of them.
 * @param {import('esbuild').BuildOptions} options those that the entry was built with
 * @param {import('esbuild').Metafile} metafile of that build
 * @param {string} entry `dist/extension.js`
 */
export async function joinActivation({ absWorkingDir = '', target, external }, metafile, entry) {
  const at = (/** @type {string} */ file) => join(absWorkingDir, file);
  const lines = [`export * from './${basename(entry)}';`];
  /** @type {[file: string, text: string][]} */
  const passingOn = [];
  let count = 0;
  for (const file of staticallyLoaded(metafile, entry).filter((one) => one !== entry)) {
    const names = metafile.outputs[file].exports.map((name) => [name, `_${(count += 1)}`]);
    const exported = names.map(([name, joined]) => `${name} as ${joined}`);
    lines.push(`export {${exported.join()}} from './${basename(file)}';`);
    const given = names.map(([name, joined]) => `${joined} as ${name}`);
    passingOn.push([at(file), `export{${given.join()}}from"./${basename(entry)}";\n`]);
  }
  await esbuild.build({
    absWorkingDir,
    target,
    external,
    stdin: { contents: lines.join('\n'), resolveDir: at(dirname(entry)) },
    outfile: entry,
    allowOverwrite: true,
    bundle: true,
    platform: 'node',
    format: 'esm',
    minify: true,
    logLevel: 'warning',
    plugins: [laterApart],
  });
  await Promise.all(passingOn.map(([file, text]) => writeFile(file, text)));
}
