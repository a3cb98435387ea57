import { parseArgs } from 'node:util';
import type { LocalApps } from '../model/sandboxProtocol.ts';
import { systemClock } from '../model/clock.ts';
import { attemptTimeoutMs, SandboxServer } from './sandboxServer.ts';

const usage = 'Usage: node sandbox.js [--port <port>] [--app <name>=<url>]…';

interface Arguments {
  port: number;
  apps: LocalApps;
}

/** @throws RangeError or TypeError for arguments that do not fit */
function readArguments(given: string[]): Arguments {
  const { values } = parseArgs({
    args: given,
    options: { port: { type: 'string', default: '0' }, app: { type: 'string', multiple: true, default: [] } },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new RangeError(`"${values.port}" is not a port.`);
  }
  const apps = values.app.map((one) => {
    const [, name, url] = /^([^=]+)=(.+)$/.exec(one) ?? [];
    if (name === undefined || url === undefined) throw new RangeError(`"${one}" is not <name>=<url>.`);
    return [name, url];
  });
  return { port, apps: Object.fromEntries(apps) as LocalApps };
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
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}\n`);
  process.exitCode = 2;
});
