import { type Field, type FieldName, fields } from '../../src/service/settings/appSettings.ts';

/** A JSON schema, loosely typed. */
export type JsonSchema = Record<string, unknown>;

/** The JSON schema of a `*.runhook.json`: `{"app": …, "settings": {…}}`. Source of `media/runhook.schema.json`. */
export function settingsFileSchema(): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Settings of an app, as Runhook applies them',
    type: 'object',
    required: ['app', 'settings'],
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      app: {
        type: 'string',
        minLength: 1,
        description: 'Id of the app. In the editor its name will do; runhook apply needs the id.',
      },
      project: {
        type: 'string',
        minLength: 1,
        description: 'Id of the project, where several have an app of that name.',
      },
      settings: settingsSchema(),
    },
  };
}

/** Accepts what `validate` of appSettings.ts accepts, and nothing else. */
export function settingsSchema(): JsonSchema {
  return {
    type: 'object',
    description: 'The settings to send. A setting that is not here stays as it is.',
    additionalProperties: false,
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
  };
}

/** Descriptions of the fields. They say no more than the interface document (section 2). */
const help: Readonly<Record<FieldName, string>> = {
  compute: 'The kind of compute that the app runs on.',
  gpuCount: 'Number of GPUs.',
  cpu: 'CPU allocation. Decimals are allowed.',
  memory: 'Memory allocation. Decimals are allowed.',
  minReplicaCount: 'The fewest replicas.',
  maxReplicaCount: 'The most replicas.',
  replicaConcurrency: 'Maximum concurrency per replica.',
  cooldownPeriodSeconds: 'Cooldown period of the app, in seconds.',
  responseGracePeriodSeconds: 'Grace period of a response, in seconds.',
};

/** Patterns of the whole numbers below each maximum of a decimal field. */
const below = {
  100: '[0-9]|[1-9][0-9]',
  192: '[0-9]|[1-9][0-9]|1[0-8][0-9]|19[0-1]',
};

function fieldSchema(field: Field): JsonSchema {
  const description = help[field.name];
  switch (field.kind) {
    case 'choice':
      return { type: 'string', enum: field.choices, description };
    case 'integer': {
      const { minimum, maximum = Number.MAX_SAFE_INTEGER } = field;
      return { type: 'integer', minimum, maximum, description };
    }
    case 'decimal': {
      const { maximum } = field;
      return {
        type: 'string',
        pattern: String.raw`^(?:(?:${below[maximum]})(?:\.[0-9]+)?|${maximum}(?:\.0+)?)$`,
        patternErrorMessage: `A number from 0 to ${maximum} in plain digits, as a string: "4" or "0.5".`,
        description,
      };
    }
  }
}
