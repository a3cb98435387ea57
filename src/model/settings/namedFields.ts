import { type FieldName, fields } from './appSettings.ts';
import { bareName } from '../json/jsonObject.ts';

/**
 * The fields that an error answer names. Its format is not shown (service-interface.md, section 7), so any
 * mention counts, in camel or snake case.
 */
export function namedFields(text: string): FieldName[] {
  // "CPU" and "memory" are also words of sentences: they count as they are spelled in a body.
  const spelled = new Set<string>(text.match(/[A-Za-z_]+/g));
  const words = new Set([...spelled].map(bareName));
  return fields
    .map(({ name }) => name)
    .filter((name) => (/[A-Z]/.test(name) ? words.has(bareName(name)) : spelled.has(name)));
}
