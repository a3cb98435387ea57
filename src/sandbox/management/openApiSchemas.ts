import { maxAttempts } from '../../model/service/retryPolicy.ts';
import { settingsSchema } from '../../model/settings/appSettingsSchema.ts';

const text = { type: 'string' };
const dateTime = { type: 'string', description: 'ISO 8601, UTC.' };

/** What the sandbox answers and sends. The interface document shows none of these shapes. */
export const schemas = {
  AppSettings: settingsSchema(),
  Keys: {
    type: 'object',
    required: ['keys'],
    properties: {
      keys: {
        type: 'array',
        items: {
          type: 'object',
          required: ['id', 'name', 'createdAt'],
          properties: {
            id: text,
            name: text,
            createdAt: dateTime,
            expiresAt: { ...dateTime, description: 'ISO 8601, UTC; absent where the key does not expire.' },
          },
        },
      },
    },
  },
  Attempts: {
    type: 'object',
    required: ['attempts'],
    properties: {
      attempts: {
        type: 'array',
        items: {
          type: 'object',
          required: ['runId', 'appName', 'requestId', 'to', 'at', 'number', 'durationMs', 'outcome'],
          properties: {
            runId: text,
            appName: text,
            requestId: { type: 'string', description: 'The X-Request-Id of the webhook.' },
            to: { type: 'string', description: 'Where it went, without the query.' },
            at: dateTime,
            number: { type: 'integer', minimum: 1, maximum: maxAttempts },
            durationMs: { type: 'number' },
            status: { type: 'integer', description: 'What it was answered.' },
            error: { type: 'string', description: 'Why it was not answered.' },
            outcome: { enum: ['delivered', 'retry', 'givenUp'] },
            nextInMs: { type: 'number', description: 'How long after it the next one follows.' },
            cutFrom: {
              type: 'integer',
              description: 'How long the answer of the app was, in bytes, where it was cut.',
            },
          },
          additionalProperties: false,
        },
      },
    },
  },
  NewToken: {
    type: 'object',
    required: ['id', 'name', 'token', 'createdAt', 'expiresAt'],
    properties: { id: text, name: text, token: text, createdAt: dateTime, expiresAt: dateTime },
  },
  Run: {
    type: 'object',
    description:
      'What the proxy returns for a call: the direct answer of a built-in app, and the body of each webhook.',
    required: ['run_id', 'app_name', 'status', 'result', 'timestamp'],
    properties: {
      run_id: text,
      app_name: text,
      status: { type: 'integer', description: 'The status that the app answered.' },
      result: { description: 'The answer of the app: JSON where it is JSON, else its text, else base64.' },
      result_encoding: { const: 'base64' },
      truncated: {
        const: true,
        description:
          'The answer is cut, so that the webhook is no longer than 10 MiB: the result is a string that holds its beginning.',
      },
      result_bytes: { type: 'integer', description: 'How long the answer was that is cut, in bytes.' },
      error: { type: 'string', description: 'Why the answer is not whole.' },
      timestamp: { type: 'integer', description: 'Unix seconds.' },
    },
  },
  Error: {
    type: 'object',
    required: ['message'],
    properties: {
      message: text,
      errors: {
        type: 'array',
        description: 'One entry for each field that does not fit.',
        items: { type: 'object', required: ['field', 'message'], properties: { field: text, message: text } },
      },
    },
  },
};
