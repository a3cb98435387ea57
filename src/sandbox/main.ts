import { parseArgs } from 'node:util';
import type { LocalApps } from '../model/sandboxProtocol.ts';
import { systemClock } from '../model/clock.ts';
import { failureReason } from '../model/failureReason.ts';
import { inEnglish } from '../model/translate.ts';
import { UserError } from '../model/userError.ts';
import { attemptTimeoutMs, SandboxServer } from './sandboxServer.ts';

const usage = 'Usage: node sandbox.js [--port <port>] [--app <name>=<url>]…';

interface Arguments {
  port: number;
  apps: LocalApps;
}

/** @throws UserError for arguments that do not fit */
function readArguments(given: string[]): Arguments {
  const { values } = parsed(given);
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new UserError(`"${values.port}" is not a port.`);
  }
  const apps = values.app.map((one) => {
    const [, name, url] = /^([^=]+)=(.+)$/.exec(one) ?? [];
    if (name === undefined || url === undefined) throw new UserError(`"${one}" is not <name>=<url>.`);
    return [name, url];
  });
  return { port, apps: Object.fromEntries(apps) as LocalApps };
}

function parsed(args: string[]) {
  const port = { type: 'string', default: '0' } as const;
  const app = { type: 'string', multiple: true, default: [] as string[] } as const;
  try {
    return parseArgs({ args, options: { port, app } });
  } catch (error) {
    throw new UserError(`"${args.join(' ')}" does not fit.`, { cause: error });
  }
}

/** The sandbox as a program: one line of JSON on the standard output, then it serves until it is ended. */
async function main(): Promise<void> {
  const sandbox = await SandboxServer.start({
    ...readArguments(process.argv.slice(2)),
    clock: systemClock,
    random: Math.random,
    attemptTimeoutMs,
    log: (line) => process.stderr.write(`${line}\n`),
  });
  const end = () => {
    sandbox.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  process.stdout.write(`${JSON.stringify(sandbox.address)}\n`);
}

main().catch((error: unknown) => {
  const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${failureReason(error, inEnglish) ?? fault}\n${usage}\n`);
  process.exitCode = 2;
});
