import { type Command, commandIds, commands, type Feature } from '../../src/contract/commands.ts';
import { type JsonSchema, jsonSchemaOf } from '../build/jsonSchema.ts';
import { fieldsOf, publishedCommands } from './commandTable.ts';

const introduction = `# Commands, their arguments and what they give

These commands can be called with one argument object: by a keybinding (\`args\`), by another extension
(\`vscode.commands.executeCommand\`), and, if they give a text, by an input of tasks.json and launch.json (\`args\`). An
optional field that is left out has a default, or is asked for. Calls in \`prod\` ask first. What a command gives is plain
JSON, where \`?\` marks what is not always there. A failure rejects with an \`Error\` whose message can be shown.
[api.md](api.md) says more of some commands.

\`\`\`json
{
  "key": "ctrl+alt+r",
  "command": "${commandIds.runApp}",
  "args": { "projectId": "p-1234", "appName": "hello", "body": { "name": "Ada" }, "webhook": true }
}
\`\`\`

keybindings.json completes these arguments. It does not complete tokens and secrets: leave them out, and you are asked.

A \`Delivery\` is the \`WholeDelivery\` of [src/contract/delivery.ts](../src/contract/delivery.ts); \`AppSettings\` are the fields
of the settings form.
`;

const titles: Readonly<Record<Feature, string>> = {
  projects: 'Projects, keys and tokens',
  leaks: 'Tokens in files',
  appSettings: 'App settings',
  run: 'Runs and payloads',
  listener: 'Listener and secrets',
  deliveries: 'Deliveries',
  debug: 'Debugging a handler',
  failures: 'Where your handler failed',
  timeline: 'Timeline',
  tunnels: 'Tunnels',
  sandbox: 'Sandbox',
  log: 'Log',
  walkthrough: 'Walkthrough',
  reset: 'Reset',
};

/** docs/commands.md. */
export function commandsPage(): string {
  const parts = (Object.keys(commands) as Feature[]).flatMap((feature) => {
    const own = publishedCommands.filter((one) => one.feature === feature);
    if (own.length === 0) return [];
    return [`## ${titles[feature]}`, ...own.map(section)].join('\n\n');
  });
  return `${[introduction, ...parts].join('\n\n')}\n`;
}

function section(command: Command): string {
  const { id, title = '', returns } = command;
  const { properties, required } = fieldsOf(command);
  const rows = Object.entries(properties).map(([name, schema]) => {
    const { description } = schema;
    if (description === undefined) throw new Error(`Say what ${name} of ${id} means.`);
    const need = required.includes(name) ? 'required' : 'optional';
    return `| \`${name}\` | ${cell(typeText(schema))} | ${need} | ${cell(description)} |`;
  });
  const table =
    rows.length === 0
      ? 'Takes no argument.'
      : ['| Field | Type | | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');
  const result = returns === undefined ? undefined : jsonSchemaOf(returns);
  const { description: note } = result ?? {};
  const gives = result && [`Gives \`${resultText(result)}\`${note === undefined ? '' : `: ${note}`}`];
  return [`### ${id}`, `_${title}_`, table, ...(gives ?? [])].join('\n\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\s+/g, ' ');
}

/** The type of a field, for people. */
function typeText(shape: JsonSchema): string {
  const { anyOf, items, properties = {}, required = [], additionalProperties } = shape;
  if (anyOf) return anyOf.map(typeText).join(' or ');
  const values = valuesOf(shape).map((value) => `\`${JSON.stringify(value)}\``);
  if (values.length > 0) return values.join(' or ');
  switch (shape.type) {
    case undefined:
      return 'any value';
    case 'string':
      return 'text';
    case 'boolean':
      return '`true` or `false`';
    case 'number':
    case 'integer':
      return numberText(shape);
    case 'array':
      return `list of ${typeText(items ?? {})}`;
    case 'object': {
      if (additionalProperties) return `object of ${typeText(additionalProperties)}`;
      const names = Object.keys(properties).map((name) => `${name}${required.includes(name) ? '' : '?'}`);
      return `\`{${names.join(', ')}}\``;
    }
    default:
      return shape.type;
  }
}

function numberText({ type, minimum, maximum }: JsonSchema): string {
  const word = type === 'integer' ? 'whole number' : 'number';
  if (minimum === undefined) return word;
  return maximum === undefined ? `${word}, ${minimum} or more` : `${word}, ${minimum} to ${maximum}`;
}

function valuesOf(shape: JsonSchema): unknown[] {
  return 'const' in shape ? [shape.const] : (shape.enum ?? []);
}

/** The type of a result, as programs have it. */
function resultText(shape: JsonSchema): string {
  const { title, anyOf, items, properties = {}, required = [], additionalProperties } = shape;
  if (title !== undefined) return title;
  if (anyOf) return anyOf.map(resultText).join(' or ');
  const values = valuesOf(shape).map((value) => (typeof value === 'string' ? `'${value}'` : String(value)));
  if (values.length > 0) return values.join(' or ');
  if (shape.type === undefined) return 'any value';
  if (shape.type === 'array') return `[${resultText(items ?? {})}]`;
  if (shape.type !== 'object') return shape.type;
  if (additionalProperties) return `{[name]: ${resultText(additionalProperties)}}`;
  const members = Object.entries(properties).map(
    ([name, one]) => `${name}${required.includes(name) ? '' : '?'}: ${resultText(one)}`,
  );
  return `{${members.join(', ')}}`;
}
