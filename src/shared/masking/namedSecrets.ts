import { bareName } from '../json/jsonObject.ts';
import { isCredentialHeader, masked } from './likelySecrets.ts';

/** What is masked of the value of a field: all of it, only texts, or nothing. */
type Secrecy = 'all' | 'texts' | 'none';

/** Names that may mean a secret and as well anything else, such as a number or an object with fields of its own. */
const ambiguous = /^(?:key|value|keyvalue)$/;

/** Text nested deeper, JSON in a text in JSON and so on, is masked unread. */
const deepestText = 8;
/** Values nested deeper are left out. */
const deepestValue = 50;

/**
 * A JSON value without the values of fields whose name says that it is a secret, as it is told to somebody who is not
 * meant to know secrets: in its own fields, and in whatever its texts hold (see `maskNamedText`).
 */
export function maskNamed(value: unknown, secrecy: Secrecy = 'none', depth = 0): unknown {
  if (typeof value === 'string') return secrecy === 'none' || value === '' ? maskNamedText(value) : masked;
  if (typeof value === 'number') return secrecy === 'all' ? masked : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > deepestValue) return '…';
  if (Array.isArray(value)) return value.map((one) => maskNamed(one, secrecy, depth + 1));
  return Object.fromEntries(
    Object.entries(withReadBody(value)).map(([name, inner]: [string, unknown]) => [
      maskNamedText(name),
      maskNamed(inner, secrecy === 'all' ? 'all' : secrecyOf(name), depth + 1),
    ]),
  );
}

/**
 * A text without the values of such fields: of JSON in it, whole, cut or quoted, of the parameters of queries and
 * forms, of the parts of a multipart form, of header lines, and of objects as programs print them. Everything else stays as it was written.
 */
export function maskNamedText(text: string, depth = 0): string {
  if (!/[":=<%]/.test(text)) return text;
  if (depth > deepestText) return masked;
  return maskQuoted(maskProgramText(maskHeaderLines(maskParts(text))), depth);
}

function secrecyOf(name: string): Secrecy {
  // `user[password]` and `user.password` name a password too.
  const names = [name, ...name.split(/[.[\]:]+/)];
  const found = names.filter(isCredentialHeader);
  if (found.length === 0) return 'none';
  return found.every((one) => ambiguous.test(bareName(one))) ? 'texts' : 'all';
}

/** A body in base64 is masked as what it stands for. */
function withReadBody(value: object): object {
  if (!('bodyEncoding' in value && 'body' in value) || typeof value.body !== 'string') return value;
  if (value.bodyEncoding !== 'base64' || !/^[\w+/=]*$/.test(value.body)) return value;
  const read = atob(value.body.slice(0, value.body.length - (value.body.length % 4)));
  const told = maskNamedText(read);
  return told === read ? value : { ...value, body: btoa(told.replaceAll(masked, '*'.repeat(masked.length))) };
}

/** A line end, as it came or as an explanation shows it. */
const lineEnd = '[\\r␍]?\\n[ |]*';
const part = new RegExp(
  `(\\bname="?([^"\\r\\n;]*)"?[^\\n]*(?:\\n[ |]*[^\\s|][^\\n]*)*?${lineEnd}${lineEnd})([^]*?)(?=${lineEnd}--|$)`,
  'gi',
);

/** Masks the parts of a multipart form. */
function maskParts(text: string): string {
  if (!/form-data/i.test(text)) return text;
  return text.replace(part, (whole, head: string, name: string) =>
    secrecyOf(name) === 'none' ? whole : head + masked,
  );
}

/** Masks `Authorization: …`, `X-Api-Key: …` and the like, which fill their lines. Prose may say `Key: …`. */
function maskHeaderLines(text: string): string {
  return text.replace(
    /^([ |]*)([\w-]+)(:[ \t]*)\S[^\n]*/gm,
    (line, before: string, name: string, colon: string) => {
      const isHeader = /[-_]|^authorization$|^cookie$|^pass/i.test(name) && secrecyOf(name) === 'all';
      return isHeader ? before + name + colon + masked : line;
    },
  );
}

/** Masks `{'password': 'x'}` and `{ password: 'x' }`, as programs print and write objects, and elements of XML. */
function maskProgramText(text: string): string {
  const ofElements = text.replace(
    /(<([\w:.-]{1,100})(?: [^<>]*)?>)[^<]+/g,
    (whole, tag: string, name: string) => (secrecyOf(name) === 'all' ? tag + masked : whole),
  );
  return ofElements.replace(
    /((['"]?)([\w.-]{1,100})\2\s{0,20}(?::|=>?)\s{0,20})(?:'(?:[^'\\\n]|\\.)*'?|"(?:[^"\\\n]|\\.)*"?)/g,
    (whole, before: string, quote: string, name: string) => {
      const isJson = quote === '"' && whole.at(before.length) === '"';
      return isJson || secrecyOf(name) !== 'all' ? whole : `${before}'${masked}'`;
    },
  );
}

/** A string with the quotation marks around it. */
interface Quoted {
  start: number;
  end: number;
  content: string;
  /** The backslashes before each of its quotation marks, where it is in another string. */
  escape: string;
  isEnded: boolean;
}

/** Masks what follows a name in quotation marks and a colon, and the parameters between and in all other strings. */
function maskQuoted(text: string, depth: number): string {
  const told: string[] = [];
  let at = 0;
  let isInSecret = false;
  const tell = (end: number): boolean => {
    const between = maskParameters(text.slice(at, end), isInSecret, depth);
    told.push(between.text);
    at = end;
    return between.endsInSecret;
  };
  for (let quoted = nextQuoted(text, 0); quoted !== undefined; quoted = nextQuoted(text, at)) {
    isInSecret = tell(quoted.start);
    const { escape, content, end, isEnded } = quoted;
    const mark = `${escape}"`;
    const colon = skipSpace(text, end);
    if (isInSecret) {
      told.push(masked);
    } else if (text[colon] === ':') {
      told.push(text.slice(at, end));
      const value = skipSpace(text, colon + 1);
      const secret = secretValue(text, value, secrecyOf(unescaped(content, escape)));
      if (secret !== undefined) {
        told.push(text.slice(end, value), secret.told);
        at = secret.end;
        continue;
      }
    } else {
      const read = unescaped(content, escape);
      const safe = maskNamedText(read, depth + 1);
      const written = escape === '' ? JSON.stringify(safe).slice(1, -1) : safe;
      told.push(safe === read ? text.slice(at, end) : mark + written + (isEnded ? mark : ''));
    }
    at = end;
  }
  tell(text.length);
  return told.join('');
}

/** The value at an offset and what is told of it; undefined if there is none, or it is no secret. */
function secretValue(
  text: string,
  start: number,
  secrecy: Secrecy,
): { told: string; end: number } | undefined {
  if (secrecy === 'none') return undefined;
  const quoted = nextQuoted(text, start);
  if (quoted?.start === start) {
    const mark = `${quoted.escape}"`;
    const told = quoted.content === '' ? '' : masked;
    return { told: mark + told + (quoted.isEnded ? mark : ''), end: quoted.end };
  }
  const first = text[start] ?? '';
  const end =
    first === '[' || first === '{' ? endOfContainer(text, start) : start + wordAt(text, start).length;
  const hasText = text.slice(start, end).includes('"');
  const isMasked =
    first === '{'
      ? secrecy === 'all'
      : first === '['
        ? secrecy === 'all' || hasText
        : /[\d-]/.test(first) && secrecy === 'all';
  return isMasked ? { told: `"${masked}"`, end } : undefined;
}

function wordAt(text: string, start: number): string {
  return /^[\w.+-]*/.exec(text.slice(start, start + 400))?.[0] ?? '';
}

/** Where the object or array that begins here ends. */
function endOfContainer(text: string, start: number): number {
  let open = 0;
  for (let at = start; at < text.length; at += 1) {
    const one = text[at] ?? '';
    if (one === '"' || one === '\\') {
      const quoted = nextQuoted(text, at);
      if (quoted?.start === at) at = quoted.end - 1;
    } else if (one === '[' || one === '{') open += 1;
    else if (one === ']' || one === '}') open -= 1;
    if (open === 0) return at + 1;
  }
  return text.length;
}

/** The next string. One that was cut goes on to the end of the text. */
function nextQuoted(text: string, from: number): Quoted | undefined {
  const opening = text.indexOf('"', from);
  if (opening < 0) return undefined;
  const escapes = backslashesBefore(text, opening, from);
  let closing = text.indexOf('"', opening + 1);
  while (closing >= 0 && backslashesBefore(text, closing, opening + 1) > escapes) {
    // Of a plain string, an even number of them stands for backslashes at its end.
    if (escapes === 0 && backslashesBefore(text, closing, opening + 1) % 2 === 0) break;
    closing = text.indexOf('"', closing + 1);
  }
  const isEnded = closing >= 0;
  const contentEnd = isEnded
    ? closing - Math.min(escapes, backslashesBefore(text, closing, opening + 1))
    : text.length;
  return {
    start: opening - escapes,
    end: isEnded ? closing + 1 : text.length,
    content: text.slice(opening + 1, contentEnd),
    escape: '\\'.repeat(escapes),
    isEnded,
  };
}

function backslashesBefore(text: string, at: number, from: number): number {
  let count = 0;
  while (at - count - 1 >= from && text[at - count - 1] === '\\') count += 1;
  return count;
}

/** The content of a string as it reads; as it is written where it was cut within an escape, or is in another string. */
function unescaped(content: string, escape: string): string {
  if (escape !== '') return content;
  for (const cut of [content, content.replace(/\\(?:u[\da-f]{0,3})?$/i, '')]) {
    try {
      const read: unknown = JSON.parse(`"${cut.replace(/[\n\r\t]/g, ' ')}"`);
      if (typeof read === 'string') return read;
    } catch {
      // It is no JSON string.
    }
  }
  return content;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  // An explanation begins each line with a bar.
  while (at < text.length && /[\s|␍]/.test(text[at] ?? '')) at += 1;
  return at;
}

/**
 * Masks the parameters of queries and forms, `name=value`.
 * @param isInSecret whether it begins within the value of a secret parameter, and so whether it ends in one
 */
function maskParameters(
  text: string,
  isInSecret: boolean,
  depth: number,
): { text: string; endsInSecret: boolean } {
  const start = isInSecret ? (/^[^\s&#]*/.exec(text)?.[0].length ?? 0) : 0;
  let endsInSecret = isInSecret && start === text.length;
  const told = text
    .slice(start)
    .replace(/([^\s?&#;,"'=(){}<>|]+)=([^\s&#]*)/g, (whole, name: string, value: string, at: number) => {
      const read = plain(value);
      const isSecret = secrecyOf(plain(name)) !== 'none';
      if (isSecret) endsInSecret = start + at + whole.length === text.length;
      return isSecret || maskNamedText(read, depth + 1) !== read ? `${name}=${masked}` : whole;
    });
  return { text: told, endsInSecret };
}

/** A parameter without its percent-encoding, as far as that matters for names and the structure of JSON. */
function plain(encoded: string): string {
  let read = encoded.replaceAll('+', ' ');
  for (let times = 0; times < 3; times += 1) {
    read = read.replace(/%([\da-f]{2})/gi, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
  }
  return read;
}
