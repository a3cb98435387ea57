import { type FieldName, fields } from './appSettings.ts';

/**
 * The fields that an error answer names. Its format is not shown (service-interface.md, section 7), so any
 * mention counts, in camel or snake case.
 */
export function namedFields(text: string): FieldName[] {
  const words = new Set(text.match(/[A-Za-z_]+/g)?.map(plain));
  // "CPU" and "memory" are also words of sentences: they count as they are spelled in a body.
  const spelled = new Set(text.match(/[A-Za-z_]+/g));
  return fields
    .map(({ name }) => name)
    .filter((name) => (/[A-Z]/.test(name) ? words.has(plain(name)) : spelled.has(name)));
}

function plain(word: string): string {
  return word.replaceAll('_', '').toLowerCase();
}
