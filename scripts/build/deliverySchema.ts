import { fixtureSchema } from '../../src/suite/fixture/fixtureSchema.ts';
import { jsonSchemaOf } from './valibotSchema.ts';

/** The JSON schema of a `*.delivery.json`: `media/delivery.schema.json` is made of it. */
export function deliverySchema(): Record<string, unknown> {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A delivery as Runhook sends it to an app, and what the app has to make of it',
    ...jsonSchemaOf(fixtureSchema),
  };
}
