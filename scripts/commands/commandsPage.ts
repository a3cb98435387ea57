import { commandIdsOf } from '../../src/editor/ids.ts';
import type { Field, Shape } from './commandTypes.ts';
import type { CommandEntry } from './commandTable.ts';
import { resultNotes } from './fieldMeanings.ts';

const introduction = `# Commands, their arguments and what they give

These commands can be called with one argument object: by a keybinding (\`args\`), by another extension
(\`vscode.commands.executeCommand\`), and those that give a text by an input of tasks.json and launch.json (\`args\`). What an
optional field leaves out has a default, or is asked for. Calls under \`prod\` ask first. What a command gives is plain JSON,
where \`?\` marks what is not always there. A failure rejects with an \`Error\` whose message can be shown. More of some commands
is in [api.md](api.md).

\`\`\`json
{
  "key": "ctrl+alt+r",
  "command": "runhook.runApp",
  "args": { "projectId": "p-1234", "appName": "hello", "body": { "name": "Ada" }, "webhook": true }
}
\`\`\`

keybindings.json completes these arguments. It does not complete tokens and secrets: leave them out, and you are asked.

A \`Delivery\` has the fields of [src/api.ts](../src/api.ts), \`AppSettings\` those of the settings form, and a \`Timeline\` is
what the picture shows.
`;

const titles: Readonly<Record<keyof typeof commandIdsOf, string>> = {
  projects: 'Projects, keys and tokens',
  leaks: 'Tokens in files',
  appSettings: 'App settings',
  run: 'Runs and payloads',
  listener: 'Listener and secrets',
  deliveries: 'Deliveries',
  debug: 'Debugging a handler',
  timeline: 'Timeline',
  tunnels: 'Tunnels',
  sandbox: 'Sandbox',
  log: 'Log',
  walkthrough: 'Walkthrough',
  reset: 'Reset',
};

/** docs/commands.md. */
export function commandsPage(entries: readonly CommandEntry[]): string {
  const parts = Object.entries(commandIdsOf).flatMap(([feature, ids]) => {
    const all: readonly string[] = Object.values(ids);
    const own = entries.filter(({ id }) => all.includes(id));
    if (own.length === 0) return [];
    return [`## ${(titles as Record<string, string>)[feature] ?? feature}`, ...own.map(section)].join('\n\n');
  });
  return `${[introduction, ...parts].join('\n\n')}\n`;
}

function section({ id, title, fields, result }: CommandEntry): string {
  const rows = fields.map(
    ({ name, shape, isOptional, meaning }) =>
      `| \`${name}\` | ${cell(shapeText(shape))} | ${isOptional ? 'optional' : 'required'} | ${cell(meaning)} |`,
  );
  const table =
    rows.length === 0
      ? 'Takes no argument.'
      : ['| Field | Type | | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');
  const note = resultNotes[id.replace('runhook.', '')];
  const gives = result === '' ? [] : [`Gives \`${result}\`${note === undefined ? '' : `: ${note}`}`];
  return [`### ${id}`, `_${title}_`, table, ...gives].join('\n\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\s+/g, ' ');
}

function shapeText(shape: Shape): string {
  switch (shape.kind) {
    case 'text':
    case 'null':
      return shape.kind;
    case 'flag':
      return '`true` or `false`';
    case 'any':
      return 'any value';
    case 'number':
    case 'integer':
      return numberText(shape);
    case 'literal':
      return `\`${JSON.stringify(shape.value)}\``;
    case 'list':
      return `list of ${shapeText(shape.item)}`;
    case 'record':
      return `object of ${shapeText(shape.value)}`;
    case 'object':
      return `\`{${shape.fields.map(fieldText).join(', ')}}\``;
    case 'oneOf':
      return shape.options.map(shapeText).join(' or ');
  }
}

function fieldText({ name, isOptional }: Field): string {
  return isOptional ? `${name}?` : name;
}

function numberText({ kind, minimum, maximum }: Extract<Shape, { kind: 'number' | 'integer' }>): string {
  const word = kind === 'integer' ? 'whole number' : 'number';
  if (minimum === undefined) return word;
  return maximum === undefined ? `${word}, ${minimum} or more` : `${word}, ${minimum} to ${maximum}`;
}
