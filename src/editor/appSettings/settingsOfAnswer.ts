import {
  type AppSettings,
  type Field,
  type FieldName,
  fields,
  problemOf,
} from '../../service/settings/appSettings.ts';
import { bareName, isJsonObject } from '../../shared/json/jsonObject.ts';

/** How deeply settings may be nested in a response: `{data: {app: {settings: {…}}}}`. */
const deepest = 3;

/**
 * Reads the settings in the response to a PATCH. The interface document does not show its shape
 * (service-interface.md, section 4.2), so they may be at the top level or nested, in snake or camel case, with
 * `cpu` and `memory` as numbers, the others as text. Invalid values are left out.
 */
export function settingsOfAnswer(answer: unknown): AppSettings {
  let level = [answer];
  for (let depth = 0; depth <= deepest && level.length > 0; depth += 1) {
    const objects = level.filter(isJsonObject);
    for (const object of objects) {
      const found = settingsIn(object);
      if (Object.keys(found).length > 0) return found;
    }
    level = objects.flatMap((object) => Object.values(object));
  }
  return {};
}

function settingsIn(object: Record<string, unknown>): AppSettings {
  const entries = Object.entries(object);
  const found = fields.flatMap((field) => {
    const entry = entries.find(([name]) => bareName(name) === bareName(field.name));
    const value = entry === undefined ? undefined : onTheWire(field, entry[1]);
    return value === undefined || problemOf(field, value) !== undefined ? [] : [[field.name, value] as const];
  });
  return Object.fromEntries(found);
}

function onTheWire(field: Field, value: unknown): unknown {
  if (field.kind === 'decimal' && typeof value === 'number') return value.toString();
  const isDigits =
    field.kind === 'integer' && typeof value === 'string' && /^\s*\d+(?:\.0+)?\s*$/.test(value);
  return isDigits ? Number(value) : value;
}

/**
 * The fields that an error response names. The interface document does not show its format
 * (service-interface.md, section 7), so any mention counts, in camel or snake case.
 */
export function namedFields(text: string): FieldName[] {
  // "CPU" and "memory" are also ordinary words: they count only as spelled in a body, `cpu` and `memory`.
  const spelled = new Set<string>(text.match(/[A-Za-z_]+/g));
  const words = new Set([...spelled].map(bareName));
  return fields
    .map(({ name }) => name)
    .filter((name) => (/[A-Z]/.test(name) ? words.has(bareName(name)) : spelled.has(name)));
}
