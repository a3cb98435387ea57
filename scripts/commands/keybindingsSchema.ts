import { settingsSchema } from '../../src/model/settings/appSettingsSchema.ts';
import type { Field, Shape } from './commandTypes.ts';
import type { CommandEntry } from './commandTable.ts';

type JsonSchema = Record<string, unknown>;

/**
 * The JSON schema of each command's `args` in keybindings.json, and in inputs of tasks.json and launch.json. It adds to
 * the editor's own schemas of these files.
 */
export function keybindingsSchema(entries: readonly CommandEntry[]): JsonSchema {
  const idsByArguments = new Map<string, string[]>();
  for (const { id, fields } of entries) {
    const text = JSON.stringify(objectSchema(fields.filter(canBeWritten)));
    idsByArguments.set(text, [...(idsByArguments.get(text) ?? []), id]);
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

/** Whether a file can contain a field: an `AbortSignal` has no JSON. */
function canBeWritten({ name }: Field): boolean {
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

/** Undefined for tokens and secrets, which should not be in a file: the command asks for them. */
function fieldSchema({ name, shape, meaning }: Field): JsonSchema | undefined {
  const description = meaning.replaceAll('`', '');
  const documented = description === '' ? {} : { description };
  if (name === 'settings') return { ...settingsSchema(), ...documented };
  if (name !== 'token' && name !== 'secret') return { ...schemaOf(shape), ...documented };
  const options = shape.kind === 'oneOf' ? shape.options.filter(({ kind }) => kind !== 'text') : [];
  return options.length === 0 ? undefined : { ...schemaOf({ kind: 'oneOf', options }), ...documented };
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
