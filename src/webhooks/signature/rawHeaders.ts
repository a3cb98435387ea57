/** Headers as they came, names and values in turn: Node's `rawHeaders`. Text is one character a byte. */
export type RawHeaders = readonly string[];

/** One header, by its name in lower case; joined with commas if it came more than once. */
export function headerOf(rawHeaders: RawHeaders, name: string): string | undefined {
  let found: string | undefined;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const candidate = rawHeaders[at] ?? '';
    if (candidate.length !== name.length || candidate.toLowerCase() !== name) continue;
    const value = rawHeaders[at + 1] ?? '';
    found = found === undefined ? value : `${found}, ${value}`;
  }
  return found;
}

/** Names in lower case; a header that came more than once is joined with commas. */
export function headersOf(rawHeaders: RawHeaders): Record<string, string> {
  // A null prototype keeps a header named `__proto__` a header.
  const headers = Object.create(null) as Record<string, string>;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const value = rawHeaders[at + 1] ?? '';
    const previous = headers[name];
    headers[name] = previous === undefined ? value : `${previous}, ${value}`;
  }
  return headers;
}
