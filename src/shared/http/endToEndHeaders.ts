const hopByHop = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Headers that are for whoever reads the request, in lower case: a `Connection` header cannot make them headers of one
 * connection (RFC 9110, section 7.6.1). Without them the app could not check a delivery, nor read its body.
 */
const neverHopByHop =
  /^(content-.+|x-request-id|x-.+-webhook-.+|authorization|cookie|set-cookie|location|user-agent|accept(-.+)?|cache-control|date|forwarded|x-forwarded-.+|x-real-ip)$/;

/** Each header with its value. @param raw names and values in turn, like Node's `rawHeaders` */
export function headerPairs(raw: readonly string[]): [name: string, value: string][] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : []));
}

/**
 * Drops the headers that are for one connection only (RFC 9110, section 7.6.1).
 * @param raw names and values in turn, like Node's `rawHeaders`
 * @param also further names to drop, in lower case
 */
export function endToEndHeaders(raw: readonly string[], also: readonly string[] = []): string[] {
  const pairs = headerPairs(raw);
  const named = pairs
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(',').map((one) => one.trim().toLowerCase()))
    // guard S8: A sender cannot name headers of a delivery as those of its connection.
    .filter((name) => !neverHopByHop.test(name));
  const dropped = new Set([...hopByHop, ...named, ...also]);
  return pairs.flatMap(([name, value]) => (dropped.has(name.toLowerCase()) ? [] : [name, value]));
}
