import { globSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { manifest, root } from '../checkout.ts';
import { ScriptError } from '../runMain.mjs';

const outputFolder = join(root, 'out');

/** The module that VS Code calls to run the editor tests. */
export const editorTestsPath = join(outputFolder, 'run.js');

/** Bundles each editor test file (`*.test.ts`) into out/. */
export async function bundleEditorTests(): Promise<void> {
  await rm(outputFolder, { recursive: true, force: true });
  await mkdir(outputFolder);
  // The bundles are CommonJS, but the package.json of the repository says ESM.
  await writeFile(join(outputFolder, 'package.json'), '{"type":"commonjs"}\n');
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['test/editor/run.ts', ...globSync('test/editor/**/*.test.ts', { cwd: root })],
    outbase: 'test/editor',
    outdir: outputFolder,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22.19',
    sourcemap: 'inline',
    // The sources are on the disk. Embedding them makes the extension host slower at starting processes.
    sourcesContent: false,
    external: ['vscode', 'mocha', 'undici'],
    // Its UMD `main` requires its files in a way that esbuild cannot follow.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    logLevel: 'warning',
  });
}

/** A desktop VS Code to run the tests in: an installed program, or a version to download. */
type DesktopEditor = { kind: 'installed'; program: string } | { kind: 'version'; version: string };

/** Downloads and unpacks a version. @returns the path of its program */
type Download = (version: string) => Promise<string>;

/**
 * Parses the options of `npm run test:desktop`: `--vscode <path of a program>` or `--version <1.110.0 | stable |
 * insiders>`. The default is the oldest version that package.json allows, and the latest.
 * @throws ScriptError for an invalid version
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

/** The minimum of `engines.vscode`. */
function oldestVersion(): string {
  return manifest.engines.vscode.replace(/^\^/, '');
}

/**
 * The path of an editor's program. Downloads it if needed.
 * @throws ScriptError with advice if the download fails
 */
export async function resolveEditorProgram(editor: DesktopEditor, download: Download): Promise<string> {
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
