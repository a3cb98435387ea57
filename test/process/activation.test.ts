import assert from 'node:assert/strict';
import type { Metafile } from 'esbuild';
import { bundleMetafiles } from '../../scripts/build/package.ts';

/** What activation may load, in bytes: an extension that nobody uses yet should cost next to nothing. */
const most = 40 * 1024;

describe('activation', () => {
  let output: Metafile['outputs'][string];

  before('bundles the extension', async () => {
    const [extension] = await bundleMetafiles();
    output = extension!.outputs['dist/extension.cjs']!;
  });

  it(`loads at most ${most / 1024} KB`, () => {
    assert.ok(output.bytes > 0 && output.bytes <= most, `${output.bytes} bytes are loaded`);
  });

  it('loads nothing of a feature but what tells whether it has something to do', () => {
    const modules = Object.keys(output.inputs).filter((module) => module.startsWith('src/editor/'));
    const later = ['feature', 'command', 'Tree', 'transport', 'log.ts', 'config'];
    for (const name of later) {
      assert.deepEqual(
        modules.filter((module) => module.slice(module.lastIndexOf('/') + 1).includes(name)),
        [],
      );
    }
    assert.ok(modules.includes('src/editor/kit/lazyView.ts'));
  });

  it('knows the commands by the manifest, and loads neither their table nor what reads their arguments', () => {
    const loaded = Object.keys(output.inputs).filter((module) => /^src\/contract\/|valibot/.test(module));
    assert.deepEqual(loaded, []);
  });
});
