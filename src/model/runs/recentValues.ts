import { parseExactly } from '../json/exactJson.ts';
import type { JsonPath } from '../json/jsonCursor.ts';
import { isJsonObject, type JsonObject } from '../json/jsonObject.ts';
import { settingsKey } from './payload.ts';
import type { RunInput } from './run.ts';

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

/** The value of a JSON text; undefined if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}

function at(value: unknown, [step, ...rest]: JsonPath): unknown[] {
  if (value === undefined) return [];
  if (step === undefined) return [value];
  if (typeof step === 'number') return Array.isArray(value) ? value.flatMap((one) => at(one, rest)) : [];
  return isObject(value) && Object.hasOwn(value, step) ? at(value[step], rest) : [];
}

/** Whether a value is a JSON object. A number that kept its digits (`parseExactly`) is not. */
export function isObject(value: unknown): value is JsonObject {
  return isJsonObject(value) && !JSON.isRawJSON(value);
}
