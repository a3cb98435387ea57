import { t } from '../text/l10n.ts';
import { UserError } from '../text/userError.ts';

/**
 * Why something failed, in words for the user: the message of an expected error, or the meaning of a system error
 * code. Undefined if there is neither: messages of libraries are not written for users and belong in the log.
 */
export function failureReason(error: unknown): string | undefined {
  for (const one of causes(error)) {
    if (one instanceof UserError) return one.message;
    const words = codeText(codeOf(one));
    if (words !== undefined) return words;
  }
  return undefined;
}

/** Why a call got no response. What no words are known for is told by its code in the log alone. */
export function connectionFailure(error: unknown): string {
  return failureReason(error) ?? t('the connection failed');
}

/** The code of what caused an error, for the log; empty if none has one. */
export function causeCode(error: unknown): string {
  return [...causes(error)].map(codeOf).findLast((code) => code !== '') ?? '';
}

/** Like `failureReason`, but falls back to pointing at the log. The caller has to log the error. */
export function failureText(error: unknown): string {
  return failureReason(error) ?? t('see the log of Runhook for the reason');
}

/** The reason why a check throws; undefined if it passes. */
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
  [['ENOENT', 'FileNotFound'], () => t('it does not exist')],
  [['EEXIST', 'FileExists'], () => t('something with that name already exists')],
  [['EISDIR', 'ERR_FS_EISDIR', 'FileIsADirectory'], () => t('it is a folder')],
  [['ENOTDIR', 'FileNotADirectory'], () => t('a part of its path is not a folder')],
  [['EACCES', 'EPERM', 'NoPermissions'], () => t('the system does not allow it')],
  [['EROFS'], () => t('nothing can be written there')],
  [['ENOSPC', 'EDQUOT'], () => t('the disk is full')],
  [['EMFILE', 'ENFILE'], () => t('too many files are open')],
  [['EBUSY', 'ETXTBSY'], () => t('another program is using it')],
  [['ELOOP'], () => t('its links form a loop')],
  [['ENAMETOOLONG'], () => t('its name is too long')],
  [['EIO'], () => t('the disk reports an error')],
  [['Unavailable', 'ESTALE', 'ENOTCONN', 'ENODEV'], () => t('its location is not reachable')],
  [['EADDRINUSE'], () => t('another program is using the port')],
  [['EADDRNOTAVAIL'], () => t('this machine has no such address')],
  [['ECONNREFUSED'], () => t('nothing listens there')],
  [['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'UND_ERR_SOCKET'], () => t('the connection was reset')],
  [
    ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'],
    () => t('it took too long'),
  ],
  [['EHOSTUNREACH', 'ENETUNREACH'], () => t('there is no route to it')],
  [['ENOTFOUND', 'EAI_AGAIN'], () => t('its name was not found')],
  [['DEPTH_ZERO_SELF_SIGNED_CERT'], () => t('certificate self-signed')],
  [
    [
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'CERT_UNTRUSTED',
    ],
    () => t('certificate not trusted'),
  ],
  [['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'], () => t('certificate for another name')],
  [['CERT_HAS_EXPIRED'], () => t('certificate expired')],
  [['CERT_NOT_YET_VALID'], () => t('certificate not valid yet')],
  [
    ['ERR_NOT_TLS', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'],
    () => t('it uses http, not https'),
  ],
  [['ERR_IS_TLS'], () => t('it uses https, not http')],
  [['ERR_ENDED'], () => t('it has ended')],
  [['EPROTO'], () => t('no encrypted connection')],
  [['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW'], () => t('its headers are too long')],
];

/** What an error code means; undefined for unknown codes. */
export function codeText(code: string): string | undefined {
  const [, text] = meanings.find(([codes]) => codes.includes(code)) ?? [];
  if (text !== undefined) return text();
  if (code.startsWith('ERR_SSL_')) return codeText('EPROTO');
  if (isNotHttp(code)) return t('the response is not HTTP');
  return isOfCertificate(code) ? t('certificate not trusted') : undefined;
}

/** Whether a certificate was not trusted, as the codes of Node say: one of those of OpenSSL. */
export function isOfCertificate(code: string): boolean {
  return /CERT|^UNABLE_TO_|^INVALID_(?:CA|PURPOSE)$|^HOSTNAME_MISMATCH$/.test(code);
}

/** Whether what came back is no HTTP, as the parser of Node and of undici says. HTTP may have too many headers, too. */
export function isNotHttp(code: string): boolean {
  return code.startsWith('HPE_') && code !== 'HPE_HEADER_OVERFLOW';
}

/**
 * What an error code says of the other side: `is not running`. Undefined where the words of `codeText` are to do.
 * @param isShort as a row has room for it: `not running`
 */
export function otherSideText(code: string, isShort = false): string | undefined {
  switch (code) {
    case 'ECONNREFUSED':
      return isShort ? t('not running') : t('is not running');
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
      return t('disconnected');
    case 'ERR_ENDED':
      return t('has ended');
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return t('was not found');
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return t('cannot be reached');
    case 'TimeoutError':
      return isShort ? t('timed out') : t('took too long');
    case 'ERR_NOT_TLS':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return isShort ? t('uses http') : t('uses http, not https');
    case 'ERR_IS_TLS':
      return isShort ? t('uses https') : t('uses https, not http');
    default:
      return isNotHttp(code) ? t('speaks no HTTP') : undefined;
  }
}

/** The code of an error. The editor reports that of a file error only in the message. */
function codeOf(error: Error): string {
  if (error.name === 'TimeoutError') return 'ETIMEDOUT';
  // That of undici, which often has no code.
  if (error.name === 'HTTPParserError') return 'HPE_';
  if ('code' in error && typeof error.code === 'string' && error.code !== 'Unknown') return error.code;
  return /\bE[A-Z]{2,}\b/.exec(error.message)?.[0] ?? '';
}

/** Deeper than any library nests causes. Also stops at circular causes. */
const deepest = 5;

/** An error and its chain of causes. An AggregateError (one error per address) continues with its first error. */
export function* causes(error: unknown): Generator<Error> {
  let inner = error;
  for (let depth = 0; depth <= deepest && inner instanceof Error; depth += 1) {
    yield inner;
    inner = inner instanceof AggregateError ? inner.errors[0] : inner.cause;
  }
}
