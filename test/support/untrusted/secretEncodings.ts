const utf8 = (text: string) => Buffer.from(text);
const split = (text: string, length: number) => text.match(new RegExp(`.{1,${length}}`, 'gsu')) ?? [];
const percent = (bytes: Uint8Array, upper = true) =>
  Array.from(bytes, (byte) => {
    const hex = byte.toString(16).padStart(2, '0');
    return `%${upper ? hex.toUpperCase() : hex}`;
  }).join('');
const unicodeEscapes = (text: string) =>
  split(text, 1)
    .flatMap((one) => Array.from({ length: one.length }, (_, at) => one.charCodeAt(at)))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const splitBy = (text: string, by: string) => split(text, 11).join(by);

/** Encodings in which a token or secret can appear in a request or answer, by name. */
export const secretEncodings: Readonly<Record<string, (value: string) => string>> = {
  'as it is': (value) => value,
  'quoted as in JSON': inJson,
  'quoted as in JSON with slashes': (value) => inJson(value).replaceAll('/', '\\/'),
  'quoted twice': (value) => inJson(inJson(value)),
  'escaped by its units': unicodeEscapes,
  'percent-encoded': (value) => encodeURIComponent(value),
  'percent-encoded byte by byte': (value) => percent(utf8(value)),
  'percent-encoded in lower case': (value) => percent(utf8(value), false),
  'percent-encoded here and there': (value) =>
    split(value, 3)
      .map((piece, at) => (at % 2 === 0 ? percent(utf8(piece)) : encodeURIComponent(piece)))
      .join(''),
  'percent-encoded twice': (value) => encodeURIComponent(encodeURIComponent(value)),
  'sent by a form': (value) => new URLSearchParams({ '': value }).toString().slice(1),
  base64: (value) => utf8(value).toString('base64'),
  'base64 without padding': (value) => utf8(value).toString('base64').replaceAll('=', ''),
  base64url: (value) => utf8(value).toString('base64url'),
  'base64 in lines': (value) => splitBy(utf8(value).toString('base64'), '\r\n'),
  'base64 in a query': (value) => encodeURIComponent(utf8(value).toString('base64')),
  'base64 of credentials': (value) => utf8(`me:${value}`).toString('base64'),
  'base64 of base64': (value) => utf8(`x${utf8(value).toString('base64url')}`).toString('base64url'),
  hexadecimal: (value) => utf8(value).toString('hex'),
  'hexadecimal in capitals': (value) => utf8(value).toString('hex').toUpperCase(),
  'hexadecimal, byte by byte': (value) => split(utf8(value).toString('hex'), 2).join(' '),
  'read as Latin-1': (value) => utf8(value).toString('latin1'),
  'split over lines': (value) => splitBy(value, '\n'),
  'split over texts of JSON': (value) => split(value, 11).map(inJson).join('", "'),
  'split over fields of JSON': (value) => split(value, 11).map(inJson).join('","next":"'),
  'split over a query': (value) =>
    split(value, 11)
      .map((piece) => encodeURIComponent(piece))
      .join('&b[]='),
  'split over header lines': (value) => splitBy(value, '\r\nx-next-part: '),
};
