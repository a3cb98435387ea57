import assert from 'node:assert/strict';
import type { Metafile } from 'esbuild';
import { bundleMetafiles } from '../../scripts/build/bundleMetafiles.ts';
import { staticallyLoaded } from '../support/staticallyLoaded.mjs';

/** What activation may load, in bytes: an extension that nobody uses yet should cost next to nothing. */
const most = 120 * 1024;

describe('activation', () => {
  let bundle: Metafile;
  let loaded: string[];

  before('bundles the extension', async () => {
    bundle = (await bundleMetafiles())[0]!;
    loaded = staticallyLoaded(bundle, 'dist/extension.js');
  });

  it(`loads at most ${most / 1024} KB`, () => {
    const bytes = loaded.reduce((sum, file) => sum + bundle.outputs[file]!.bytes, 0);
    assert.ok(bytes > 0 && bytes <= most, `${bytes} bytes are loaded`);
  });

  it('loads nothing of running, the form, tunnels, diagnosis or HTTP', () => {
    const modules = loaded.flatMap((file) => Object.keys(bundle.outputs[file]!.inputs));
    const later = ['run/runner', 'appSettings/settingsForm', 'tunnels/tunnel', 'diagnosis', 'Transport.ts'];
    for (const name of later) {
      assert.deepEqual(
        modules.filter((module) => module.includes(name)),
        [],
      );
    }
  });
});
