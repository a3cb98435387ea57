import { type Command, commands } from './commandTable.ts';

/** What `runhook --help` prints. */
export function helpText(): string {
  const rows = [...commands].map(([name, { does }]) => [name, does] as const);
  return [
    'Usage: runhook COMMAND [OPTIONS]',
    '',
    ...columns(rows),
    '',
    'runhook COMMAND --help explains a command, runhook --version prints the version.',
    'Exit codes: 0 when all went well, 1 when something was refused or failed, 2 when the arguments are wrong.',
    '',
  ].join('\n');
}

/** What `runhook <command> --help` prints. */
export function commandHelpText(name: string, command: Command): string {
  return [usageLine(name, command), '', command.does, '', ...columns(command.options), ''].join('\n');
}

export function usageLine(name: string, { usage }: Command): string {
  return `Usage: runhook ${name} ${usage}`;
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([first]) => first.length));
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`);
}
