import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSmallFile } from '../../shared/files/regularFile.ts';
import { UserError } from '../../shared/text/userError.ts';
import { failed } from '../failed.ts';
import { type AgentClient, type ServerStart, agentClients } from '../mcp/agentClients.ts';
import { UsageError, readOpenArguments } from '../options/readArguments.ts';
import { agree, agreementOptions } from '../options/serviceOptions.ts';
import { printLine, printText } from '../print.ts';
import { isBundled } from '../version.ts';

/** The configuration of a client has some kilobytes. */
const mostBytes = 1024 * 1024;

/**
 * `runhook agent setup`: has a client of agents start `runhook mcp` in this project, and gives it the skill. It shows what it
 * writes and asks first, and takes it back.
 */
export async function agentCommand(args: readonly string[]): Promise<number> {
  const options = {
    ...agreementOptions,
    status: { type: 'boolean' },
    remove: { type: 'boolean' },
    'allow-write': { type: 'boolean' },
  } as const;
  const { values, positionals } = readOpenArguments(args, options, 'word setup');
  const [word, ...names] = positionals;
  if (word !== 'setup') throw new UsageError('Write runhook agent setup.');
  const known = Object.keys(agentClients);
  const unknown = names.some((name) => !known.includes(name));
  if (unknown) throw new UsageError(`The clients are ${known.join(', ')}.`);
  const folder = process.cwd();
  if (values.status) {
    for (const name of names.length === 0 ? known : names) printStatus(name, folder);
    return 0;
  }
  if (names.length === 0) throw new UsageError(`Name the client: ${known.join(', ')}.`);
  for (const name of names) {
    const client = agentClients[name];
    if (client === undefined) continue;
    const start = values.remove ? undefined : serverStart(folder, values['allow-write'] ?? false);
    await setUp(client, folder, start, values);
  }
  return 0;
}

function printStatus(name: string, folder: string): void {
  const client = agentClients[name];
  if (client === undefined) return;
  const config = client.config(folder);
  const state = client.has(textOf(config)) ? '✓ set up' : '– not set up';
  const skill = existsSync(skillIn(client, folder)) ? ', with the skill' : '';
  printLine(`${name.padEnd(7)} ${state}${skill}  ${config}`);
}

async function setUp(
  client: AgentClient,
  folder: string,
  start: ServerStart | undefined,
  values: { yes?: boolean | undefined },
): Promise<void> {
  const config = client.config(folder);
  const skill = skillIn(client, folder);
  for (const path of [config, skill]) requireNoWayOut(folder, path);
  const before = textOf(config);
  let after: string;
  try {
    after = client.edited(before, start);
  } catch (error) {
    throw failed(`${config} stays as it is`, error);
  }
  const where = config.startsWith(folder + sep) ? ' in this project' : '';
  // One that somebody has changed is theirs.
  const hasOwnSkill = textOf(skill) === ownSkill();
  if (start === undefined && after === before && !hasOwnSkill) {
    printText(`${client.name} is not set up${where}.`);
    return;
  }
  if (after !== before) printLine(`${config}:`);
  for (const line of changedLines(before, after)) printLine(`  ${line}`);
  if (start !== undefined) printLine(`+ ${skill}`);
  else if (hasOwnSkill) printLine(`- ${skill}`);
  const [verb, declined] =
    start === undefined ? ['Remove it', 'Nothing was removed.'] : ['Write it', 'Nothing was written.'];
  await agree(`${verb} for ${client.name}`, values, declined);
  if (after !== before) write(config, after);
  if (start !== undefined) {
    write(skill, ownSkill());
    printText(`${client.name} now starts runhook mcp${where === '' ? ', in every project' : where}.`);
    return;
  }
  if (hasOwnSkill) {
    rmSync(skill, { force: true });
    removeEmpty(dirname(skill));
  }
  printText(
    after === before
      ? `${client.name} was not set up${where}: only the skill was removed.`
      : `${client.name} no longer starts runhook mcp${where}.`,
  );
}

/** The command by which a client starts this program: by its name where the project has it, else by its path. */
function serverStart(folder: string, allowWrite: boolean): ServerStart {
  const main = isBundled
    ? fileURLToPath(import.meta.url)
    : fileURLToPath(new URL('../main.ts', import.meta.url));
  const args = ['mcp', ...(allowWrite ? ['--allow-write'] : [])];
  const isOfProject = relative(folder, main).split(sep)[0] === 'node_modules';
  if (isOfProject && process.platform !== 'win32')
    return { command: 'npx', args: ['--no', 'runhook', ...args] };
  const entry = isBundled ? join(dirname(main), 'runhook.js') : main;
  const isElectron = process.versions['electron'] !== undefined;
  return {
    command: process.execPath,
    args: [entry, ...args],
    ...(isElectron && { env: { ELECTRON_RUN_AS_NODE: '1' } }),
  };
}

function skillIn(client: AgentClient, folder: string): string {
  return join(client.skills(folder), 'runhook', 'SKILL.md');
}

/** The skill beside the bundle, in the package as in the extension; from the sources in media/. */
function ownSkill(): string {
  const up = isBundled ? '../media' : '../../../media';
  return readFileSync(new URL(`${up}/skills/runhook/SKILL.md`, import.meta.url), 'utf8');
}

/** @throws UserError if a path in the folder is outside of it once its links are followed: a repository brings links along */
function requireNoWayOut(folder: string, path: string): void {
  let there = path;
  while (!existsSync(there)) there = dirname(there);
  // guard S165: No link leads out of the project.
  if (!path.startsWith(folder + sep) || `${realpathSync(there)}${sep}`.startsWith(realpathSync(folder) + sep))
    return;
  throw new UserError(`${path} leads out of ${folder} by a link.`);
}

/** Empty if there is no file. @throws UserError if it cannot be read */
function textOf(path: string): string {
  if (!existsSync(path)) return '';
  try {
    return readSmallFile(path, mostBytes);
  } catch (error) {
    throw failed(`${path} cannot be read`, error);
  }
}

/** @throws UserError if it cannot be written; then what was there is still there */
function write(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    // What has that name may be a link to another file.
    rmSync(`${path}.new`, { force: true });
    writeFileSync(`${path}.new`, text, { flag: 'wx' });
    renameSync(`${path}.new`, path);
  } catch (error) {
    throw failed(`${path} cannot be written`, error);
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Something else is in it.
  }
}

/** The lines that come and go, without those around them that stay. */
function changedLines(before: string, after: string): string[] {
  const [old, now] = [before, after].map((text) => text.split('\n'));
  if (old === undefined || now === undefined) return [];
  const goes = old.filter((line) => line.trim() !== '' && !now.includes(line));
  const comes = now.filter((line) => line.trim() !== '' && !old.includes(line));
  return [...goes.map((line) => `- ${line}`), ...comes.map((line) => `+ ${line}`)];
}
