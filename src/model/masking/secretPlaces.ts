/** What a letter, digit or sign beside it makes a part of something longer. */
const wordCharacter = /[\w.~+/=-]/;

/** How far before it, in UTF-16 units, a name is looked for that says what a value is. */
const reach = 120;

/** The end of a line up to a value that is called a secret there: `SECRET=`, `"webhookSecret": "`, `--secret `. */
const callsItSecret =
  /(?:(?:secret|webhook|hmac|signing)[\w.[\]'"`-]*(?:\s*:\s*\w+)?\s*[=:(,>]+\s*["'`]?|-[\w-]*(?:secret|hmac)[\w-]*\s+["'`]?)$/i;

/** What may follow a value. */
const endsValue = /^(?:["'`\s,;)}\]<#]|$)/;

/**
 * Where a text holds exactly this value, and not as a part of a longer word.
 * @param value not empty
 */
export function valuePlaces(text: string, value: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
    // What assigns it or ends a sentence is no part of it.
    if (isPart(text.charAt(at - 1), value.charAt(0), '=/')) continue;
    if (isPart(text.charAt(at + value.length), value.charAt(value.length - 1), './=')) continue;
    found.push(at);
  }
  return found;
}

/**
 * Where a text holds a webhook secret. One that is short or a plain word stands in many a text by chance: it
 * counts only where it is the whole value of what is called a secret.
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
