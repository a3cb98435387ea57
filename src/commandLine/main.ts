#!/usr/bin/env node
import { useBundle } from '../shared/text/l10n.ts';
import { UserError } from '../shared/text/userError.ts';
import { failed } from './failed.ts';
import {
  type ProgramCommand,
  commandHelpText,
  commandLineTexts,
  programCommands,
  helpText,
  usageLine,
} from './options/commandTable.ts';
import { UsageError } from './options/readArguments.ts';
import { allPrinted, printError, printNote, printText } from './print.ts';
import { version } from './version.ts';

// Hides Node's warning that SQLite is experimental: Runhook is tested with it.
process.removeAllListeners('warning').on('warning', (warning) => {
  if (warning.name !== 'ExperimentalWarning') printError(warning.message);
});
// The reader of the output may close it early.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const [name = '', ...args] = process.argv.slice(2);
const code = await main();
await allPrinted();
process.exit(code);

async function main(): Promise<number> {
  // Only the editor starts this command.
  if (name === 'program') return (await import('./commands/programCommand.ts')).programCommand(args);
  useBundle(commandLineTexts);
  if ([name, ...args].includes('--version')) return print(`${version()}\n`);
  const command = programCommands.get(name);
  if (command === undefined) return name === '--help' || name === '-h' ? print(helpText()) : misused();
  if (args.includes('--help') || args.includes('-h')) return print(commandHelpText(name, command));
  try {
    if (!hasSqlite()) throw new UserError(`It needs Node 22.13 or newer, and this is ${process.version}.`);
    return await (
      await command.load()
    )(args);
  } catch (error) {
    return end(error, command);
  }
}

function hasSqlite(): boolean {
  // Undefined in older versions of Node, although the types do not say so.
  return (process.getBuiltinModule('node:sqlite') as unknown) !== undefined;
}

function print(text: string): number {
  printText(text);
  return 0;
}

function misused(): number {
  printError(name === '' ? 'The command is missing.' : 'There is no such command.');
  printNote(`Usage: runhook ${[...programCommands.keys()].join(' | ')} [OPTIONS]`);
  return 2;
}

function end(error: unknown, command: ProgramCommand): number {
  const { message } = error instanceof UserError ? error : failed('It failed', error);
  printError(message);
  if (!(error instanceof UsageError)) return 1;
  printNote(usageLine(name, command));
  return 2;
}
