import { Refusal } from './refusal.ts';

/** Which operation a call is for (service-interface.md, section 4). */
export type Operation =
  | { kind: 'openApi' }
  | { kind: 'keys'; projectId: string; serviceAccountId: string }
  | { kind: 'app'; projectId: string; appId: string }
  /** Only in the sandbox. */
  | { kind: 'newToken'; serviceAccountId: string }
  /** Only in the sandbox: webhook attempts, of one run if the query names it. */
  | { kind: 'attempts'; runId: string | undefined }
  /** `path` begins with a slash; both it and `query` are as the caller wrote them. */
  | { kind: 'run'; projectId: string; appName: string; path: string; query: string };

/** The method of each operation; a run accepts any method. */
export const methods = {
  openApi: 'GET',
  keys: 'GET',
  app: 'PATCH',
  newToken: 'POST',
  attempts: 'GET',
  run: undefined,
} as const;

/** Whether a call needs no token: only the OpenAPI description is public. */
export function isPublic(target: string): boolean {
  return /^\/openapi\.json(\?|$)/.test(target);
}

/** @param target the request target. @throws Refusal 404 if it matches no operation */
export function operationOf(target: string): Operation {
  const [pathname = '', ...rest] = target.split('?');
  const segments = pathname.split('/').slice(1);
  const [version = '', first = '', second = '', third = '', fourth = ''] = segments;
  if (isPublic(target)) return { kind: 'openApi' };
  if (version === 'v2' && segments.length === 5) {
    if (second === 'service-accounts' && fourth === 'keys') {
      return { kind: 'keys', projectId: decode(first), serviceAccountId: decode(third) };
    }
    if (first === 'projects' && third === 'apps') {
      return { kind: 'app', projectId: decode(second), appId: decode(fourth) };
    }
  }
  if (version === 'v1' && first === 'sandbox') {
    if (second === 'attempts' && segments.length === 3) {
      return { kind: 'attempts', runId: new URLSearchParams(rest.join('?')).get('runId') ?? undefined };
    }
    if (second === 'service-accounts' && fourth === 'tokens' && segments.length === 5) {
      return { kind: 'newToken', serviceAccountId: decode(third) };
    }
  }
  if (version === 'v4' && segments.length >= 3) {
    return {
      kind: 'run',
      projectId: decode(first),
      appName: decode(second),
      path: `/${segments.slice(3).join('/')}`,
      query: rest.join('?'),
    };
  }
  throw new Refusal(404, `There is nothing at ${pathname}.`);
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Refusal(400, `"${segment}" is not well encoded.`);
  }
}
