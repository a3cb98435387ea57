/** Maps SQLite's primary codes to the system error codes that users are shown. */
const codes: Readonly<Record<number, string>> = {
  5: 'EBUSY',
  6: 'EBUSY',
  8: 'EROFS',
  10: 'EIO',
  13: 'ENOSPC',
  14: 'EACCES',
};
const brokenCodes = [11, 26];
/** Two rows with the same number or id, or a body without its delivery: this code never writes those. */
const brokenConstraints = [787, 1555, 2067, 2579];
/** While a store is opened, SQLite gives this code only for a file whose header or schema it cannot read. */
const unreadableCode = 1;

/** An error with a system error code, as Node has them. */
export function systemError(code: string, message: string, options?: ErrorOptions): Error {
  return Object.assign(new Error(`${code}: ${message}`, options), { code });
}

/** Converts an SQLite error to a system error where there is one; returns other errors unchanged. */
export function storeError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const code = codes[primaryCode(error)];
  return code === undefined ? error : systemError(code, error.message, { cause: error });
}

/** An error for corruption that SQLite itself has not detected. */
export function brokenFile(message: string): Error {
  return Object.assign(new Error(message), { errcode: 11 });
}

/** Whether the error means that the file is corrupt, or not an SQLite file. */
export function isCorrupt(error: unknown): boolean {
  return brokenCodes.includes(primaryCode(error)) || brokenConstraints.includes(extendedCode(error));
}

/** The same for an error that occurred while the file was opened. */
export function isUnreadable(error: unknown): boolean {
  return isCorrupt(error) || primaryCode(error) === unreadableCode;
}

/** Whether the disk or the folder is the cause, which may be temporary, and not the data to write. */
export function isOfTheSystem(problem: Error): boolean {
  return 'code' in problem && typeof problem.code === 'string' && !problem.code.startsWith('ERR_');
}

/** SQLite's primary code: the lowest byte of the extended code. */
function primaryCode(error: unknown): number {
  return extendedCode(error) & 0xff;
}

/** SQLite's extended code; 0 if it is not an SQLite error. */
function extendedCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0;
}
