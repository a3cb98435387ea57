import type { Service } from '../service/endpoints.ts';
import { isJsonObject } from '../json/jsonObject.ts';

/**
 * The addresses that a list of `runhook.projects` gives to one project of its own; undefined where it gives none.
 * They belong together: where one is not given it is empty, and never that of another service.
 */
export function ownService(list: unknown, projectId: string): Service | undefined {
  const entries = Array.isArray(list) ? list.filter((one) => isOf(one, projectId)) : [];
  const services = entries.map(({ baseUrl, proxyUrl }) => ({
    baseUrl: textOf(baseUrl),
    proxyUrl: textOf(proxyUrl),
  }));
  return services.find(({ baseUrl, proxyUrl }) => baseUrl !== '' || proxyUrl !== '');
}

/** Whether an entry of the list is that project, whatever else is in it. */
export function isOf(entry: unknown, projectId: string): entry is Record<string, unknown> {
  return isJsonObject(entry) && textOf(entry['id']) === projectId;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
