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
