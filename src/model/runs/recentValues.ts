import { parseExactly } from '../json/exactJson.ts';
import type { JsonPath } from '../json/jsonCursor.ts';
import { isJsonObject, type JsonObject } from '../json/jsonObject.ts';
import { settingsKey } from './payload.ts';
import type { RunInput } from './run.ts';

/** What recent payloads hold, for whoever writes the next one. The most recent come first. */
export class RecentValues {
  readonly #documents: readonly unknown[];

  /** @param documents JSON values, the most recent first */
  constructor(documents: readonly unknown[]) {
    this.#documents = documents;
  }

  /** What stands at a path, each once, as JSON text on one line. Every element of a list is looked at. */
  values(path: JsonPath): string[] {
    const found = this.#documents.flatMap((document) => at(document, path));
    return [...new Set(found.map((value) => JSON.stringify(value)))];
  }

  /** The keys of the objects at a path, each once, with the value that it had last, as JSON text on one line. */
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

/** A payload document such as the run was made from; its body alone where that is no object. */
export function payloadOfRun({ path, query, method, headers, body, webhook }: RunInput): unknown {
  const block = { path, ...(query && { query }), method, headers, webhook };
  const sent = body === undefined ? {} : parsed(body);
  return isObject(sent) ? { ...sent, [settingsKey]: block } : { [settingsKey]: { ...block, body: sent } };
}

/** The value of a JSON text; undefined where it is none. */
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

/** Whether it is an object of JSON. A number that kept its digits (`parseExactly`) is none. */
export function isObject(value: unknown): value is JsonObject {
  return isJsonObject(value) && !JSON.isRawJSON(value);
}
