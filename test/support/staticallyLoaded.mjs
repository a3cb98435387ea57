/**
 * A bundle and all that it imports statically, as paths of outputs: what is loaded with it.
 * @param {import('esbuild').Metafile} metafile
 * @param {string} entry
 * @returns {string[]}
 */
export function staticallyLoaded({ outputs }, entry) {
  const seen = new Set();
  const visit = (/** @type {string} */ file) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const { path, kind } of outputs[file].imports) {
      if (kind === 'import-statement' && path in outputs) visit(path);
    }
  };
  visit(entry);
  return [...seen];
}
