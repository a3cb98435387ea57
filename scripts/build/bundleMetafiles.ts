import { build, type Metafile } from 'esbuild';
import { bundles } from '../../esbuild.mjs';

let made: Promise<Metafile[]> | undefined;

/** What esbuild says of the bundles that ship, in the order of `bundles()`. Made once: it takes seconds. */
export function bundleMetafiles(): Promise<Metafile[]> {
  made ??= Promise.all(
    Object.values(bundles()).map(async (options) => {
      const { metafile } = await build({ ...options, write: false } as Parameters<typeof build>[0]);
      if (metafile === undefined) throw new Error('esbuild has written no metafile.');
      return metafile;
    }),
  );
  return made;
}
