import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
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

/** The cookie by which a window of the server says its language. */
export const languageCookie = 'vscode.nls.locale';

/**
 * Makes a VS Code server speak Runhook's languages and the pseudo-locale. The real language packs come from a
 * marketplace; these are empty, so that what VS Code itself says stays English.
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
  // code-server is English for everybody, whatever the cookie says, where there is no such file.
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
 * A locale that no person speaks, for tests. It is Greek to what formats dates and numbers, so that these have no
 * plain letter either.
 */
export const pseudoLocale = 'el-x-pseudo';

const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const accented = 'áƀçðéƒğĥíĵķļɱñóþɋřšťúṽŵẋýžÁƁÇÐÉƑĞĤÍĴĶĻḾÑÓÞɊŘŠŤÚṼŴẊÝŽ';

/** What stays as it is: arguments, icons, what links lead to. */
const kept = /(\{\d+\}|\$\([\w-]+\)|\(command:[^)]*\))/;

/**
 * A text in the pseudo-locale: readable, without one plain letter, between brackets of its own. A plain letter on the
 * screen was then translated by nobody, and a missing bracket shows where a text was cut or put together.
 */
export function pseudoText(text: string): string {
  const parts = text
    .split(kept)
    .map((part) => (kept.test(part) ? part : part.replaceAll(/[a-zA-Z]/g, accent)));
  return `⟦${parts.join('')}⟧`;
}

const accent = (letter: string): string => accented[plain.indexOf(letter)] ?? letter;
