import type * as v from 'valibot';
import { fixtureSchema } from '../../src/suite/fixture/fixtureSchema.ts';

type JsonSchema = Record<string, unknown>;
type Schema = v.GenericSchema & Record<string, unknown>;
interface Action {
  kind: 'schema' | 'validation' | 'metadata';
  type: string;
  requirement?: unknown;
  description?: string;
  metadata?: JsonSchema;
}

/** The JSON schema of a `*.delivery.json`, which is written to `media/delivery.schema.json`. */
export function deliverySchema(): Record<string, unknown> {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A delivery as Runhook sends it to an app, and what the app has to make of it',
    ...jsonSchemaOf(fixtureSchema),
  };
}

/** Converts a valibot schema to JSON schema. Custom checks have no equivalent; only their metadata is used. */
function jsonSchemaOf(schema: v.GenericSchema): JsonSchema {
  const one = schema as Schema;
  if (!('pipe' in one)) return plainSchema(one);
  const [first, ...actions] = one['pipe'] as [Schema, ...Action[]];
  const parts = actions.map((action) =>
    action.kind === 'schema' ? jsonSchemaOf(action as never) : actionSchema(action, one.type),
  );
  return Object.assign(jsonSchemaOf(first), ...parts) as JsonSchema;
}

function plainSchema(schema: Schema): JsonSchema {
  switch (schema.type) {
    case 'string':
    case 'number':
      return { type: schema.type };
    case 'custom':
    case 'unknown':
      return {};
    case 'literal':
      return { const: schema['literal'] };
    case 'picklist':
      return { enum: schema['options'] };
    case 'union':
      return { anyOf: (schema['options'] as Schema[]).map(jsonSchemaOf) };
    case 'array':
      return { type: 'array', items: jsonSchemaOf(schema['item'] as Schema) };
    case 'record':
      return {
        type: 'object',
        propertyNames: jsonSchemaOf(schema['key'] as Schema),
        additionalProperties: jsonSchemaOf(schema['value'] as Schema),
      };
    case 'optional':
    case 'exact_optional':
      return jsonSchemaOf(schema['wrapped'] as Schema);
    case 'strict_object':
      return objectSchema(schema['entries'] as Record<string, Schema>);
    default:
      throw new Error(`Unsupported schema: ${schema.type}`);
  }
}

function objectSchema(entries: Record<string, Schema>): JsonSchema {
  const required = Object.entries(entries).filter(([, { type }]) => !type.endsWith('optional'));
  return {
    type: 'object',
    ...(required.length > 0 && { required: required.map(([name]) => name) }),
    additionalProperties: false,
    properties: Object.fromEntries(Object.entries(entries).map(([name, one]) => [name, jsonSchemaOf(one)])),
  };
}

/** The JSON schema of an action in a pipe. @param of the type of the pipe's first schema */
function actionSchema({ type, requirement, description, metadata }: Action, of: string): JsonSchema {
  const isList = of === 'array';
  switch (type) {
    case 'description':
      return { description };
    case 'metadata':
      return { ...metadata };
    case 'regex':
      return { pattern: (requirement as RegExp).source };
    case 'integer':
      return { type: 'integer' };
    case 'min_value':
      return { minimum: requirement };
    case 'max_value':
      return { maximum: requirement };
    case 'non_empty':
      return isList ? { minItems: 1 } : { minLength: 1 };
    case 'min_length':
      return isList ? { minItems: requirement } : { minLength: requirement };
    case 'max_length':
      return isList ? { maxItems: requirement } : { maxLength: requirement };
    case 'max_entries':
      return { maxProperties: requirement };
    case 'check':
      return {};
    default:
      throw new Error(`Unsupported action: ${type}`);
  }
}
