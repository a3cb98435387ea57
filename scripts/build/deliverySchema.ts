import { fixtureSchema } from '../../src/suite/fixture/fixtureSchema.ts';
import { type JsonSchema, jsonSchemaOf } from './jsonSchema.ts';

/** The JSON schema of a `*.delivery.json`, which is written to `media/delivery.schema.json`. */
export function deliverySchema(): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A delivery as Runhook sends it to your handler, and the response it expects',
    ...jsonSchemaOf(fixtureSchema),
  };
}
