import { causes } from './errorCauses.ts';
import { t } from '../text/l10n.ts';
import { UserError } from '../text/userError.ts';

/**
 * Why something failed, in words that a user can read: those of an expected error, or what a code of the system
 * means. Undefined where nothing but the log can tell: what a library says is not written for users.
 */
export function failureReason(error: unknown): string | undefined {
  for (const one of causes(error)) {
    if (one instanceof UserError) return one.message;
    const code = codeOf(one);
    const words = codeText(code);
    if (words !== undefined) return /^[A-Z_]+$/.test(code) ? `${words} (${code})` : words;
  }
  return undefined;
}

/** As `failureReason`, for a place where something has to stand. The error has to be logged. */
export function failureText(error: unknown): string {
  return failureReason(error) ?? t('the log of Runhook says why');
}

/** What a check that throws says of what it refuses; undefined where it takes it. */
export function refusal(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return failureText(error);
  }
}

/** What codes of Node, undici and the editor's file systems mean. */
const meanings: readonly (readonly [codes: readonly string[], text: () => string])[] = [
  [['ENOENT', 'FileNotFound'], () => t('it is not there')],
  [['EEXIST', 'FileExists'], () => t('something with that name already exists')],
  [['EISDIR', 'FileIsADirectory'], () => t('it is a folder')],
  [['ENOTDIR', 'FileNotADirectory'], () => t('a part of its path is not a folder')],
  [['EACCES', 'EPERM', 'NoPermissions'], () => t('the system does not allow it')],
  [['EROFS'], () => t('nothing can be written there')],
  [['ENOSPC', 'EDQUOT'], () => t('the disk is full')],
  [['EMFILE', 'ENFILE'], () => t('too many files are open')],
  [['EBUSY', 'ETXTBSY'], () => t('another program uses it')],
  [['ENAMETOOLONG'], () => t('its name is too long')],
  [['EIO'], () => t('the disk reports an error')],
  [['Unavailable'], () => t('its location cannot be reached')],
  [['EADDRINUSE'], () => t('another program has the port')],
  [['EADDRNOTAVAIL'], () => t('this machine has no such address')],
  [['ECONNREFUSED'], () => t('nothing listens there')],
  [['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'UND_ERR_SOCKET'], () => t('the connection was reset')],
  [['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'], () => t('it took too long')],
  [['EHOSTUNREACH', 'ENETUNREACH'], () => t('there is no route to it')],
  [['ENOTFOUND', 'EAI_AGAIN'], () => t('its name was not found')],
  [['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW'], () => t('the headers of its answer are too long')],
];

/** What a code means; undefined for other codes. */
export function codeText(code: string): string | undefined {
  const [, text] = meanings.find(([codes]) => codes.includes(code)) ?? [];
  if (text !== undefined) return text();
  return code.startsWith('HPE_') ? t('what answers there is not HTTP') : undefined;
}

/** The code of an error. The editor tells that of a file in words alone. */
function codeOf(error: Error): string {
  if ('code' in error && typeof error.code === 'string' && error.code !== 'Unknown') return error.code;
  return /\bE[A-Z]{2,}\b/.exec(error.message)?.[0] ?? '';
}
