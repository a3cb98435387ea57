import { parseArgs } from 'node:util';
import { manifest } from '../checkout.ts';
import { ScriptError } from '../runMain.mjs';

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
