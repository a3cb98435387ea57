import assert from 'node:assert/strict';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { sandboxFaults } from '../../../../src/contract/values.ts';
import { maxAttempts } from '../../../../src/service/webhookAttempt.ts';
import { settingsSchema } from '../../../../scripts/build/settingsSchema.ts';
import openApi from '../../../../src/service/sandbox/management/openapi.json' with { type: 'json' };
import { json, useSandbox } from '../../../support/service/useSandbox.ts';

interface Parameter {
  name: string;
  in: string;
  example?: string;
}
interface Operation {
  operationId: string;
  parameters: Parameter[];
  requestBody?: {
    content: Record<string, { examples: Record<string, { value: unknown; 'x-answer': number }> }>;
  };
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: object }> }>;
}

const operations = Object.entries(openApi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    path,
    method: method.toUpperCase(),
    operation: operation as Operation,
  })),
);

/** The response that a reference of the description leads to. */
function resolve(reference: string): { headers?: object } {
  const responses: Record<string, { headers?: object; description: string }> = openApi.components.responses;
  return responses[reference.replace('#/components/responses/', '')] ?? assert.fail(reference);
}

function pathOf(path: string, parameters: Parameter[]): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const example = parameters.find((parameter) => parameter.name === name)?.example;
    assert.ok(example, `${name} has an example`);
    return example;
  });
}

describe('the OpenAPI description', () => {
  const service = useSandbox();
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema(openApi, 'openapi.json');

  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(openApi));
    assert.deepEqual(result, { valid: true });
    assert.equal(openApi.openapi, '3.1.0');
  });

  it('has the settings, faults and attempts of the code: `npm run openapi` writes the settings', () => {
    const { schemas, parameters } = openApi.components;
    assert.deepEqual(schemas.AppSettings, settingsSchema());
    const [, faults = ''] = /: of (.+), one or several/.exec(parameters.Fault.description) ?? [];
    assert.deepEqual(faults.split(', '), sandboxFaults);
    assert.equal(schemas.Attempts.properties.attempts.items.properties.number.maximum, maxAttempts);
  });

  it('is served as it is', async () => {
    const { body } = await service.call({ path: '/openapi.json' });
    assert.deepEqual(body, openApi);
  });

  for (const { path, method, operation } of operations) {
    const examples = Object.entries(operation.requestBody?.content['application/json']?.examples ?? {});
    const requests =
      examples.length > 0 ? examples : [['no body', { value: undefined, 'x-answer': 200 }] as const];
    for (const [name, { value, 'x-answer': status }] of requests) {
      it(`${operation.operationId}: its example "${name}" is answered ${status} as described`, async () => {
        const answer = await service.call({
          method,
          path: pathOf(path, operation.parameters),
          ...(value !== undefined && { headers: json, body: value }),
        });
        assert.equal(answer.status, status);
        const schema = operation.responses[status]?.content?.['application/json']?.schema;
        assert.ok(schema, `${status} is described`);
        const pointer = `#/paths/${path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`;
        const validate = ajv.compile({ $ref: `openapi.json${pointer}` });
        assert.ok(validate(answer.body), ajv.errorsText(validate.errors));
      });
    }
  }

  for (const { path, method, operation } of operations.filter(({ path }) => path.startsWith('/v2/'))) {
    it(`${operation.operationId}: what it is answered where the sandbox misbehaves is described`, async () => {
      for (const fault of ['401', '403', '404', '429', '500']) {
        const answer = await service.call({
          method,
          path: pathOf(path, operation.parameters),
          headers: { ...json, 'x-sandbox-fault': fault },
        });
        assert.equal(answer.status, Number(fault));
        const { $ref = '' } = operation.responses[fault] ?? {};
        const described = resolve($ref);
        for (const name of Object.keys(described.headers ?? {}))
          assert.ok(answer.headers[name.toLowerCase()], name);
        const validate = ajv.compile({ $ref: `openapi.json${$ref}/content/application~1json/schema` });
        assert.ok(validate(answer.body), ajv.errorsText(validate.errors));
      }
    });
  }

  it('describes a schema that takes what the sandbox takes, and no more', () => {
    const validate = ajv.compile({ $ref: 'openapi.json#/components/schemas/AppSettings' });
    assert.ok(validate({ compute: 'CPU', cpu: '0.5', gpuCount: 0 }));
    for (const bad of [
      { gpuCount: 9 },
      { cpu: 4 },
      { compute: 'H100' },
      { colour: 'blue' },
      { cpu: '1e2' },
      { cpu: '999' },
    ]) {
      assert.ok(!validate(bad), JSON.stringify(bad));
    }
  });
});
