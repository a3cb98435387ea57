/** Whether a status says that the request was accepted: 2xx. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
