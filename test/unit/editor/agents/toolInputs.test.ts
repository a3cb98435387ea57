import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { toolInputs } from '../../../../src/agents/toolValues.ts';
import { toolIds } from '../../../../src/editor/kit/ids.ts';
import { type Field, fields } from '../../../../src/service/settings/appSettings.ts';

interface JsonSchema {
  type?: string;
  description?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean;
}

interface ContributedTool {
  name: string;
  modelDescription: string;
  toolReferenceName: string;
  inputSchema: JsonSchema;
}

const manifest = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as {
  contributes: { languageModelTools: ContributedTool[] };
};

const tools = new Map(manifest.contributes.languageModelTools.map((tool) => [tool.name, tool]));

describe('what the tools for language models take', () => {
  for (const [name, schema] of Object.entries(toolInputs)) {
    const contributed = tools.get(toolIds[name as keyof typeof toolIds])!;

    it(`${name}: the manifest tells models what is checked`, () => {
      const { properties, required = [], additionalProperties } = contributed.inputSchema;
      const entries: Record<string, v.GenericSchema> = schema.entries;
      assert.deepEqual(Object.keys(properties ?? {}), Object.keys(entries));
      assert.deepEqual(
        required,
        Object.keys(entries).filter((key) => isRequired(entries[key]!)),
      );
      assert.equal(additionalProperties, false);
    });

    it(`${name}: says what it is for, and what each entry is`, () => {
      assert.ok(contributed.modelDescription.length > 60);
      for (const [key, property] of Object.entries(contributed.inputSchema.properties ?? {}))
        assert.ok(property.description, key);
    });

    it(`${name}: takes neither a secret nor the user's agreement`, () => {
      for (const key of ['confirmed', 'token', 'secret', 'headers']) {
        const read = v.safeParse(schema, { ...example(contributed.inputSchema), [key]: true });
        assert.equal(read.success, false, key);
      }
      assert.ok(v.safeParse(schema, example(contributed.inputSchema)).success);
    });
  }

  it('lets no model say where a delivery goes again, or what is in it', () => {
    const ofDelivery = Object.entries(toolInputs).filter(([, schema]) => 'id' in schema.entries);
    assert.deepEqual(
      ofDelivery.map(([name, schema]) => [name, Object.keys(schema.entries)]),
      [
        ['getDelivery', ['id']],
        ['explainDelivery', ['id']],
        ['replayDelivery', ['id', 'resign']],
      ],
    );
  });

  it('tells models the limits of the settings', () => {
    const settings = tools.get(toolIds.applySettings)!.inputSchema.properties!.settings!;
    assert.deepEqual(Object.keys(settings.properties ?? {}).sort(), fields.map(({ name }) => name).sort());
    for (const field of fields) assert.ok(agrees(field, settings.properties![field.name]!), field.name);
  });
});

function isRequired(schema: v.GenericSchema): boolean {
  return schema.type !== 'exact_optional' && schema.type !== 'optional';
}

/** The least input that fits. */
function example({ properties = {}, required = [] }: JsonSchema): Record<string, unknown> {
  return Object.fromEntries(required.map((key) => [key, properties[key]?.type === 'object' ? {} : 'x']));
}

function agrees(field: Field, schema: JsonSchema): boolean {
  switch (field.kind) {
    case 'choice':
      return schema.type === 'string' && schema.enum?.join() === field.choices.join();
    case 'integer':
      return (
        schema.type === 'integer' && schema.minimum === field.minimum && schema.maximum === field.maximum
      );
    case 'decimal':
      return (
        schema.type === 'string' &&
        schema.description?.includes(`from ${field.minimum} to ${field.maximum}`) === true
      );
  }
}
