import { appPath, serviceUrl } from '../service/endpoints.ts';
import { plainText } from '../text/plainText.ts';
import type { KeptAnswer } from './keptAnswer.ts';
import type { RunInput } from './run.ts';
import type { RunUrl } from './runUrl.ts';

/** The addresses of a call as its answer shows and keeps them: the address as written, and where the result goes. */
export type ToldAddresses = Pick<KeptAnswer, 'url' | 'results'>;

export interface AddressedCall {
  /** The call without the webhook address, and with it. */
  written: RunUrl;
  url: RunUrl;
  proxyUrl: string;
  /** The call as written in its payload, if the values of its variables must not be kept. */
  kept?: RunInput | undefined;
}

export function toldAddresses({ written, url, proxyUrl, kept }: AddressedCall): ToldAddresses {
  const results = url.resultAddresses.map(({ href }) => href);
  if (kept === undefined) return { url: written.href, results };
  const targets = typeof kept.webhook === 'string' ? [plainText(kept.webhook, 1000)] : results;
  // A result address in the query is already part of the URL as written.
  return { url: asWritten(proxyUrl, kept), results: written.resultAddresses.length > 0 ? [] : targets };
}

/** The URL as written in the payload, for people to read. */
function asWritten(proxyUrl: string, { projectId, appName, path, query = {} }: RunInput): string {
  const parameters = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((one) => `${name}=${String(one)}`),
  );
  const separator = parameters.length === 0 ? '' : path.includes('?') ? '&' : '?';
  const { href } = serviceUrl(proxyUrl, appPath(projectId, appName));
  return plainText(`${href}${path.replace(/^\//, '')}${separator}${parameters.join('&')}`, 1000);
}
