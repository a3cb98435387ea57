import { t } from './l10n.ts';

/** With a capital letter at its beginning. */
export function capitalized(clause: string): string {
  return clause.charAt(0).toUpperCase() + clause.slice(1);
}

/** A text with a full stop at its end, unless it ends as a sentence does. */
export function sentence(text: string): string {
  return /[.!?…。！？]$/.test(text) ? text : t('{0}.', text);
}

/** Sentences in a row, without those that are empty. Japanese has no space between sentences. */
export function sentences(...all: (string | undefined)[]): string {
  return all
    .filter(Boolean)
    .join(' ')
    .replaceAll(/(?<=[。！？]) /g, '');
}
