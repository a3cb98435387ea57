import type { Service } from '../service/endpoints.ts';
import { isJsonObject } from '../json/jsonObject.ts';

/**
 * A project's own addresses in a list of `runhook.projects`; undefined if it has none. They belong together: a
 * missing one is empty, and never taken from another service.
 */
export function ownService(list: unknown, projectId: string): Service | undefined {
  const entries = Array.isArray(list) ? list.filter((one) => isOf(one, projectId)) : [];
  const services = entries.map(({ baseUrl, proxyUrl }) => ({
    baseUrl: textOf(baseUrl),
    proxyUrl: textOf(proxyUrl),
  }));
  return services.find(({ baseUrl, proxyUrl }) => baseUrl !== '' || proxyUrl !== '');
}

/** Whether a list entry is that project, whatever else it contains. */
export function isOf(entry: unknown, projectId: string): entry is Record<string, unknown> {
  return isJsonObject(entry) && textOf(entry['id']) === projectId;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
