/** Whether a status sends the request elsewhere: 3xx. */
export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}
