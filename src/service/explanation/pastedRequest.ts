/** Headers and body that somebody pasted, as far as a text can hold them. */
export interface PastedRequest {
  /** Names in lower case. */
  headers: Record<string, string>;
  /** With the line endings of the editor, which are not those that were sent. */
  body: string;
}

/** The longest head, in characters, more than any server takes: all text after it is read as the body. */
const longestHead = 128 * 1024;

const headerName = /^[!#$%&'*+.^_`|~\w-]+$/;

/** A line of `curl -v` about the connection, or about what it sends or gets. */
const noteOfCurl = /^(?:\*|[{}] \[)/;

/**
 * Reads headers, an empty line and a body, as a log, a proxy or `curl -v` shows them. A request or status line before
 * the headers and lines that begin with `#` are skipped. Undefined if there is no header, or a dump of `curl -v` goes
 * on with the answer, since then the body is missing.
 */
export function readPastedRequest(text: string): PastedRequest | undefined {
  const headers = new Map<string, string>();
  let at = 0;
  let isDump = false;
  while (at < text.length) {
    const end = text.indexOf('\n', at);
    const nextLine = end === -1 ? text.length : end + 1;
    if (nextLine > longestHead) break;
    const written = text.slice(at, end === -1 ? nextLine : end);
    const isSent: boolean = (isDump || headers.size === 0) && /^>(?: |\r?$)/.test(written);
    isDump ||= isSent;
    const line = isSent ? written.slice(2) : written;
    if (isDump && !isSent && noteOfCurl.test(line)) {
      at = nextLine;
      continue;
    }
    const header = readHeader(line);
    const isBlank = line.trim() === '';
    const isBody = header === undefined && !isBlank && !line.startsWith('#') && headers.size > 0;
    if (isBody) break;
    at = nextLine;
    if (header !== undefined) {
      headers.set(header.name, header.value);
    } else if (isBlank && headers.size > 0) {
      break;
    }
  }
  if (headers.size === 0) return undefined;
  const body = text.slice(at);
  if (!isDump) return { headers: Object.fromEntries(headers), body };
  const sent = withoutNotes(body);
  return sent.startsWith('< ') ? undefined : { headers: Object.fromEntries(headers), body: sent };
}

/** What follows the headers of a dump, without what curl says before it. */
function withoutNotes(text: string): string {
  let at = 0;
  while (noteOfCurl.test(text.slice(at, at + 3))) {
    const end = text.indexOf('\n', at);
    if (end === -1) return '';
    at = end + 1;
  }
  return text.slice(at);
}

function readHeader(line: string): { name: string; value: string } | undefined {
  const colon = line.indexOf(':');
  const name = line.slice(0, colon);
  if (colon === -1 || !headerName.test(name)) return undefined;
  return { name: name.toLowerCase(), value: line.slice(colon + 1).trim() };
}
