import { parseArgs } from 'node:util';
import { systemClock } from '../../shared/async/clock.ts';
import { typedAddress } from '../typedAddress.ts';
import type { LocalApps } from './sandboxProtocol.ts';
import { UserError } from '../../shared/text/userError.ts';
import { SandboxServer } from './sandboxServer.ts';

/** @throws UserError that repeats no value, since a value may be a secret given by mistake */
function readArguments(args: readonly string[]): { port: number; apps: LocalApps } {
  const { values } = parsed([...args]);
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port > 65535) {
    throw new UserError('The port must be a whole number up to 65535.');
  }
  const apps = values.app.map((one) => {
    const [, name, url] = /^([^=]+)=(.+)$/.exec(one) ?? [];
    if (name === undefined || url === undefined) throw new UserError('Write an app as --app NAME=URL.');
    return [name, addressOf(url)];
  });
  return { port, apps: Object.fromEntries(apps) as LocalApps };
}

/** @throws UserError that repeats neither the address nor the name before it */
function addressOf(url: string): string {
  try {
    return typedAddress(url).href;
  } catch (error) {
    // guard S122: Arguments that do not fit are never repeated: they may be secrets.
    throw new UserError(
      url.includes('@')
        ? 'Leave the user name and the password out of --app.'
        : 'The address of an app that --app gives is not an http or https address.',
      { cause: error },
    );
  }
}

function parsed(args: string[]) {
  const port = { type: 'string', default: '0' } as const;
  const app = { type: 'string', multiple: true, default: [] as string[] } as const;
  try {
    return parseArgs({ args, options: { port, app } });
  } catch (error) {
    throw new UserError('It takes --port PORT and --app NAME=URL, and nothing else.', { cause: error });
  }
}

/** The process that the sandbox runs in. */
interface SandboxProcess {
  /** Called once; resolves when the program is to end. */
  ended: () => Promise<unknown>;
  /** Prints a value as one line of JSON. */
  printJson: (value: unknown) => void;
  log: (line: string) => void;
}

/**
 * Runs the sandbox as a program: prints its address as one line of JSON, and serves.
 * @throws UserError for invalid arguments
 */
export async function runSandbox(
  args: readonly string[],
  { ended, printJson, log }: SandboxProcess,
): Promise<void> {
  const sandbox = await SandboxServer.start({
    ...readArguments(args),
    clock: systemClock,
    random: Math.random,
    log,
  });
  // Called before the line is printed: whoever reads the line may end the program at once.
  const end = ended();
  printJson(sandbox.address);
  await end;
  await sandbox.close();
}
