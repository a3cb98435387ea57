import { globSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { manifest, root } from '../checkout.ts';
import { ScriptError } from '../runMain.mjs';

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
    // The files are there: with their text in it, the extension host takes longer to start programs.
    sourcesContent: false,
    external: ['vscode', 'mocha', 'undici'],
    // Its `main` asks for its files by a `require` that no bundler can follow.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    logLevel: 'warning',
  });
}

/** A desktop VS Code to run the tests in: one that is installed, or a version to download. */
export type DesktopEditor = { kind: 'installed'; program: string } | { kind: 'version'; version: string };

/** Gets a version and unpacks it. @returns the path of its program */
export type Download = (version: string) => Promise<string>;

/**
 * Which editors `npm run test:desktop` runs the tests in: `--vscode <path of a program>`, `--version <1.110.0 |
 * stable | insiders>`, or neither: the oldest that package.json allows, and the latest.
 * @throws ScriptError for what is neither
 */
export function desktopEditors(args: readonly string[]): DesktopEditor[] {
  const options = { vscode: { type: 'string' }, version: { type: 'string' } } as const;
  const { values } = parseArgs({ args: [...args], options });
  if (values.vscode !== undefined) return [{ kind: 'installed', program: values.vscode }];
  const versions = values.version === undefined ? [oldestVersion(), 'stable'] : [values.version];
  for (const version of versions) {
    if (!/^(\d+\.\d+\.\d+|stable|insiders)$/.test(version))
      throw new ScriptError(
        `"${version}" is no version of VS Code. Name one such as 1.110.0, stable or insiders.`,
      );
  }
  return versions.map((version) => ({ kind: 'version', version }));
}

/** The floor of `engines.vscode`. */
function oldestVersion(): string {
  return manifest.engines.vscode.replace(/^\^/, '');
}

/**
 * The program of an editor, downloaded where need be.
 * @throws ScriptError that says what to do where it cannot be downloaded
 */
export async function programOf(editor: DesktopEditor, download: Download): Promise<string> {
  if (editor.kind === 'installed') return editor.program;
  try {
    return await download(editor.version);
  } catch (cause) {
    throw new ScriptError(
      `VS Code ${editor.version} could not be downloaded (${String(cause)}).\nName one that is installed: ` +
        'npm run test:desktop -- --vscode /path/to/code\nThe same tests run without a download: npm run test:editor',
      { cause },
    );
  }
}
