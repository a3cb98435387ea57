import { homedir } from 'node:os';
import { join } from 'node:path';
import { applyEdits, modify, parse } from 'jsonc-parser';
import { isJsonObject } from '../../shared/json/jsonObject.ts';
import { UserError } from '../../shared/text/userError.ts';

/** How a client starts the server. */
export interface ServerStart {
  command: string;
  args: string[];
  env?: Record<string, string>;
}

/** A program that agents run in, and where it looks for servers and for skills. */
export interface AgentClient {
  name: string;
  /** The file with the servers. @param folder of the project */
  config: (folder: string) => string;
  /** The folder with the skills. */
  skills: (folder: string) => string;
  /** The text of the file with the server in it, or without it. @throws UserError if the file has no such form */
  edited: (text: string, start: ServerStart | undefined) => string;
  has: (text: string) => boolean;
}

export const agentClients: Readonly<Record<string, AgentClient>> = {
  claude: {
    name: 'Claude Code',
    config: (folder) => join(folder, '.mcp.json'),
    skills: (folder) => join(folder, '.claude', 'skills'),
    ...inJson('mcpServers'),
  },
  cursor: {
    name: 'Cursor',
    config: (folder) => join(folder, '.cursor', 'mcp.json'),
    skills: (folder) => join(folder, '.cursor', 'skills'),
    ...inJson('mcpServers'),
  },
  vscode: {
    name: 'VS Code',
    config: (folder) => join(folder, '.vscode', 'mcp.json'),
    skills: (folder) => join(folder, '.github', 'skills'),
    ...inJson('servers'),
  },
  codex: {
    name: 'Codex',
    config: () => join(process.env['CODEX_HOME'] || join(homedir(), '.codex'), 'config.toml'),
    skills: (folder) => join(folder, '.agents', 'skills'),
    edited: inToml,
    has: (text) => ownTable.test(text),
  },
};

/** Comments and all that is there stay. @param key of the object with the servers */
function inJson(key: string): Pick<AgentClient, 'edited' | 'has'> {
  const read = (text: string): unknown => parse(text, [], { allowTrailingComma: true });
  const has = (text: string): boolean => {
    const value = read(text);
    const servers = isJsonObject(value) ? value[key] : undefined;
    return isJsonObject(servers) && 'runhook' in servers;
  };
  return {
    has,
    edited: (text, start) => {
      const before = text.trim() === '' ? '{}' : text;
      if (!isJsonObject(read(before))) throw new UserError('It is not a JSON object.');
      // jsonc-parser deletes nothing from an object that is not there.
      if (start === undefined && !has(text)) return text;
      const formattingOptions = { tabSize: 2, insertSpaces: true };
      const edits = modify(before, [key, 'runhook'], start, { formattingOptions });
      const after = applyEdits(before, edits);
      return after.endsWith('\n') ? after : `${after}\n`;
    },
  };
}

/** Our table of a TOML, with those below it, up to the next one of others. */
const ownTable = /^\[mcp_servers\.runhook(?:\.[\w-]+)?\][^\n]*\n(?:(?!\[)[^\n]*(?:\n|$))*/m;

function inToml(text: string, start: ServerStart | undefined): string {
  let rest = text;
  while (ownTable.test(rest)) rest = rest.replace(ownTable, '');
  if (start === undefined) return rest;
  const { command, args, env = {} } = start;
  // A basic string of TOML takes the escapes of JSON.
  const lines = [`command = ${JSON.stringify(command)}`, `args = ${JSON.stringify(args)}`];
  const variables = Object.entries(env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  const table = ['[mcp_servers.runhook]', ...lines, ''].join('\n');
  const own =
    variables.length === 0 ? table : `${table}\n[mcp_servers.runhook.env]\n${variables.join('\n')}\n`;
  return rest.trim() === '' ? own : `${rest.replace(/\n*$/, '\n\n')}${own}`;
}
