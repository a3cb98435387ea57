import { isUtf8 } from 'node:buffer';
import { t } from '../../shared/text/l10n.ts';
import type { TriedChange } from './cause.ts';

type Key = string | Uint8Array;
type Tried = Iterable<[Key, string]>;

/**
 * The shortest part of a secret that is tried, in characters. If shorter ones were, whoever can sign something and
 * read its explanation could find out a secret one character after the other.
 */
const shortestPart = 16;
/** How many characters may be missing. */
const mostCut = 64;

/** What people, shells and files do to a secret between the caller and here, the likeliest first. */
export const secretChanges: readonly TriedChange<string, Key>[] = [
  {
    kind: 'aroundSecret',
    label: () => t('white space or quotation marks around the secret'),
    of: surrounded,
  },
  { kind: 'secretPrefix', label: () => t('"whsec_" or "v1," before the secret'), of: prefixed },
  { kind: 'secretName', label: () => t('the name of the variable before the secret'), of: named },
  { kind: 'secretDecoded', label: () => t('the secret decoded from base64 or hexadecimal'), of: decoded },
  { kind: 'secretEncoded', label: () => t('the secret encoded in base64'), of: encoded },
  { kind: 'secretCut', label: () => t('a part of the secret'), of: cut },
  { kind: 'secretCharset', label: () => t('the secret in another character set'), of: recoded },
];

function* surrounded(secret: string): Tried {
  const trimmed = secret.trim();
  if (trimmed !== secret) yield [trimmed, spaceText(secret)];
  const unquoted = unquotedText(trimmed);
  if (unquoted !== trimmed) {
    yield [unquoted, t('the secret set here has quotation marks around it: set it without them')];
  }
  const newline = t("the caller's secret has a newline at its end: remove it there");
  const space = t("the caller's secret has white space around it: remove it there");
  const quotes = t("the caller's secret has quotation marks around it: remove them there");
  const before = t("the caller's secret has a newline before it: remove it there");
  for (const end of ['\n', '\r\n', '\r']) yield [secret + end, newline];
  for (const [start, end] of [
    ['', ' '],
    ['', '\t'],
    [' ', ''],
    [' ', ' '],
  ]) {
    yield [`${start}${secret}${end}`, space];
  }
  yield [`\n${secret}`, before];
  yield [`\u{feff}${secret}`, t("the caller's secret has a byte-order mark before it: remove it there")];
  for (const quote of ['"', "'", '`']) yield [quote + secret + quote, quotes];
  yield [JSON.stringify(secret), quotes];
  for (const quote of ["'", '"']) {
    yield [
      `b${quote}${secret}${quote}`,
      t("the signer used the secret as Python writes bytes, b'…': decode it there"),
    ];
  }
}

function unquotedText(text: string): string {
  return /^(["'`])(.+)\1$/s.exec(text)?.[2] ?? text;
}

function spaceText(secret: string): string {
  if (!/^\s*[\r\n]|[\r\n]\s*$/.test(secret)) {
    return t('the secret set here has white space around it: set it without');
  }
  return secret.trimStart() === secret
    ? t('the secret set here has a newline at its end: set it without')
    : t('the secret set here has newlines around it: set it without');
}

const prefixes = ['whsec_', 'v1,whsec_', 'v1,'];

/** A secret without the prefix of Standard Webhooks. */
function bareSecret(secret: string): string {
  return secret.trim().replace(/^(?:v1,)?(?:whsec_)?/, '');
}

function* prefixed(secret: string): Tried {
  const bare = bareSecret(secret);
  const trimmed = secret.trim();
  const own = trimmed.slice(0, trimmed.length - bare.length);
  if (own !== '') {
    yield [
      bare,
      t('the caller\'s secret has no "{0}" before it, but the one set here does: use the same for both', own),
    ];
  }
  for (const prefix of prefixes) {
    if (prefix === own) continue;
    yield [
      prefix + bare,
      own === ''
        ? t(
            'the caller\'s secret has "{0}" before it, but the one set here does not: use the same for both',
            prefix,
          )
        : t(
            'the caller\'s secret has "{0}" before it, but the one set here has "{1}": use the same for both',
            prefix,
            own,
          ),
    ];
  }
}

/** A line of a `.env` file, a shell or a list of headers: name, sign and value. */
const line = /^(?:(?:export|set|setx|ENV)\s+|\$env:)?([A-Za-z][\w-]{0,63})\s*[=:]\s*(\S.*)$/s;

/** The names that people give to the variable of a webhook secret. */
const names = [
  ...['WEBHOOK_SECRET', 'RUNHOOK_WEBHOOK_SECRET', 'X-Webhook-Secret', 'SECRET', 'WEBHOOK_SIGNING_SECRET'],
  ...['SIGNING_SECRET', 'API_SECRET', 'X_WEBHOOK_SECRET', 'webhook_secret', 'secret'],
];

function* named(secret: string): Tried {
  const [, , value] = line.exec(secret.trim()) ?? [];
  if (value !== undefined) {
    const here = t('the secret set here has the name of a variable before it: set only the value');
    const bare = value.replace(/\s+#.*$/s, '');
    for (const one of new Set([value, bare, unquotedText(value), unquotedText(bare)])) yield [one, here];
  }
  const there = t("the caller's secret has the name of a variable before it: remove it there");
  for (const name of names) {
    for (const start of [`${name}=`, `export ${name}=`, `${name}: `]) yield [start + secret, there];
    yield [`${name}="${secret}"`, there];
  }
}

function* decoded(secret: string): Tried {
  const bare = bareSecret(secret);
  if (/^[\w+/-]+={0,2}$/.test(bare)) {
    yield [
      Buffer.from(bare, 'base64'),
      t('the secret was decoded from base64 before signing: the key is its text as it is'),
    ];
  }
  if (/^(?:[0-9a-f]{2})+$/i.test(bare)) {
    yield [
      Buffer.from(bare, 'hex'),
      t('the secret was decoded from hexadecimal before signing: the key is its text as it is'),
    ];
  }
  if (!/[%+]/.test(secret)) return;
  const text = t('the secret was taken from a URL and decoded before signing: the key is its text as it is');
  for (const spaced of [secret, secret.replaceAll('+', ' ')]) {
    try {
      yield [decodeURIComponent(spaced), text];
    } catch {
      // It holds a "%" that encodes nothing.
    }
  }
}

function* encoded(secret: string): Tried {
  const bytes = Buffer.from(secret);
  const base64 = t('the secret was encoded in base64 before signing: the key is its text as it is');
  yield [bytes.toString('base64'), base64];
  yield [bytes.toString('base64url'), base64];
  yield [
    bytes.toString('hex'),
    t('the secret was encoded in hexadecimal before signing: the key is its text as it is'),
  ];
  if (secret.isWellFormed()) {
    yield [
      encodeURIComponent(secret),
      t('the secret was encoded for a URL before signing: the key is its text as it is'),
    ];
  }
}

/** What is left of a secret where a shell, a `.env` file or a script took a character of it for its own. */
function* cut(secret: string): Tried {
  const variable = t(
    'where it was signed, a shell or file read "$" in the secret as a variable: put the secret in single quotes there',
  );
  if (secret.includes('$')) {
    yield [secret.replace(/\$\{[^}]*\}|\$[A-Za-z_]\w*|\$[\d@*#?!$-]/g, ''), variable];
    yield [secret.replace(/\$\{[^}]*\}|\$\w+/g, ''), variable];
    yield [secret.replaceAll('$$', '$'), variable];
    yield [secret.replaceAll('$', ''), variable];
    yield [
      secret.replaceAll('$', '$$$$'),
      t('where it was signed, each "$" of the secret was doubled: undo that there'),
    ];
  }
  if (secret.includes('\\')) {
    const text = t(
      'where it signed, a shell removed "\\" from the secret: put the secret in single quotes there',
    );
    yield [secret.replace(/\\(.)/gs, '$1'), text];
  }
  if (secret.includes('%')) {
    const text = t('where it was signed, a shell read "%" in the secret as a variable: write "%%" there');
    yield [secret.replace(/%[^%]*%/g, ''), text];
    yield [secret.replaceAll('%', ''), text];
  }
  const special = secret.search(/[^\w-]/);
  if (special > 0) {
    const text = t(
      'where it was signed, the secret was cut off at "{0}": put it in quotation marks there',
      secret.charAt(special),
    );
    yield [secret.slice(0, special), secret.charAt(special) === '$' ? variable : text];
  }
  const shorter = t('where it was signed, the secret was cut off: only part of it is left there');
  yield [secret.replace(/=+$/, ''), shorter];
  // guard S101: No short part of a secret is confirmed.
  for (let left = secret.length - 1; left >= shortestPart; left -= 1) {
    for (const part of [secret.slice(0, left), secret.slice(-left)]) {
      // Half a character has no bytes.
      if (secret.length - left <= mostCut && part.isWellFormed()) yield [part, shorter];
    }
  }
}

/** The bytes of a secret in another encoding than UTF-8, or read as one. */
function* recoded(secret: string): Tried {
  const wide = t('where it was signed, the secret was read as UTF-16: the key is its UTF-8 bytes');
  yield [Buffer.from(secret, 'utf16le'), wide];
  yield [Buffer.from(`\u{feff}${secret}`, 'utf16le'), wide];
  if (!/[^\0-\x7f]/.test(secret)) return;
  if (!/[^\0-\xff]/.test(secret)) {
    const key = Buffer.from(secret, 'latin1');
    yield [
      key,
      isUtf8(key)
        ? t('the secret set here was read as Latin-1 and encoded in UTF-8 a second time: set it again')
        : t('where it was signed, the secret was read as Latin-1: the key is its UTF-8 bytes'),
    ];
  }
  const bytes = Buffer.from(secret);
  for (const misread of [bytes.toString('latin1'), new TextDecoder('windows-1252').decode(bytes)]) {
    yield [
      misread,
      t(
        "the caller's secret was read as Latin-1 and encoded in UTF-8 a second time: the key is its UTF-8 bytes",
      ),
    ];
  }
}
