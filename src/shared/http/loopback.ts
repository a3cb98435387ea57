/**
 * Whether the host of a URL is this machine, however its name is resolved. Subdomains of `localhost` do not count:
 * a system that does not know them asks a name server.
 */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Whether the address of a connection is this machine's own. */
export function isLoopbackAddress(address: string): boolean {
  // IPv6 writes an IPv4 address behind a prefix.
  const plain = address.replace(/^::ffff:/i, '');
  return plain.startsWith('127.') || plain === '::1';
}

/** Where a listener can be reached. */
export interface ListenerPlace {
  /** Undefined if it is not listening. */
  port?: number | undefined;
  /** Its address from outside, through a tunnel or the user's own server; undefined if there is none. */
  publicUrl?: string | undefined;
}

/** Whether a request to a URL reaches the listener itself. The wildcard addresses `0.0.0.0` and `[::]` do so too. */
export function isListenerItself(url: URL, { port: listenerPort, publicUrl }: ListenerPlace): boolean {
  const { hostname, host, pathname, port, protocol } = url;
  const publicAddress = publicUrl === undefined ? null : URL.parse(publicUrl);
  // By the beginning of the path: that is how a proxy may match it, and then `/hook2` comes back for `/hook`.
  if (publicAddress?.host === host && pathname.startsWith(publicAddress.pathname.replace(/\/$/, '')))
    return true;
  const isHere = isLoopback(hostname) || hostname === '0.0.0.0' || hostname === '[::]';
  return isHere && Number(port || (protocol === 'https:' ? 443 : 80)) === listenerPort;
}
