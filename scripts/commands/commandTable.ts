import type { CommandRow } from '../../src/contract/commandRow.ts';
import { allCommands } from '../../src/contract/commands.ts';
import { type JsonSchema, jsonSchemaOf } from '../build/jsonSchema.ts';

/** The commands that a person would bind to a key, or that others call by the contract. */
export const publishedCommands = allCommands.filter(
  ({ title, palette, published }) => published || (title !== undefined && palette !== false),
);

/** The JSON schemas of the fields of an argument, and the names of those that have to be there. */
export function fieldsOf({ argument }: CommandRow): Required<Pick<JsonSchema, 'properties' | 'required'>> {
  // Lengths are left out: the command itself says what is missing.
  const schema = argument === undefined ? {} : jsonSchemaOf(argument, ['non_empty', 'max_length', 'regex']);
  return { properties: schema.properties ?? {}, required: schema.required ?? [] };
}
