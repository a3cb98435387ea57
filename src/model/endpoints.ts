import { UserError } from './userError.ts';

/** The two addresses of the service: the management API's and the run proxy's (service-interface.md, section 1). */
export interface Service {
  baseUrl: string;
  proxyUrl: string;
}

function join(base: string, path: string): URL {
  if (base === '') {
    throw new UserError(
      'No address of the service is set. Set "runhook.baseUrl" and "runhook.proxyUrl", or try the sandbox (Runhook: Start Sandbox).',
    );
  }
  const url = parseHttpUrl(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`;
  url.search = '';
  url.hash = '';
  return url;
}

/** An id as one path segment. A URL cannot hold `.` or `..` as a segment, however they are encoded. */
function segment(what: string, id: string): string {
  if (id === '' || id === '.' || id === '..' || !id.isWellFormed()) {
    throw new UserError(`"${id}" cannot be ${what}.`);
  }
  return encodeURIComponent(id);
}

/** An absolute http or https URL. @throws UserError for anything else. */
export function parseHttpUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new UserError(`"${text}" is not an http or https address.`);
  }
  return url;
}

/** GET: the keys of a service account (section 4.1). */
export function keysUrl(baseUrl: string, projectId: string, serviceAccountId: string): URL {
  const project = segment('a project id', projectId);
  const account = segment('a service account id', serviceAccountId);
  return join(baseUrl, `v2/${project}/service-accounts/${account}/keys`);
}

/** PATCH: an app's settings (section 4.2). */
export function appUrl(baseUrl: string, projectId: string, appId: string): URL {
  return join(
    baseUrl,
    `v2/projects/${segment('a project id', projectId)}/apps/${segment('an app id', appId)}`,
  );
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
): URL {
  const app = `v4/${segment('a project id', projectId)}/${segment('an app name', appName)}`;
  const [pathname = '', ...query] = path.replace(/^\/+/, '').split('?');
  if (/(^|[\\/])(\.|%2e){1,2}($|[\\/])/i.test(pathname)) {
    throw new UserError(`The path "${path}" leaves the app: "." and ".." cannot be parts of it.`);
  }
  const url = join(proxyUrl, `${app}/${pathname}`);
  url.search = query.join('?');
  if (webhookEndpoint !== undefined) {
    url.searchParams.append('webhookEndpoint', parseHttpUrl(webhookEndpoint).href);
  }
  return url;
}
