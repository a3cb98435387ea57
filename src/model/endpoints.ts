import { inEnglish, type Translate } from './translate.ts';
import { UserError } from './userError.ts';

/** The two addresses of the service: the management API's and the run proxy's (service-interface.md, section 1). */
export interface Service {
  baseUrl: string;
  proxyUrl: string;
}

function join(base: string, path: string, t: Translate): URL {
  if (base === '') {
    throw new UserError(
      t(
        'No address of the service is set. Set "runhook.baseUrl" and "runhook.proxyUrl", or try the sandbox (Runhook: Start Sandbox).',
      ),
    );
  }
  const url = parseHttpUrl(base, t);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`;
  url.search = '';
  url.hash = '';
  return url;
}

/** An id as one path segment. A URL cannot hold `.` or `..` as a segment, however they are encoded. */
function segment(id: string, t: Translate): string {
  if (id === '' || id === '.' || id === '..' || !id.isWellFormed()) {
    throw new UserError(t('"{0}" cannot be an id or a name: no address can hold it.', id));
  }
  return encodeURIComponent(id);
}

/** An absolute http or https URL. @throws UserError for anything else. */
export function parseHttpUrl(text: string, t: Translate = inEnglish): URL {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new UserError(t('"{0}" is not an http or https address.', text));
  }
  return url;
}

/** GET: the keys of a service account (section 4.1). */
export function keysUrl(
  baseUrl: string,
  projectId: string,
  serviceAccountId: string,
  t: Translate = inEnglish,
): URL {
  const path = `v2/${segment(projectId, t)}/service-accounts/${segment(serviceAccountId, t)}/keys`;
  return join(baseUrl, path, t);
}

/** PATCH: an app's settings (section 4.2). */
export function appUrl(baseUrl: string, projectId: string, appId: string, t: Translate = inEnglish): URL {
  return join(baseUrl, `v2/projects/${segment(projectId, t)}/apps/${segment(appId, t)}`, t);
}

/**
 * A call to an app through the proxy (section 4.3).
 * @param path what follows the app's name, as it stands in a URL: `run`, `v1/chat?stream=1`
 * @param webhookEndpoint an absolute URL that receives the result; encoded once, here
 */
export function runUrl(
  proxyUrl: string,
  projectId: string,
  appName: string,
  path: string,
  webhookEndpoint?: string,
  t: Translate = inEnglish,
): URL {
  const app = `v4/${segment(projectId, t)}/${segment(appName, t)}`;
  const [pathname = '', ...query] = path.replace(/^\/+/, '').split('?');
  if (/(^|[\\/])(\.|%2e){1,2}($|[\\/])/i.test(pathname)) {
    throw new UserError(t('The path "{0}" leaves the app: "." and ".." cannot be parts of it.', path));
  }
  const url = join(proxyUrl, `${app}/${pathname}`, t);
  url.search = query.join('?');
  if (webhookEndpoint !== undefined) {
    url.searchParams.append('webhookEndpoint', parseHttpUrl(webhookEndpoint, t).href);
  }
  return url;
}
