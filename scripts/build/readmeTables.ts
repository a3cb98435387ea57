import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../checkout.ts';

interface Property {
  type: string | string[];
  default: unknown;
  enum?: string[];
  scope: string;
  description: string;
}

interface Contributes {
  commands: { command: string; title: string; category: string }[];
  menus: { commandPalette: { command: string; when: string }[] };
  configuration: { properties: Record<string, Property> };
  languageModelTools: { toolReferenceName: string; userDescription: string }[];
}

const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));

/** Who may set a setting, in words, by its scope in the manifest. */
const scopes: Record<string, string> = {
  application: 'user',
  machine: 'user, remote',
  window: 'user, workspace',
  resource: 'user, workspace, folder',
};

/** The README with its tables written anew, from package.json: each stands between two comments. */
export function withTables(readme: string): string {
  const { contributes } = read('package.json') as { contributes: Contributes };
  const tables = {
    commands: commandsTable(contributes),
    settings: settingsTable(contributes),
    tools: toolsTable(contributes),
  };
  return Object.entries(tables).reduce((text, [name, rows]) => {
    const [begin, end] = [`<!-- ${name}: npm run readme -->`, `<!-- end of ${name} -->`];
    const from = text.indexOf(begin);
    const to = text.indexOf(end, from);
    if (from < 0 || to < 0) throw new Error(`The README has no place for the table of ${name}.`);
    return `${text.slice(0, from + begin.length)}\n\n${rows.join('\n')}\n\n${text.slice(to)}`;
  }, readme);
}

function commandsTable({ commands, menus }: Contributes): string[] {
  const hidden = new Map(menus.commandPalette.map(({ command, when }) => [command, when]));
  const row = ({ command, title, category }: Contributes['commands'][number]): string => {
    const when = hidden.get(command);
    const where = when === undefined ? 'palette' : when === 'false' ? 'menus' : 'palette, where it applies';
    return tableRow(`${category}: ${resolve(title)}`, `\`${command}\``, where);
  };
  return [tableRow('Command', 'Id', 'Where'), tableRow('---', '---', '---'), ...commands.map(row)];
}

function settingsTable({ configuration }: Contributes): string[] {
  const row = ([name, { type, default: value, enum: choices, scope, description }]: [string, Property]) =>
    tableRow(
      `\`${name}\``,
      choices === undefined ? [type].flat().join(', ') : choices.map((one) => `\`${one}\``).join(', '),
      value === '' ? 'empty' : `\`${JSON.stringify(value).replaceAll('"', '')}\``,
      scopes[scope] ?? scope,
      resolve(description),
    );
  return [
    tableRow('Setting', 'Value', 'Default', 'Set by', 'What it does'),
    tableRow('---', '---', '---', '---', '---'),
    ...Object.entries(configuration.properties).map(row),
  ];
}

function toolsTable({ languageModelTools }: Contributes): string[] {
  return [
    tableRow('Tool', 'What it does'),
    tableRow('---', '---'),
    ...languageModelTools.map(({ toolReferenceName, userDescription }) =>
      tableRow(`\`#${toolReferenceName}\``, resolve(userDescription)),
    ),
  ];
}

const tableRow = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const words = read('package.nls.json') as Record<string, string>;

/** What stands in package.nls.json for a text of the manifest. */
function resolve(text: string): string {
  return words[text.replaceAll('%', '')] ?? text;
}
