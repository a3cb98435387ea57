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

/** Why something could not be kept. `code` is one of Node's where there is one. */
export class StoreError extends Error {
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined, options?: ErrorOptions) {
    super(code === undefined ? message : `${code}: ${message}`, options);
    this.name = 'StoreError';
    this.code = code;
  }
}

/** An error of SQLite in the words of the system; any other as it is. */
export function storeError(error: unknown): Error {
  const sqliteCode = sqliteCodeOf(error);
  if (sqliteCode !== undefined && error instanceof Error) {
    return new StoreError(error.message, codes[sqliteCode], { cause: error });
  }
  return error instanceof Error ? error : new Error(String(error));
}

/** What SQLite itself has not noticed. */
export function brokenFile(message: string): Error {
  return Object.assign(new Error(message), { errcode: 11 });
}

/** Whether SQLite says that the file is broken, or none of its own. */
export function saysBroken(error: unknown): boolean {
  const isBroken = brokenCodes.includes(sqliteCodeOf(error) ?? 0);
  return isBroken || brokenConstraints.includes(extendedCodeOf(error) ?? 0);
}

/** The same of an error that came while the file was opened. */
export function saysUnreadable(error: unknown): boolean {
  return saysBroken(error) || sqliteCodeOf(error) === unreadableCode;
}

/** Whether it is the disk or the folder that is wrong, which may pass, and not what was to be written. */
export function isOfTheSystem(problem: Error): boolean {
  return 'code' in problem && typeof problem.code === 'string' && !problem.code.startsWith('ERR_');
}

/** The primary result code: an extended one has it in its lowest byte. */
function sqliteCodeOf(error: unknown): number | undefined {
  const extended = extendedCodeOf(error);
  return extended === undefined ? undefined : extended & 0xff;
}

function extendedCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined;
  return error.errcode;
}
