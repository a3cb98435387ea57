import type { Command } from '../../src/contract/commands.ts';
import { settingsSchema } from '../build/settingsSchema.ts';
import type { JsonSchema } from '../build/jsonSchema.ts';
import { fieldsOf, publishedCommands } from './commandTable.ts';

/**
 * The JSON schema of each command's `args` in keybindings.json, and in inputs of tasks.json and launch.json. It adds to
 * the editor's own schemas of these files.
 */
export function keybindingsSchema(): JsonSchema {
  const idsByArguments = new Map<string, string[]>();
  for (const command of publishedCommands) {
    const text = JSON.stringify(argsSchema(command));
    idsByArguments.set(text, [...(idsByArguments.get(text) ?? []), command.id]);
  }
  const rules = [...idsByArguments].map(([args, ids]) => ({
    if: { properties: { command: { enum: ids } }, required: ['command'] },
    then: { properties: { args: JSON.parse(args) as JsonSchema } },
  }));
  const entry = { $ref: '#/definitions/entry' };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    definitions: { entry: { allOf: rules } },
    // keybindings.json is a list; the other two have `inputs`.
    items: entry,
    properties: { inputs: { items: entry } },
  };
}

function argsSchema(command: Command): JsonSchema {
  const { properties, required } = fieldsOf(command);
  const shown = Object.entries(properties).flatMap(([name, schema]) => {
    const written = writtenSchema(name, schema);
    return written === undefined ? [] : [[name, written] as const];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(shown),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** Undefined for what no file can contain, or should not: tokens and secrets, which the command asks for. */
function writtenSchema(name: string, { description = '', ...schema }: JsonSchema): JsonSchema | undefined {
  const documented = { description: description.replaceAll('`', '') };
  if (name === 'signal') return undefined;
  if (name === 'settings') return { ...settingsSchema(), ...documented };
  if (name !== 'token' && name !== 'secret') return { ...schema, ...documented };
  const options = (schema.anyOf ?? []).filter(({ type }) => type !== 'string');
  return options.length === 0 ? undefined : { enum: options.map((one) => one.const), ...documented };
}
