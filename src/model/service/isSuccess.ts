/** Whether a status says that what was sent has been taken: 2xx. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
