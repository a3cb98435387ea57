const bytesOf = (text: string) => Array.from(Buffer.from(text));
const percent = (bytes: readonly number[]) =>
  bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const unicodeEscapes = (text: string) =>
  Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`);
const base64 = (text: string) => Buffer.from(text).toString('base64');

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // What JSON would escape once more: each escape is read once.
  '\\': '&#92;',
};

/** The ways to write a token or secret that are known to the mask of those that are held, by name. */
export const secretEncodings: Readonly<Record<string, (value: string) => string>> = {
  'as it is': (value) => value,
  'escaped as in JSON': inJson,
  'escaped as in JSON, slashes too': (value) => inJson(value).replaceAll('/', '\\/'),
  'escaped as in JSON, all that is not ASCII': (value) =>
    inJson(value).replace(/[^\x20-\x7e]/g, (unit) => unicodeEscapes(unit).join('')),
  'escaped as in JSON, each character': (value) => unicodeEscapes(value).join(''),
  'percent-encoded': (value) => encodeURIComponent(value),
  'percent-encoded, as little as a URL needs': (value) => encodeURI(value),
  'percent-encoded, byte by byte': (value) => percent(bytesOf(value)),
  'percent-encoded, byte by byte, in capitals': (value) => percent(bytesOf(value)).toUpperCase(),
  'percent-encoded by a form': (value) => new URLSearchParams({ '': value }).toString().slice(1),
  'in base64': base64,
  'in base64 without padding': (value) => base64(value).replaceAll('=', ''),
  'in base64url': (value) => Buffer.from(value).toString('base64url'),
  'in base64, percent-encoded': (value) => encodeURIComponent(base64(value)),
  'in base64, slashes escaped as in JSON': (value) => base64(value).replaceAll('/', '\\/'),
  'with entities of HTML': (value) => value.replace(/[&<>"'\\]/g, (sign) => entities[sign] ?? sign),
  'with entities of HTML in numbers': (value) =>
    value.replace(/[&<>"'`=/+\\]/g, (sign) => `&#x${sign.charCodeAt(0).toString(16)};`),
  'with entities of HTML in many digits': (value) =>
    value.replace(/[&<>"'`=/+\\]/g, (sign) => `&#${String(sign.charCodeAt(0)).padStart(7, '0')};`),
  'read as Latin-1': (value) => Buffer.from(value).toString('latin1'),
};

/** The same of base64 of a longer text, from where on the digits are those of the value alone. */
export function inLongerBase64(value: string, before: number, isUrl: boolean): { text: string; own: string } {
  const encoding = isUrl ? 'base64url' : 'base64';
  const text = Buffer.concat([Buffer.alloc(before, '-'), Buffer.from(value), Buffer.from('----')]).toString(
    encoding,
  );
  const end = before + Buffer.byteLength(value);
  return { text, own: text.slice(Math.ceil((8 * before) / 6), Math.floor((8 * end) / 6)) };
}
