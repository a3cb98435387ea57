import { globSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { root } from '../checkout.ts';

const out = join(root, 'out');

/** The module that VS Code calls to run the editor tests. */
export const editorTestsPath = join(out, 'run.js');

/** Bundles the editor tests into out/: each file by itself, found by its name. */
export async function bundleEditorTests(): Promise<void> {
  await rm(out, { recursive: true, force: true });
  await mkdir(out);
  // The extension host loads CommonJS; the package as a whole is ESM.
  await writeFile(join(out, 'package.json'), '{"type":"commonjs"}\n');
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['test/editor/run.ts', ...globSync('test/editor/**/*.test.ts', { cwd: root })],
    outbase: 'test/editor',
    outdir: out,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22.19',
    sourcemap: 'inline',
    external: ['vscode', 'mocha', 'undici'],
    // Its `main` asks for its files by a `require` that no bundler can follow.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    logLevel: 'warning',
  });
}
