import type { Service } from '../service/endpoints.ts';
import { isJsonObject } from '../json/jsonObject.ts';

/**
 * The own addresses of the projects in a list of `runhook.projects`, by project id. Those of a project belong together:
 * a missing one is empty, and never taken from another service.
 */
export function ownServices(list: unknown): Map<string, Service> {
  const services = new Map<string, Service>();
  for (const entry of Array.isArray(list) ? list : []) {
    if (!isJsonObject(entry)) continue;
    const id = textOf(entry['id']);
    const service = { baseUrl: textOf(entry['baseUrl']), proxyUrl: textOf(entry['proxyUrl']) };
    const isSet = service.baseUrl !== '' || service.proxyUrl !== '';
    if (isSet && !services.has(id)) services.set(id, service);
  }
  return services;
}

/** Whether a list entry is that project, whatever else it contains. */
export function isOf(entry: unknown, projectId: string): entry is Record<string, unknown> {
  return isJsonObject(entry) && textOf(entry['id']) === projectId;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
