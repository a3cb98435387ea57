import { t } from '../shared/text/l10n.ts';
import { type Remedy, UserError } from '../shared/text/userError.ts';
import { decodings } from '../shared/http/decodings.ts';
import { isLoopback } from '../shared/http/loopback.ts';

/** Opens the settings that hold the addresses of the service. */
export const addressesRemedy: Remedy & { kind: 'openSettings' } = {
  kind: 'openSettings',
  ids: ['baseUrl', 'proxyUrl', 'projects'],
};

/** The two addresses of the service: the management API's and the run proxy's (service-interface.md, section 1). */
export interface Service {
  baseUrl: string;
  proxyUrl: string;
}

/** The parts of a URL that a request needs. */
export type RequestUrl = Readonly<Pick<URL, 'origin' | 'host' | 'hostname' | 'pathname' | 'search' | 'href'>>;

/**
 * A URL of the service.
 * @param base the address of the service, as configured; it may include a path
 * @param path the path below `base`, already encoded
 * @throws UserError if the address is missing or not valid, or contains a user name or a password
 */
export function serviceUrl(base: string, path: string): URL {
  if (base === '') throw noAddress();
  const url = parseHttpUrl(base, base, [addressesRemedy]);
  if (url.username !== '' || url.password !== '') {
    throw new UserError(
      t(
        'The address of the service at {0} contains a user name or a password. Remove it: a token is sent there.',
        url.host,
      ),
      { remedies: [addressesRemedy] },
    );
  }
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`;
  url.search = '';
  url.hash = '';
  return url;
}

/** The error for a call of a project when an address of the service is not set. @param service which it has */
export function noAddress(projectId?: string, service: Partial<Service> = {}): UserError {
  const [message, brief] = unsetTexts(service);
  return new UserError(message, {
    brief,
    remedies: [{ kind: 'setAddress', ...(projectId && { projectId }) }],
  });
}

function unsetTexts({ baseUrl = '', proxyUrl = '' }: Partial<Service>): [message: string, brief: string] {
  if (baseUrl !== '') {
    return [
      t('The address of the run proxy is not set. Set "runhook.proxyUrl", or the addresses of the project.'),
      t('The address of the run proxy is not set.'),
    ];
  }
  if (proxyUrl !== '') {
    return [
      t(
        'The address of the management API is not set. Set "runhook.baseUrl", or the addresses of the project.',
      ),
      t('The address of the management API is not set.'),
    ];
  }
  return [
    t(
      'No address of the service is set. Set "runhook.baseUrl" and "runhook.proxyUrl", or the addresses of the project.',
    ),
    t('No address of the service is set.'),
  ];
}

/**
 * Whether a path may escape from its base under any decoding of it, because a segment is `.` or `..`. A backslash
 * counts as a slash, control characters and white space are ignored, and segments end at `;`, `?` and `#`.
 */
export function leavesItsPlace(path: string): boolean {
  return decodings(path).some((one) =>
    one
      .normalize('NFKC')
      .split(/[\\/]/)
      .some((part) => /^\.+$/.test(part.replace(/[;?#][^]*$/, '').replace(/[\p{C}\p{Z}]+/gu, ''))),
  );
}

/** An id as one path segment. A URL cannot hold `.` or `..` as a segment, however they are encoded. */
function segment(id: string): string {
  if (id === '' || leavesItsPlace(id) || !id.isWellFormed()) {
    throw new UserError(t('"{0}" cannot be used as an id or a name: it cannot be part of an address.', id));
  }
  return encodeURIComponent(id);
}

/** An absolute http or https URL; undefined for anything else. */
export function httpUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined;
}

/**
 * Parses an absolute http or https URL.
 * @param shown how the error names it
 * @throws UserError with the remedies, for anything else
 */
export function parseHttpUrl(text: string, shown = text, remedies: readonly Remedy[] = []): URL {
  const url = httpUrl(text);
  if (url === undefined)
    throw new UserError(t('"{0}" is not an http or https address.', shown), { remedies });
  return url;
}

/** GET: the keys of a service account (section 4.1). */
export function keysUrl(baseUrl: string, projectId: string, serviceAccountId: string): URL {
  const path = `v2/${segment(projectId)}/service-accounts/${segment(serviceAccountId)}/keys`;
  return serviceUrl(baseUrl, path);
}

/** PATCH: an app's settings (section 4.2). */
export function appUrl(baseUrl: string, projectId: string, appId: string): URL {
  return serviceUrl(baseUrl, `v2/projects/${segment(projectId)}/apps/${segment(appId)}`);
}

/** The path that all calls to an app begin with (section 4.3). */
export function appPath(projectId: string, appName: string): string {
  return `v4/${segment(projectId)}/${segment(appName)}/`;
}

/** The origin of an address; empty if the address is not a URL. */
export function originOf(address: string): string {
  return URL.parse(address)?.origin ?? '';
}

/** The origins of a service to which tokens and secrets are sent unencrypted, readable by others on the way. */
export function originsInClear({ baseUrl, proxyUrl }: Service): string[] {
  const urls = [baseUrl, proxyUrl].flatMap((address) => URL.parse(address) ?? []);
  // guard S73: An `http://` address of another machine is warned of.
  const inClear = urls.filter(({ protocol, hostname }) => protocol === 'http:' && !isLoopback(hostname));
  return [...new Set(inClear.map(({ origin }) => origin))];
}
