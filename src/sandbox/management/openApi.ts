import { sandboxFaults } from '../../model/service/sandboxFault.ts';
import { schemas } from './openApiSchemas.ts';

const json = (schema: keyof typeof schemas, more: object = {}) => ({
  'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, ...more },
});
const answer = (description: string, schema: keyof typeof schemas, headers?: object) => ({
  description,
  ...(headers && { headers }),
  content: json(schema),
});
const header = (description: string, type = 'string') => ({ description, required: true, schema: { type } });
const refused = (...statuses: (keyof typeof refusals)[]) =>
  Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${refusals[status]}` }]),
  );
const refusals = {
  400: 'NotUnderstood',
  401: 'NoValidToken',
  403: 'NotAllowed',
  404: 'Unknown',
  405: 'OtherMethod',
  413: 'TooLarge',
  429: 'TooMany',
  500: 'Failed',
} as const;

const parameter = (place: 'path' | 'query' | 'header', name: string, description: string, more: object) => ({
  name,
  in: place,
  required: place === 'path',
  description,
  schema: { type: 'string' },
  ...more,
});
const projectId = (name: string) => parameter('path', name, 'A project.', { example: 'p-sandbox' });
const fault = {
  $ref: '#/components/parameters/Fault',
};
const bearer = { security: [{ bearer: [] }] };

const listKeys = {
  operationId: 'listKeys',
  summary: 'List tokens of a service account',
  ...bearer,
  parameters: [
    projectId('projectId'),
    parameter('path', 'service_account_id', 'A service account of the project.', { example: 'sa-ci' }),
    fault,
  ],
  responses: { 200: answer('OK', 'Keys'), ...refused(400, 401, 403, 404, 405, 429, 500) },
};

/** An example of a request, and the status of its answer where it is not 200. */
const example = (summary: string, value: unknown, status = 200) => ({ summary, value, 'x-answer': status });

const modifyApp = {
  operationId: 'modifyApp',
  summary: 'Modify an app',
  ...bearer,
  parameters: [
    projectId('project_id'),
    parameter('path', 'app_id', 'An app of the project.', { example: 'app-hello' }),
    fault,
  ],
  requestBody: {
    required: true,
    content: json('AppSettings', {
      examples: {
        gpu: example('A GPU app', { compute: 'ADA_L40', gpuCount: 2, cpu: '4', memory: '16.5' }),
        scaling: example('Scaling', { minReplicaCount: 0, maxReplicaCount: 3, cooldownPeriodSeconds: 60 }),
        outOfRange: example('Out of range', { gpuCount: 9, memory: '193' }, 422),
      },
    }),
  },
  responses: {
    200: answer('OK. The settings that have been applied so far.', 'AppSettings'),
    ...refused(400, 401, 403, 404, 405, 413, 429, 500),
    415: answer('The body is not sent as application/json.', 'Error', {
      'Accept-Patch': header('What is taken instead.'),
    }),
    422: answer('Settings that do not fit, each with a message.', 'Error'),
  },
};

const runApp = {
  operationId: 'runApp',
  summary: 'Run an app through the proxy, with webhook forwarding',
  description:
    'Any method, any path after the name of the app and any further query parameters are taken as well, and reach the app as they are.',
  ...bearer,
  parameters: [
    projectId('project_id'),
    parameter('path', 'app_name', 'The name of an app.', { example: 'hello' }),
    parameter(
      'query',
      'webhookEndpoint',
      'An absolute http or https address that receives the result by POST.',
      {
        schema: { type: 'string', format: 'uri' },
      },
    ),
    parameter('header', 'X-Webhook-Secret', 'Signs the webhook.', {}),
    fault,
  ],
  requestBody: {
    content: {
      'application/json': {
        schema: {},
        examples: { greeting: example('Any JSON', { prompt: 'Good morning' }) },
      },
    },
  },
  responses: {
    200: answer('What the proxy returns for the call.', 'Run', { 'X-Run-Id': header('The id of the run.') }),
    ...refused(400, 401, 403, 404, 413),
    502: answer('Your own app did not answer.', 'Run'),
    default: { description: 'Whatever else the app answers is passed on.' },
  },
  callbacks: {
    webhook: { '{$request.query.webhookEndpoint}': { $ref: '#/components/pathItems/Webhook' } },
  },
};

const newToken = {
  operationId: 'newToken',
  summary: 'Make a further token of a service account',
  description:
    'The sandbox alone has this: at the service a token is made in the web dashboard. No fault befalls it.',
  ...bearer,
  parameters: [
    parameter('path', 'service_account_id', 'A service account of the project.', {
      example: 'sa-production',
    }),
  ],
  responses: { 200: answer('The token, which is shown this once.', 'NewToken'), ...refused(401, 404, 405) },
};

const attempts = {
  operationId: 'attempts',
  summary: 'List the attempts to deliver webhooks',
  description: 'The sandbox alone has this. It keeps the last 1,000. No fault befalls it.',
  ...bearer,
  parameters: [parameter('query', 'runId', 'Those of one run alone.', {})],
  responses: { 200: answer('The attempts, the oldest first.', 'Attempts'), ...refused(401, 405) },
};

const webhook = {
  operationId: 'webhook',
  summary: 'A webhook',
  description:
    'Three attempts in all, up to 5 seconds apart. Repeated are network errors, time-outs, 404 and answers that are neither 2xx, 4xx nor 5xx. The signature is the hexadecimal HMAC-SHA256 of request id, timestamp and raw body, joined with dots, and is there where the run carried X-Webhook-Secret.',
  security: [],
  parameters: [
    parameter('header', 'X-Request-Id', 'Unique identifier of the request.', { required: true }),
    parameter('header', 'X-Service-Webhook-Timestamp', 'Unix seconds of when the webhook was sent.', {}),
    parameter('header', 'X-Service-Webhook-Signature', 'The signature, in hexadecimal digits after "v1,".', {
      schema: { type: 'string', pattern: '^v1,[0-9a-f]{64}$' },
    }),
  ],
  requestBody: { required: true, content: json('Run') },
  responses: { '2XX': { description: 'Taken.' }, default: { description: 'Not taken.' } },
};

/** The description of the service as the sandbox offers it: OpenAPI 3.1, version 1.0.0 (section 9). */
export const openApi = {
  openapi: '3.1.0',
  info: {
    title: 'Runhook sandbox',
    version: '1.0.0',
    description:
      'The management API and the run proxy of the service, on loopback. Where the interface document of the service shows no shape, the shape is that of the sandbox alone.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/', description: 'The sandbox that serves this description.' }],
  paths: {
    '/v2/{projectId}/service-accounts/{service_account_id}/keys': { get: listKeys },
    '/v2/projects/{project_id}/apps/{app_id}': { patch: modifyApp },
    '/v4/{project_id}/{app_name}/run': { post: runApp },
    '/v1/sandbox/attempts': { get: attempts },
    '/v1/sandbox/service-accounts/{service_account_id}/tokens': { post: newToken },
  },
  webhooks: { delivery: { $ref: '#/components/pathItems/Webhook' } },
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'The token of a service account.' },
    },
    parameters: {
      Fault: parameter(
        'header',
        'X-Sandbox-Fault',
        `Faults for the sandbox to simulate: of ${sandboxFaults.join(', ')}, one or several, separated by commas.`,
        {},
      ),
    },
    pathItems: { Webhook: { post: webhook } },
    schemas,
    responses: {
      NotUnderstood: answer('The call cannot be read.', 'Error'),
      NoValidToken: answer(
        'The call carries no valid token, or the sandbox was asked to answer so.',
        'Error',
        {
          'WWW-Authenticate': header('The scheme to use.'),
        },
      ),
      NotAllowed: answer(
        'The token belongs to another project, or the sandbox was asked to answer so.',
        'Error',
      ),
      Unknown: answer('There is no such service account or app.', 'Error'),
      OtherMethod: answer('The operation takes another method.', 'Error', { Allow: header('That method.') }),
      TooLarge: answer('The body is larger than 10 MiB.', 'Error'),
      TooMany: answer('The sandbox was asked to answer so.', 'Error', {
        'Retry-After': header('Seconds to wait.'),
      }),
      Failed: answer('The sandbox was asked to answer so, or failed.', 'Error'),
    },
  },
};
