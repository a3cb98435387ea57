import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './checkout.ts';

/** The texts of the manifest by their keys, in one language; in English where none is named. */
export function readManifestBundle(language?: string): Record<string, string> {
  const name = language === undefined ? 'package.nls.json' : `package.nls.${language}.json`;
  return JSON.parse(readFileSync(join(root, name), 'utf8')) as Record<string, string>;
}
