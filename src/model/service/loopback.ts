/**
 * Whether a host of a URL is this machine, whoever is asked for its name. Names below `localhost` are not among them:
 * where the system does not know them, a name server is asked.
 */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
