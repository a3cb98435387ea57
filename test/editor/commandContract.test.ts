import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { answerPrompts } from '../support/editor/inEditor.ts';

/** The part of JSON Schema that describes arguments. */
interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  minimum?: number;
}

const extension = vscode.extensions.getExtension('runhook.runhook');
assert.ok(extension);
const path = join(extension.extensionPath, 'media/keybindings.schema.json');
const { definitions } = JSON.parse(readFileSync(path, 'utf8')) as {
  definitions: {
    entry: {
      allOf: {
        if: { properties: { command: { enum: string[] } } };
        then: { properties: { args: Schema } };
      }[];
    };
  };
};

/** Every command that takes an argument by contract, and the schema of its argument. */
const commands = definitions.entry.allOf.flatMap(({ if: { properties }, then }) =>
  properties.command.enum.map((id) => [id, then.properties.args] as const),
);

/** A value that no schema of JSON but that of any value takes. */
const unfitting = { 'no such field': [1] };

/** Fields that name what is there already. */
const references = ['projectId', 'serviceAccountId', 'appId', 'id'];

/**
 * Commands that name no unknown id: one makes it, one cancels nothing, one needs a file before, and a run that is not
 * there has no name that a person knows.
 */
const takesUnknown = new Set([
  'runhook.addProject',
  'runhook.cancelRun',
  'runhook.runFile',
  'runhook.runAgain',
]);

const run = async (id: string, argument: object): Promise<unknown> =>
  vscode.commands.executeCommand(id, argument);

/** Whether a field takes some values only, so that another one has to be refused. */
function isBounded({ type, enum: options, const: value, anyOf }: Schema): boolean {
  return anyOf?.every(isBounded) ?? (type !== undefined || options !== undefined || value !== undefined);
}

/** A value that the schema takes. */
function fitting({
  type,
  enum: options,
  const: value,
  anyOf,
  minimum,
  properties,
  required,
}: Schema): unknown {
  if (value !== undefined) return value;
  if (options !== undefined) return options[0];
  if (anyOf !== undefined) return fitting(anyOf[0] ?? {});
  if (type === 'number' || type === 'integer') return minimum ?? 1;
  if (type === 'boolean') return true;
  if (type === 'array') return [];
  if (type !== 'object') return 'x';
  return Object.fromEntries((required ?? []).map((name) => [name, fitting(properties?.[name] ?? {})]));
}

describe('every command that takes an argument', () => {
  beforeEach(() => answerPrompts());

  for (const [id, { properties = {}, required = [] }] of commands) {
    const bounded = Object.entries(properties).filter(
      // Settings are read by rules of their own, once their app is known.
      ([name, schema]) => name !== 'settings' && isBounded(schema),
    );
    if (bounded.length > 0)
      it(`refuses a value of the wrong type and names its field: ${id}`, async () => {
        const others = Object.fromEntries(required.map((name) => [name, fitting(properties[name] ?? {})]));
        for (const [name] of bounded) {
          await assert.rejects(run(id, { ...others, [name]: unfitting }), (error: Error) => {
            assert.ok(error.message.includes(id) && error.message.includes(`"${name}`), error.message);
            return true;
          });
        }
      });

    const named = references.filter((name) => name in properties);
    if (named.length > 0 && !takesUnknown.has(id))
      it(`refuses the id of what is not there and names it: ${id}`, async () => {
        const given = Object.fromEntries(
          [...new Set([...required, ...named])].map((name) => [
            name,
            references.includes(name) ? 'nowhere' : fitting(properties[name] ?? {}),
          ]),
        );
        await assert.rejects(run(id, given), /nowhere/);
      });
  }
});
