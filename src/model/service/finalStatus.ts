/**
 * Whether a status is one that a request ends with: 200 to 599. One below is interim (RFC 9110, section 15.2), or cannot
 * be sent at all; what one above means nobody has said.
 */
export function isFinalStatus(status: number): boolean {
  return status >= 200 && status <= 599;
}
