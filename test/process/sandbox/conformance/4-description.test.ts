import assert from 'node:assert/strict';
import { json, useSandbox } from '../../../support/service/useSandbox.ts';

interface Operation {
  parameters: { name?: string; in?: string; required?: boolean; schema?: { type: string } }[];
  requestBody?: { required?: boolean; content: Record<string, unknown> };
  responses: Record<string, { description: string }>;
}

interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: { AppSettings: { properties: Record<string, unknown>; required?: string[] } } };
}

/** The tables of sections 4.1 to 4.3: parameters, request body, and what 200 is described with. */
const endpoints: Record<string, { parameters: string[]; body: string[]; ok: RegExp }> = {
  'get /v2/{projectId}/service-accounts/{service_account_id}/keys': {
    parameters: ['path string projectId, required', 'path string service_account_id, required'],
    body: [],
    ok: /^OK\b/,
  },
  'patch /v2/projects/{project_id}/apps/{app_id}': {
    parameters: ['path string project_id, required', 'path string app_id, required'],
    body: ['application/json'],
    ok: /^OK\b/,
  },
  'post /v4/{project_id}/{app_name}/run': {
    parameters: [
      ...['path string project_id, required', 'path string app_name, required'],
      ...['query string webhookEndpoint', 'header string X-Webhook-Secret'],
    ],
    body: ['application/json'],
    ok: /./,
  },
};

/** The table of section 2: type and range. */
const fields: Record<string, object> = {
  compute: { enum: ['ADA_L4', 'ADA_L40', 'AMPERE_A10', 'CPU', 'INF2', 'TRN1', 'TURING_T4'], type: 'string' },
  cooldownPeriodSeconds: { maximum: 3600, minimum: 1, type: 'integer' },
  cpu: { type: 'string' },
  gpuCount: { maximum: 8, minimum: 0, type: 'integer' },
  maxReplicaCount: { minimum: 1, type: 'integer' },
  memory: { type: 'string' },
  minReplicaCount: { minimum: 0, type: 'integer' },
  replicaConcurrency: { minimum: 1, type: 'integer' },
  responseGracePeriodSeconds: { maximum: 3600, minimum: 1, type: 'integer' },
};

describe('service-interface.md, sections 2 and 4, as the sandbox describes itself', () => {
  const service = useSandbox();
  const description = async () => (await service.call({ path: '/openapi.json' })).body as Description;

  for (const [endpoint, { parameters, body, ok }] of Object.entries(endpoints)) {
    it(`${endpoint}: its parameters, its request body, its 200`, async () => {
      const [method = '', path = ''] = endpoint.split(' ');
      const operation = (await description()).paths[path]![method]!;
      const described = operation.parameters
        .filter(({ name }) => name !== undefined && !name.startsWith('X-Sandbox-'))
        .map(
          (one) => `${one.in} ${one.schema!.type} ${one.name}${one.required === true ? ', required' : ''}`,
        );
      assert.deepEqual(described, parameters);
      assert.deepEqual(Object.keys(operation.requestBody?.content ?? {}), body);
      assert.match(operation.responses['200']!.description, ok);
    });
  }

  it('App settings: the nine fields with type and range, none required, none with a default', async () => {
    const { properties, required } = (await description()).components.schemas.AppSettings;
    assert.equal(required, undefined);
    const ranges = Object.entries(properties).map(([field, schema]) => {
      const { type, minimum, maximum, enum: values, default: preset } = schema as Record<string, unknown>;
      assert.equal(preset, undefined, field);
      // Where the document states no upper limit, the sandbox has that of numbers which JSON carries exactly.
      const stated = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
      return [field, { type, minimum, maximum: stated, enum: values }] as const;
    });
    assert.deepEqual(JSON.parse(JSON.stringify(Object.fromEntries(ranges))), fields);
  });

  it('section 4.1 has no request body: one that is sent changes nothing', async () => {
    const plain = await service.call({ path: service.keysPath });
    const withBody = await service.call({ path: service.keysPath, headers: json, body: { any: 'thing' } });
    assert.equal(withBody.status, 200);
    assert.deepEqual(withBody.body, plain.body);
  });
});
