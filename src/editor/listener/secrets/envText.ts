import { t } from '../../../shared/text/l10n.ts';
import { UserError } from '../../../shared/text/userError.ts';

/** Why a text cannot be the name of a variable; undefined if it can. */
export function variableProblem(name: string): string | undefined {
  return /^[A-Za-z_]\w*$/.test(name)
    ? undefined
    : t('Use letters, digits and underscores. The name cannot start with a digit.');
}

/**
 * Matches the variables of a `.env` file. The groups are the text before the name, the name, the text before the
 * value, and the value. Quoted values may span several lines; `#` after white space begins a comment.
 */
const entries = new RegExp(
  [
    String.raw`^((?:\xef\xbb\xbf|\ufeff)?[ \t]*(?:export[ \t]+)?)([\w.-]+)([ \t]*=[ \t]*)`,
    '(',
    ...["'", '"', '`'].map((quote) => `${quote}(?:\\\\${quote}|[^${quote}])*${quote}(?=[ \\t]*(?:#.*)?$)|`),
    String.raw`(?<=[ \t])(?=#)|[^ \t\r\n]+(?:[ \t]+[^ \t\r\n#][^ \t\r\n]*)*|)`,
  ].join(''),
  'gm',
);

/** The values of a variable in a `.env` file, without their quotes: more than one if it is set again. */
export function valuesOf(text: string, name: string): string[] {
  return [...text.matchAll(entries)]
    .filter(([, , key]) => key === name)
    .map(([, , , , value = '']) => /^(['"`])(.*)\1$/s.exec(value)?.[2] ?? value);
}

/**
 * Sets a variable in a `.env` file, or adds it at the end if it is missing. Everything else stays as it is.
 * @param text the bytes of the file, one per character, so that invalid UTF-8 is kept too
 * @param name a name without a `variableProblem`
 * @throws UserError if no quoting makes every reader read that value
 */
export function withVariable(text: string, name: string, value: string): string {
  const written = quoted(String.fromCharCode(...new TextEncoder().encode(value)));
  const changed = text.replace(entries, (whole, before: string, key: string, equals: string, old: string) => {
    if (key !== name) return whole;
    const sign = equals.trimEnd();
    return before + key + (old === '' ? sign + written + equals.slice(sign.length) : equals + written);
  });
  if (valuesOf(text, name).length > 0) return changed;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = text === '' || /[\r\n]$/.test(text) ? '' : lineEnd;
  return `${text}${gap}${name}=${written}${lineEnd}`;
}

/** Quotes a value so that all readers agree on it: some expand variables or escapes, each in different quotes. */
function quoted(value: string): string {
  if (/^[\w./+=:@%,-]+$/.test(value)) return value;
  if (!/['\\\x00-\x1f\x7f]/.test(value)) return `'${value}'`;
  if (!/["$`\\\x00-\x1f\x7f]/.test(value)) return `"${value}"`;
  throw new UserError(
    t('This secret cannot be written to a .env file: programs would read it differently. Rotate it first.'),
    { remedies: [{ kind: 'rotateWebhookSecret' }] },
  );
}
