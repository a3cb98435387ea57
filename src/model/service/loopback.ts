/**
 * Whether a host of a URL is this machine, whoever is asked for its name. Names below `localhost` are not among them:
 * where the system does not know them, a name server is asked.
 */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Where a listener is reached. */
export interface ListenerPlace {
  /** Undefined where it does not listen. */
  port?: number | undefined;
  /** Where strangers reach it, by a tunnel or a server of the user's; undefined where they do not. */
  publicUrl?: string | undefined;
}

/** Whether what is sent there comes back to the listener. The addresses that mean all of a machine lead to it as well. */
export function isListenerItself(url: URL, { port: own, publicUrl }: ListenerPlace): boolean {
  const { hostname, host, pathname, port, protocol } = url;
  const fromOutside = publicUrl === undefined ? null : URL.parse(publicUrl);
  if (fromOutside?.host === host && pathname.startsWith(fromOutside.pathname)) return true;
  const isHere = isLoopback(hostname) || hostname === '0.0.0.0' || hostname === '[::]';
  return isHere && Number(port || (protocol === 'https:' ? 443 : 80)) === own;
}
