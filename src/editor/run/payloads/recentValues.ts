import type { JsonPath } from '../../../shared/json/jsonCursor.ts';
import { isObject, parsed } from '../../../shared/json/exactJson.ts';
import { settingsKey } from './payload.ts';
import type { RunInput } from '../../../service/runs/run.ts';

/** The values in recent payloads, as suggestions for the next one. The most recent come first. */
export class RecentValues {
  readonly #documents: readonly unknown[];

  /** @param documents JSON values, the most recent first */
  constructor(documents: readonly unknown[]) {
    this.#documents = documents;
  }

  /** The distinct values at a path, as JSON text on one line. Every element of a list is searched. */
  values(path: JsonPath): string[] {
    const found = this.#documents.flatMap((document) => at(document, path));
    return [...new Set(found.map((value) => JSON.stringify(value)))];
  }

  /** The distinct keys of the objects at a path, each with its most recent value as JSON text on one line. */
  entries(path: JsonPath): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const object of this.#documents.flatMap((document) => at(document, path)).filter(isObject)) {
      for (const [key, value] of Object.entries(object)) {
        if (!found.has(key)) found.set(key, JSON.stringify(value));
      }
    }
    return found;
  }
}

/** A payload document for a run. A body that is not an object goes into the settings block. */
export function payloadOfRun({ path, query, method, headers, body, webhook }: RunInput): unknown {
  const block = { path, ...(query && { query }), method, headers, webhook };
  const sent = body === undefined ? {} : parsed(body);
  return isObject(sent) ? { ...sent, [settingsKey]: block } : { [settingsKey]: { ...block, body: sent } };
}

function at(value: unknown, [step, ...rest]: JsonPath): unknown[] {
  if (value === undefined) return [];
  if (step === undefined) return [value];
  if (typeof step === 'number') return Array.isArray(value) ? value.flatMap((one) => at(one, rest)) : [];
  return isObject(value) && Object.hasOwn(value, step) ? at(value[step], rest) : [];
}
