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
    yield [unquoted, t('quotes around secret: set the one here without them')];
  }
  const newline = t('newline after secret: the caller has to remove it');
  const space = t('space around secret: the caller has to remove it');
  const quotes = t('quotes around secret: the caller has to remove them');
  const before = t('newline before secret: the caller has to remove it');
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
  yield [`\u{feff}${secret}`, t('BOM before secret: the caller has to remove the byte-order mark')];
  for (const quote of ['"', "'", '`']) yield [quote + secret + quote, quotes];
  yield [JSON.stringify(secret), quotes];
  for (const quote of ["'", '"']) {
    yield [`b${quote}${secret}${quote}`, t("b'…' around secret: decode it where it is signed")];
  }
}

function unquotedText(text: string): string {
  return /^(["'`])(.+)\1$/s.exec(text)?.[2] ?? text;
}

function spaceText(secret: string): string {
  if (!/^\s*[\r\n]|[\r\n]\s*$/.test(secret)) {
    return t('space around secret: set the one here without it');
  }
  return secret.trimStart() === secret
    ? t('newline after secret: set the one here without it')
    : t('newlines around secret: set the one here without them');
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
      t(
        'no "{0}" in secret: the secret of the caller lacks it, the one set here has it, so use the same for both',
        own,
      ),
    ];
  }
  for (const prefix of prefixes) {
    if (prefix === own) continue;
    yield [
      prefix + bare,
      own === ''
        ? t(
            '"{0}" in secret: the secret of the caller has it, the one set here does not, so use the same for both',
            prefix,
          )
        : t(
            '"{0}" in secret: the secret of the caller has it, the one set here has "{1}", so use the same for both',
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
    const here = t('variable in secret: set only its value here');
    const bare = value.replace(/\s+#.*$/s, '');
    for (const one of new Set([value, bare, unquotedText(value), unquotedText(bare)])) yield [one, here];
  }
  const there = t('variable in secret: the caller has to remove its name');
  for (const name of names) {
    for (const start of [`${name}=`, `export ${name}=`, `${name}: `]) yield [start + secret, there];
    yield [`${name}="${secret}"`, there];
  }
}

function* decoded(secret: string): Tried {
  const bare = bareSecret(secret);
  if (/^[\w+/-]+={0,2}$/.test(bare)) {
    yield [Buffer.from(bare, 'base64'), t('decoded from base64: the key is the text of the secret as it is')];
  }
  if (/^(?:[0-9a-f]{2})+$/i.test(bare)) {
    yield [Buffer.from(bare, 'hex'), t('decoded from hex: the key is the text of the secret as it is')];
  }
  if (!/[%+]/.test(secret)) return;
  const text = t('decoded from a URL: the key is the text of the secret as it is');
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
  const base64 = t('encoded in base64: the key is the text of the secret as it is');
  yield [bytes.toString('base64'), base64];
  yield [bytes.toString('base64url'), base64];
  yield [bytes.toString('hex'), t('encoded in hex: the key is the text of the secret as it is')];
  if (secret.isWellFormed()) {
    yield [encodeURIComponent(secret), t('encoded for a URL: the key is the text of the secret as it is')];
  }
}

/** What is left of a secret where a shell, a `.env` file or a script took a character of it for its own. */
function* cut(secret: string): Tried {
  const variable = t('"$" read as variable: put the secret in single quotes where it is signed');
  if (secret.includes('$')) {
    yield [secret.replace(/\$\{[^}]*\}|\$[A-Za-z_]\w*|\$[\d@*#?!$-]/g, ''), variable];
    yield [secret.replace(/\$\{[^}]*\}|\$\w+/g, ''), variable];
    yield [secret.replaceAll('$$', '$'), variable];
    yield [secret.replaceAll('$', ''), variable];
    yield [secret.replaceAll('$', '$$$$'), t('each "$" doubled: undo that in the secret where it is signed')];
  }
  if (secret.includes('\\')) {
    const text = t('"\\" lost in a shell: put the secret in single quotes where it is signed');
    yield [secret.replace(/\\(.)/gs, '$1'), text];
  }
  if (secret.includes('%')) {
    const text = t('"%" read as variable: write "%%" in the secret where it is signed');
    yield [secret.replace(/%[^%]*%/g, ''), text];
    yield [secret.replaceAll('%', ''), text];
  }
  const special = secret.search(/[^\w-]/);
  if (special > 0) {
    const text = t(
      'secret cut at "{0}": put it in quotation marks where it is signed',
      secret.charAt(special),
    );
    yield [secret.slice(0, special), secret.charAt(special) === '$' ? variable : text];
  }
  const shorter = t('secret cut off: only part of it is left where it is signed');
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
  const wide = t('read as UTF-16: the key is the UTF-8 bytes of the secret');
  yield [Buffer.from(secret, 'utf16le'), wide];
  yield [Buffer.from(`\u{feff}${secret}`, 'utf16le'), wide];
  if (!/[^\0-\x7f]/.test(secret)) return;
  if (!/[^\0-\xff]/.test(secret)) {
    const key = Buffer.from(secret, 'latin1');
    yield [
      key,
      isUtf8(key)
        ? t('secret encoded twice: the one here was read as Latin-1, so set it again')
        : t('read as Latin-1: the key is the UTF-8 bytes of the secret'),
    ];
  }
  const bytes = Buffer.from(secret);
  for (const misread of [bytes.toString('latin1'), new TextDecoder('windows-1252').decode(bytes)]) {
    yield [
      misread,
      t(
        "secret encoded twice: the caller's was read as Latin-1, while the key is the UTF-8 bytes of the secret",
      ),
    ];
  }
}
