import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root } from '../checkout.ts';

/** Translated messages by their English text. */
export type Bundle = Record<string, string>;

/** The languages with a bundle in l10n/. */
export function languages(): string[] {
  return globSync('l10n/bundle.l10n.*.json', { cwd: root })
    .map((file) => file.replace(/^.*bundle\.l10n\.(.+)\.json$/, '$1'))
    .sort();
}

/** The file of a bundle that `vscode.l10n` reads. Without a language: the English messages. */
function bundleFile(language?: string): string {
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

/** The English bundle: each message is its own translation. */
export function sourceBundle(messages: readonly string[]): Bundle {
  return Object.fromEntries(messages.map((message) => [message, message]));
}

/** The texts of package.json by their keys. Without a language: in English. */
export function readManifestBundle(language?: string): Record<string, string> {
  const name = language === undefined ? 'package.nls.json' : `package.nls.${language}.json`;
  return JSON.parse(readFileSync(join(root, name), 'utf8')) as Record<string, string>;
}

/** The cookie with the display language of a window of the VS Code server. */
export const languageCookie = 'vscode.nls.locale';

/**
 * Makes Runhook's languages and the pseudo-locale available on a VS Code server. The language packs are empty, because
 * the real ones come from a marketplace: VS Code's own texts stay English.
 * @param data the server's data folder, with Runhook installed under `extensions`
 */
export async function writeLanguagePacks(data: string): Promise<void> {
  const pack = join(data, 'language-pack', 'main.i18n.json');
  await mkdir(join(data, 'language-pack'), { recursive: true });
  await writeFile(pack, JSON.stringify({ version: '1.0.0', contents: {} }));
  const extensions = [{ extensionIdentifier: { id: 'runhook.language-pack' }, version: '1.0.0' }];
  const packs = [...languages(), pseudoLocale].map((language) => [
    language,
    { hash: language, label: language, extensions, translations: { vscode: pack } },
  ]);
  await writeFile(join(data, 'languagepacks.json'), JSON.stringify(Object.fromEntries(packs)));
  // Without this file code-server ignores the cookie.
  await mkdir(join(data, 'User'), { recursive: true });
  await writeFile(join(data, 'User', 'argv.json'), '{}');
  for (const extension of globSync(join(data, 'extensions', 'runhook.runhook-*'))) {
    await writePseudoBundle(join(extension, `package.nls.${pseudoLocale}.json`), readManifestBundle());
    await writePseudoBundle(join(extension, 'l10n', `bundle.l10n.${pseudoLocale}.json`), readBundle());
  }
}

async function writePseudoBundle(file: string, bundle: Readonly<Record<string, string>>): Promise<void> {
  const entries = Object.entries(bundle).map(([key, text]) => [key, pseudoText(text)]);
  await writeFile(file, JSON.stringify(Object.fromEntries(entries)));
}

/**
 * A locale for tests that find untranslated texts. Its language is Greek, so that formatted dates have no Latin letters.
 */
export const pseudoLocale = 'el-x-pseudo';

const plainLetters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const accentedLetters = 'áƀçðéƒğĥíĵķļɱñóþɋřšťúṽŵẋýžÁƁÇÐÉƑĞĤÍĴĶĻḾÑÓÞɊŘŠŤÚṼŴẊÝŽ';

/** Placeholders, icons and the targets of command links, which no language translates. */
const untranslatedPart = /(\{\d+\}|\$\([\w-]+\)|\(command:[^)]*\))/;

/**
 * Puts a text into the pseudo-locale: every letter gets an accent, and brackets enclose the text. A letter without an
 * accent on the screen was not translated; a missing bracket means that a text was cut or concatenated.
 */
export function pseudoText(text: string): string {
  const parts = text
    .split(untranslatedPart)
    .map((part) => (untranslatedPart.test(part) ? part : part.replaceAll(/[a-zA-Z]/g, addAccent)));
  return `⟦${parts.join('')}⟧`;
}

const addAccent = (letter: string): string => accentedLetters[plainLetters.indexOf(letter)] ?? letter;
