/**
 * What the SDK takes of a platform. It would bundle a validator of JSON schemas (150 KB) for what no tool here has: inputs
 * are checked by the schemas of the tools, and no tool returns structured content.
 */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('No tool has a schema of its output.');
  }
}

export { default as process } from 'node:process';
