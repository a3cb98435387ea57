import { settingsSchema } from '../../src/model/settings/appSettingsSchema.ts';
import type { Field, Shape } from './commandTypes.ts';
import type { CommandEntry } from './commandTable.ts';

type JsonSchema = Record<string, unknown>;

/**
 * What the `args` of a keybinding, or of an input of tasks.json and launch.json, may hold for each command. The
 * editor has a schema of its own for the rest.
 */
export function keybindingsSchema(entries: readonly CommandEntry[]): JsonSchema {
  const ofArguments = new Map<string, string[]>();
  for (const { id, fields } of entries) {
    const text = JSON.stringify(objectSchema(fields.filter(isWritten)));
    ofArguments.set(text, [...(ofArguments.get(text) ?? []), id]);
  }
  const rules = [...ofArguments].map(([args, ids]) => ({
    if: { properties: { command: { enum: ids } }, required: ['command'] },
    then: { properties: { args: JSON.parse(args) as JsonSchema } },
  }));
  const entry = { $ref: '#/definitions/entry' };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    definitions: { entry: { allOf: rules } },
    // Of keybindings.json, and of the other two.
    items: entry,
    properties: { inputs: { items: entry } },
  };
}

/** An object of the editor's memory is nothing that a file can hold. */
function isWritten({ name }: Field): boolean {
  return name !== 'signal';
}

function objectSchema(fields: readonly Field[]): JsonSchema {
  const shown = fields.flatMap((field) => {
    const schema = fieldSchema(field);
    return schema === undefined ? [] : [[field.name, schema] as const];
  });
  const required = fields.filter(({ isOptional }) => !isOptional).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(shown),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** Undefined for tokens and secrets: a file is no place for them, and the command asks. */
function fieldSchema({ name, shape, meaning }: Field): JsonSchema | undefined {
  const description = meaning.replaceAll('`', '');
  const said = description === '' ? {} : { description };
  if (name === 'settings') return { ...settingsSchema(), ...said };
  if (name !== 'token' && name !== 'secret') return { ...schemaOf(shape), ...said };
  const options = shape.kind === 'oneOf' ? shape.options.filter(({ kind }) => kind !== 'text') : [];
  return options.length === 0 ? undefined : { ...schemaOf({ kind: 'oneOf', options }), ...said };
}

function schemaOf(shape: Shape): JsonSchema {
  switch (shape.kind) {
    case 'any':
      return {};
    case 'text':
      return { type: 'string' };
    case 'flag':
      return { type: 'boolean' };
    case 'null':
      return { type: 'null' };
    case 'number':
    case 'integer': {
      const { kind: type, ...limits } = shape;
      return { type, ...limits };
    }
    case 'literal':
      return { enum: [shape.value] };
    case 'list':
      return { type: 'array', items: schemaOf(shape.item) };
    case 'record':
      return { type: 'object', additionalProperties: schemaOf(shape.value) };
    case 'object':
      return objectSchema(shape.fields);
    case 'oneOf': {
      const values = shape.options.flatMap((one) => (one.kind === 'literal' ? [one.value] : []));
      return values.length === shape.options.length
        ? { enum: values }
        : { anyOf: shape.options.map(schemaOf) };
    }
  }
}
