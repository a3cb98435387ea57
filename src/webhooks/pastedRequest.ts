/** Headers and body that somebody pasted, as far as a text can hold them. */
export interface PastedRequest {
  headers: Record<string, string>;
  body: string;
}

const headerLine = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/;

/**
 * Reads headers, an empty line and a body, as a log or a proxy shows them. A request or status line before
 * the headers and lines that begin with `#` are passed over. Undefined where there is no header.
 */
export function readPastedRequest(text: string): PastedRequest | undefined {
  const headers: Record<string, string> = {};
  let rest = text.replaceAll('\r\n', '\n');
  while (rest !== '') {
    const end = rest.indexOf('\n');
    const line = end === -1 ? rest : rest.slice(0, end);
    const found = headerLine.exec(line);
    const isBlank = line.trim() === '';
    if (found === null && !isBlank && !line.startsWith('#') && Object.keys(headers).length > 0) break;
    rest = end === -1 ? '' : rest.slice(end + 1);
    if (found !== null) headers[(found[1] ?? '').toLowerCase()] = found[2] ?? '';
    else if (isBlank && Object.keys(headers).length > 0) break;
  }
  return Object.keys(headers).length === 0 ? undefined : { headers, body: rest };
}
