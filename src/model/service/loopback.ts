/**
 * Whether a host of a URL is this machine, whoever is asked for its name. Names below `localhost` are not among them:
 * where the system does not know them, a name server is asked.
 */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/**
 * Whether what is sent there comes back to the listener. The addresses that mean all of a machine lead to it as well.
 * @param own the port of the listener; undefined where it does not listen
 */
export function isListenerItself({ hostname, port, protocol }: URL, own: number | undefined): boolean {
  const isHere = isLoopback(hostname) || hostname === '0.0.0.0' || hostname === '[::]';
  return isHere && Number(port || (protocol === 'https:' ? 443 : 80)) === own;
}
