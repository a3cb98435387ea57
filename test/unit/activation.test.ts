import assert from 'node:assert/strict';
import { build, type Metafile } from 'esbuild';
import { bundles } from '../../esbuild.mjs';

/** What activation may load, in bytes: an extension that nobody uses yet should cost next to nothing. */
const most = 120 * 1024;

describe('activation', () => {
  let outputs: Metafile['outputs'];

  before('bundles the extension', async function () {
    this.timeout(60_000);
    const options = { ...bundles().node, write: false } as Parameters<typeof build>[0];
    outputs = (await build(options)).metafile!.outputs;
  });

  it(`loads at most ${most / 1024} KB`, () => {
    const bytes = [...loadedWith('dist/extension.js')].reduce((sum, file) => sum + outputs[file]!.bytes, 0);
    assert.ok(bytes > 0 && bytes <= most, `${bytes} bytes are loaded`);
  });

  it('loads nothing of running, the form, tunnels, diagnosis or HTTP', () => {
    const modules = [...loadedWith('dist/extension.js')].flatMap((file) =>
      Object.keys(outputs[file]!.inputs),
    );
    const later = ['run/runner', 'appSettings/settingsForm', 'tunnels/tunnel', 'diagnosis', 'Transport.ts'];
    for (const name of later) {
      assert.deepEqual(
        modules.filter((module) => module.includes(name)),
        [],
      );
    }
  });

  /** A bundle and all that it imports statically. */
  function loadedWith(entry: string, seen = new Set<string>()): Set<string> {
    if (!seen.has(entry)) {
      seen.add(entry);
      for (const { path, kind } of outputs[entry]!.imports) {
        if (kind === 'import-statement' && path in outputs) loadedWith(path, seen);
      }
    }
    return seen;
  }
});
