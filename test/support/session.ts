import type { Browser } from 'playwright-core';
import { vsix } from '../../scripts/build/package.ts';
import { launchChromium } from '../../scripts/test/chromium.ts';
import { startVscodeServer, type VscodeServer } from '../../scripts/test/serverProcess.ts';

/** A server with the packaged extension installed, and a headless browser. */
export interface Session {
  server: VscodeServer;
  browser: Browser;
}

let launched: Promise<Browser> | undefined;
let started: Promise<VscodeServer> | undefined;

/** The browser of whatever runs in this process. */
export function browser(): Promise<Browser> {
  return (launched ??= launchChromium());
}

/** That browser, and the server of whatever runs in this process. Both start when they are first asked for. */
export async function session(): Promise<Session> {
  started ??= startVscodeServer({ vsix });
  const [server, opened] = await Promise.all([started, browser()]);
  return { server, browser: opened };
}

/** Ends the server; the next one who asks has a new one. */
export async function endServer(): Promise<void> {
  await (await started)?.dispose();
  started = undefined;
}

/** Ends what has started. */
export async function endSession(): Promise<void> {
  await (await launched)?.close();
  launched = undefined;
  await endServer();
}
