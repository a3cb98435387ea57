import { t } from '../text/l10n.ts';
import { UserError } from '../text/userError.ts';

/** What programs call a variable. */
export function variableProblem(name: string): string | undefined {
  return /^[A-Za-z_]\w*$/.test(name)
    ? undefined
    : t('A variable is named with letters, digits and underscores, and no digit comes first.');
}

/**
 * The variables of a `.env` file. Of each: what stands before its name, its name, what stands before its value, its
 * value. Values in quotes may go over several lines; behind white space `#` begins a comment.
 */
const entries = new RegExp(
  [
    String.raw`^((?:\xef\xbb\xbf)?[ \t]*(?:export[ \t]+)?)([\w.-]+)([ \t]*=[ \t]*)`,
    '(',
    ...["'", '"', '`'].map((quote) => `${quote}(?:\\\\${quote}|[^${quote}])*${quote}(?=[ \\t]*(?:#.*)?$)|`),
    String.raw`(?<=[ \t])(?=#)|[^ \t\r\n]+(?:[ \t]+[^ \t\r\n#][^ \t\r\n]*)*|)`,
  ].join(''),
  'gm',
);

/** Whether a `.env` file has a value for a variable. */
export function hasVariable(text: string, name: string): boolean {
  return [...text.matchAll(entries)].some(([, , key]) => key === name);
}

/**
 * A `.env` file with another value for a variable, which is added at the end where it has none. All else stays.
 * @param text its bytes, one a character, so that those which are no UTF-8 stay too
 * @param name that `variableProblem` has nothing against
 * @throws UserError where no quotes have every reader read that value
 */
export function withVariable(text: string, name: string, value: string): string {
  const written = quoted(String.fromCharCode(...new TextEncoder().encode(value)));
  const changed = text.replace(entries, (whole, before: string, key: string, equals: string, old: string) => {
    if (key !== name) return whole;
    const sign = equals.trimEnd();
    return before + key + (old === '' ? sign + written + equals.slice(sign.length) : equals + written);
  });
  if (hasVariable(text, name)) return changed;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = text === '' || /[\r\n]$/.test(text) ? '' : lineEnd;
  return `${text}${gap}${name}=${written}${lineEnd}`;
}

/** As all that read such files have it: some put in other variables or characters, each in quotes of its own. */
function quoted(value: string): string {
  if (/^[\w./+=:@%,-]+$/.test(value)) return value;
  if (!/['\\\x00-\x1f\x7f]/.test(value)) return `'${value}'`;
  if (!/["$`\\\x00-\x1f\x7f]/.test(value)) return `"${value}"`;
  throw new UserError(
    t(
      'This secret cannot be written into a .env file: not all programs would read it in the same way. Rotate it first.',
    ),
    { remedies: [{ kind: 'rotateWebhookSecret' }] },
  );
}
