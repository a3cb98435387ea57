import type { Browser } from 'playwright-core';
import { vsix } from '../../../scripts/build/package.ts';
import { launchChromium } from '../../../scripts/test/chromium.ts';
import {
  type ServerOptions,
  startVscodeServer,
  type VscodeServer,
} from '../../../scripts/test/serverProcess.ts';

/** A server with the packaged extension installed, and a headless browser. */
export interface Session {
  server: VscodeServer;
  browser: Browser;
}

let launched: Promise<Browser> | undefined;
let started: Promise<VscodeServer> | undefined;

/** The browser of this process. Started on the first call. */
export function browser(): Promise<Browser> {
  return (launched ??= launchChromium());
}

/**
 * The browser and the server of this process. Both are started on the first call.
 * @param extensions those that the server has besides
 */
export async function session({
  builtIns = [],
  unpacked = [],
}: Pick<ServerOptions, 'builtIns' | 'unpacked'> = {}): Promise<Session> {
  started ??= startVscodeServer({ vsix, builtIns, unpacked });
  const [server, opened] = await Promise.all([started, browser()]);
  return { server, browser: opened };
}

/** Stops the server. The next call of `session` starts another. */
export async function endServer(): Promise<void> {
  await (await started)?.dispose();
  started = undefined;
}

/** Stops the browser and the server. */
export async function endSession(): Promise<void> {
  await (await launched)?.close();
  launched = undefined;
  await endServer();
}
