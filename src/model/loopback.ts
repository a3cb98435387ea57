/** Whether a host of a URL is this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\]|.+\.localhost)$/.test(hostname);
}
