import { type FieldName, fields } from './appSettings.ts';
import { bareName } from '../json/jsonObject.ts';

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
