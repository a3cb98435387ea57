/** What SQLite's primary codes mean, as the codes of the system that users are told about. */
const codes: Readonly<Record<number, string>> = {
  5: 'EBUSY',
  6: 'EBUSY',
  8: 'EROFS',
  10: 'EIO',
  13: 'ENOSPC',
  14: 'EACCES',
};
const brokenCodes = [11, 26];
/** Two rows with one number, with one id, or a body without its delivery: this code writes none. */
const brokenConstraints = [787, 1555, 2067, 2579];
/** What SQLite says of a file whose head or schema it cannot read, and of nothing else while a store is opened. */
const unreadableCode = 1;

/** Why something could not be kept, by a code of Node's. */
export function systemError(code: string, message: string, options?: ErrorOptions): Error {
  return Object.assign(new Error(`${code}: ${message}`, options), { code });
}

/** An error of SQLite in the words of the system; any other as it is. */
export function storeError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const code = codes[primaryCode(error)];
  return code === undefined ? error : systemError(code, error.message, { cause: error });
}

/** What SQLite itself has not noticed. */
export function brokenFile(message: string): Error {
  return Object.assign(new Error(message), { errcode: 11 });
}

/** Whether SQLite says that the file is broken, or none of its own. */
export function saysBroken(error: unknown): boolean {
  return brokenCodes.includes(primaryCode(error)) || brokenConstraints.includes(extendedCode(error));
}

/** The same of an error that came while the file was opened. */
export function saysUnreadable(error: unknown): boolean {
  return saysBroken(error) || primaryCode(error) === unreadableCode;
}

/** Whether it is the disk or the folder that is wrong, which may pass, and not what was to be written. */
export function isOfTheSystem(problem: Error): boolean {
  return 'code' in problem && typeof problem.code === 'string' && !problem.code.startsWith('ERR_');
}

/** What SQLite calls it; an extended code has the primary one in its lowest byte. */
function primaryCode(error: unknown): number {
  return extendedCode(error) & 0xff;
}

/** 0 where it is no error of SQLite. */
function extendedCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0;
}
