/** Characters that join with such a character next to them into a longer word. */
const wordCharacter = /[\w.~+/=-]/;

/** How far before a value to look for a name that says what it is, in UTF-16 units. */
const reach = 120;

/** The text just before a value that is named a secret: `SECRET=`, `"webhookSecret": "`, `--secret `. */
const callsItSecret =
  /(?:(?:secret|webhook|hmac|signing)[\w.[\]'"`-]*(?:\s*:\s*\w+)?\s*[=:(,>]+\s*["'`]?|-[\w-]*(?:secret|hmac)[\w-]*\s+["'`]?)$/i;

/** What may follow a value. */
const endsValue = /^(?:["'`\s,;)}\]<#]|$)/;

/**
 * The positions where a text contains exactly this value, and not as a part of a longer word.
 * @param value not empty
 */
export function valuePlaces(text: string, value: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
    // An assignment sign or the end of a sentence is not part of the word.
    if (isPart(text.charAt(at - 1), value.charAt(0), '=/')) continue;
    if (isPart(text.charAt(at + value.length), value.charAt(value.length - 1), './=')) continue;
    found.push(at);
  }
  return found;
}

/**
 * The positions of a webhook secret in a text. A short secret or a plain word occurs in many texts by chance: it
 * counts only where it is the whole value of something that is named a secret.
 */
export function secretPlaces(text: string, secret: string): number[] {
  if (secret === '') return [];
  const places = valuePlaces(text, secret);
  return isUnmistakable(secret) ? places : places.filter((at) => isCalledSecret(text, at, secret));
}

function isUnmistakable(secret: string): boolean {
  return secret.length >= 24 || (secret.length >= 12 && /\d/.test(secret) && /\D/.test(secret));
}

function isCalledSecret(text: string, at: number, secret: string): boolean {
  const before = text.slice(Math.max(0, at - reach), at);
  return callsItSecret.test(before) && endsValue.test(text.slice(at + secret.length, at + secret.length + 1));
}

function isPart(beside: string, edge: string, separators: string): boolean {
  return wordCharacter.test(beside) && wordCharacter.test(edge) && !separators.includes(beside);
}
