/**
 * Whether a status is final: 200 to 599. A lower one is interim (RFC 9110, section 15.2) or cannot be sent at all; a
 * higher one has no defined meaning.
 */
export function isFinalStatus(status: number): boolean {
  return status >= 200 && status <= 599;
}
