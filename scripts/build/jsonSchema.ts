import type * as v from 'valibot';

/** A JSON schema, with the keywords that are read by name. */
export interface JsonSchema {
  type?: string;
  title?: string;
  description?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | false;
  minimum?: number;
  maximum?: number;
  [keyword: string]: unknown;
}

type Schema = v.GenericSchema & Record<string, unknown>;
interface Action {
  kind: 'schema' | 'validation' | 'transformation' | 'metadata';
  type: string;
  requirement?: unknown;
  description?: string;
  title?: string;
  metadata?: JsonSchema;
}

/**
 * Converts a valibot schema to JSON schema. Custom checks have no equivalent; only their metadata is used.
 * @param unsaid types of checks that are left out
 */
export function jsonSchemaOf(schema: v.GenericSchema, unsaid: readonly string[] = []): JsonSchema {
  const one = schema as Schema;
  const inner = (of: unknown) => jsonSchemaOf(of as Schema, unsaid);
  if ('pipe' in one) {
    const [first, ...actions] = one['pipe'] as [Schema, ...Action[]];
    const said = actions.filter(({ type }) => !unsaid.includes(type));
    const parts = said.map((action) =>
      action.kind === 'schema' ? inner(action) : actionSchema(action, one.type),
    );
    return Object.assign(inner(first), ...parts) as JsonSchema;
  }
  switch (one.type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return { type: one.type };
    case 'custom':
    case 'unknown':
      return {};
    case 'literal':
      return { const: one['literal'] };
    case 'picklist':
      return { enum: one['options'] as unknown[] };
    case 'union':
      return { anyOf: (one['options'] as Schema[]).map(inner) };
    case 'nullable':
      return { anyOf: [inner(one['wrapped']), { type: 'null' }] };
    case 'array':
      return { type: 'array', items: inner(one['item']) };
    case 'record': {
      const key = inner(one['key']);
      const propertyNames = Object.keys(key).length > 1 ? { propertyNames: key } : {};
      return { type: 'object', ...propertyNames, additionalProperties: inner(one['value']) };
    }
    case 'optional':
    case 'exact_optional':
      return inner(one['wrapped']);
    case 'object':
    case 'strict_object':
      return objectSchema(one['entries'] as Record<string, Schema>, inner);
    default:
      throw new Error(`Unsupported schema: ${one.type}`);
  }
}

function objectSchema(entries: Record<string, Schema>, inner: (of: Schema) => JsonSchema): JsonSchema {
  const required = Object.entries(entries).filter(([, { type }]) => !type.endsWith('optional'));
  return {
    type: 'object',
    ...(required.length > 0 && { required: required.map(([name]) => name) }),
    additionalProperties: false,
    properties: Object.fromEntries(Object.entries(entries).map(([name, one]) => [name, inner(one)])),
  };
}

/** The JSON schema of an action in a pipe. @param of the type of the pipe's first schema */
function actionSchema({ type, requirement, description, title, metadata }: Action, of: string): JsonSchema {
  const isList = of === 'array';
  switch (type) {
    case 'description':
      return { description };
    case 'title':
      return { title };
    case 'metadata':
      return { ...metadata };
    case 'regex':
      return { pattern: (requirement as RegExp).source };
    case 'integer':
      return { type: 'integer' };
    case 'min_value':
      return { minimum: requirement as number };
    case 'max_value':
      return { maximum: requirement as number };
    case 'non_empty':
      return isList ? { minItems: 1 } : { minLength: 1 };
    case 'min_length':
      return isList ? { minItems: requirement } : { minLength: requirement };
    case 'max_length':
      return isList ? { maxItems: requirement } : { maxLength: requirement };
    case 'max_entries':
      return { maxProperties: requirement };
    case 'check':
    case 'trim':
      return {};
    default:
      throw new Error(`Unsupported action: ${type}`);
  }
}
