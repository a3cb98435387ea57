import { masked } from './masking.ts';

/** The shortest part of a value that is masked by itself, in characters: half of it, but no less than this. */
const shortest = 8;

/**
 * Masks the halves of values, wherever they stand: a program may print a value in two pieces with other words between
 * them, such as the time at the start of a line of a log. Parts of short values occur in other words by chance.
 */
export function withoutHalves(text: string, values: Iterable<string>): string {
  let clean = text;
  for (const value of values) clean = withoutHalvesOf(clean, value);
  return clean;
}

function withoutHalvesOf(text: string, value: string): string {
  const least = Math.max(shortest, Math.floor(value.length / 2));
  if (value.length < least || text.length < least) return text;
  const parts = new Set<string>();
  for (let at = 0; at + least <= value.length; at += 1) parts.add(value.slice(at, at + least));
  let clean = '';
  /** What is copied, and up to where the last match goes. */
  let [copied, matched] = [0, -1];
  for (let at = 0; at + least <= text.length; at += 1) {
    if (!parts.has(text.slice(at, at + least))) continue;
    if (at > matched) {
      clean += text.slice(copied, at) + masked;
    }
    matched = at + least;
    copied = matched;
  }
  return clean + text.slice(copied);
}
