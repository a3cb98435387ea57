import type { Metafile } from 'esbuild';
import { bundleMetafiles } from '../../scripts/build/package.ts';

const goalKb = 40;

/** The sizes of the bundles. */
export async function bundleSizes(): Promise<string[]> {
  const bundles = await bundleMetafiles();
  const loadedBy = (entry: string): string => {
    const bundle = bundles.find(({ outputs }) => entry in outputs);
    if (bundle === undefined) throw new Error(`${entry} was not bundled.`);
    return kilobytes(bundle, staticallyLoaded(bundle, entry));
  };
  const all = bundles.reduce((sum, { outputs }) => sum + bytesOf(Object.values(outputs)), 0);
  return [
    `an activation loads ${loadedBy('dist/extension.cjs')} (goal ${goalKb} KB)`,
    `the listener program loads ${loadedBy('dist/runhook.js')}`,
    `all code that ships: ${(all / 1024).toFixed(1)} KB`,
  ];
}

function kilobytes({ outputs }: Metafile, files: readonly string[]): string {
  return `${(bytesOf(files.flatMap((file) => outputs[file] ?? [])) / 1024).toFixed(1)} KB`;
}

function bytesOf(outputs: readonly { bytes: number }[]): number {
  return outputs.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** An entry and its static imports. */
function staticallyLoaded({ outputs }: Metafile, entry: string): string[] {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const { path, kind } of outputs[file]?.imports ?? []) {
      if (kind === 'import-statement' && path in outputs) visit(path);
    }
  };
  visit(entry);
  return [...seen];
}
