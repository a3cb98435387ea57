import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../checkout.ts';

/** Messages in one language, by their English text. */
export type Bundle = Record<string, string>;

/** The languages that there are translations for. */
export function languages(): string[] {
  return globSync('l10n/bundle.l10n.*.json', { cwd: root })
    .map((file) => file.replace(/^.*bundle\.l10n\.(.+)\.json$/, '$1'))
    .sort();
}

/** The messages in one language, as `vscode.l10n` reads them; those to translate where none is named. */
export function bundleFile(language?: string): string {
  return join(root, 'l10n', `bundle.l10n${language === undefined ? '' : `.${language}`}.json`);
}

export function readBundle(language?: string): Bundle {
  return JSON.parse(readFileSync(bundleFile(language), 'utf8')) as Bundle;
}

export function writeBundle(bundle: Bundle, language?: string): void {
  const file = bundleFile(language);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(bundle, undefined, 2)}\n`);
}

/** The bundle of the messages as they stand in the sources: each is its own translation. */
export function sourceBundle(messages: readonly string[]): Bundle {
  return Object.fromEntries(messages.map((message) => [message, message]));
}

/** The texts of the manifest by their keys, in one language; in English where none is named. */
export function readManifestBundle(language?: string): Record<string, string> {
  const name = language === undefined ? 'package.nls.json' : `package.nls.${language}.json`;
  return JSON.parse(readFileSync(join(root, name), 'utf8')) as Record<string, string>;
}
