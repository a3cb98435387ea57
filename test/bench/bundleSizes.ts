import type { Metafile } from 'esbuild';
import { bundleMetafiles } from '../../scripts/build/bundleMetafiles.ts';
import { staticallyLoaded } from '../support/staticallyLoaded.mjs';

const goalKb = 120;

/** What is loaded where, as `npm run build` bundles it. */
export async function bundleSizes(): Promise<string[]> {
  const bundles = await bundleMetafiles();
  const loadedBy = (entry: string): string => {
    const bundle = bundles.find(({ outputs }) => entry in outputs);
    if (bundle === undefined) throw new Error(`${entry} was not bundled.`);
    return kilobytes(bundle, staticallyLoaded(bundle, entry));
  };
  const all = bundles.reduce((sum, { outputs }) => sum + bytesOf(Object.values(outputs)), 0);
  return [
    `an activation loads ${loadedBy('dist/extension.js')} (goal ${goalKb} KB)`,
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
