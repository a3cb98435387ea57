import { causes } from './causes.ts';
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

/** What a code of Node, undici or the editor's file systems means; undefined for other codes. */
export function codeText(code: string): string | undefined {
  switch (code) {
    case 'ENOENT':
    case 'FileNotFound':
      return t('it is not there');
    case 'EEXIST':
    case 'FileExists':
      return t('something with that name already exists');
    case 'EISDIR':
    case 'FileIsADirectory':
      return t('it is a folder');
    case 'ENOTDIR':
    case 'FileNotADirectory':
      return t('a part of its path is not a folder');
    case 'EACCES':
    case 'EPERM':
    case 'NoPermissions':
      return t('the system does not allow it');
    case 'EROFS':
      return t('nothing can be written there');
    case 'ENOSPC':
    case 'EDQUOT':
      return t('the disk is full');
    case 'EMFILE':
    case 'ENFILE':
      return t('too many files are open');
    case 'EBUSY':
    case 'ETXTBSY':
      return t('another program uses it');
    case 'ENAMETOOLONG':
      return t('its name is too long');
    case 'EIO':
      return t('the disk reports an error');
    case 'Unavailable':
      return t('its location cannot be reached');
    case 'EADDRINUSE':
      return t('another program has the port');
    case 'EADDRNOTAVAIL':
      return t('this machine has no such address');
    default:
      return networkText(code);
  }
}

function networkText(code: string): string | undefined {
  switch (code) {
    case 'ECONNREFUSED':
      return t('nothing listens there');
    case 'ECONNRESET':
    case 'ECONNABORTED':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return t('the connection was reset');
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return t('it took too long');
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return t('there is no route to it');
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return t('its name was not found');
    case 'UND_ERR_HEADERS_OVERFLOW':
    case 'HPE_HEADER_OVERFLOW':
      return t('the headers of its answer are too long');
    default:
      return code.startsWith('HPE_') ? t('what answers there is not HTTP') : undefined;
  }
}

/** The code of an error. The editor tells that of a file in words alone. */
function codeOf(error: Error): string {
  if ('code' in error && typeof error.code === 'string' && error.code !== 'Unknown') return error.code;
  return /\bE[A-Z]{2,}\b/.exec(error.message)?.[0] ?? '';
}
