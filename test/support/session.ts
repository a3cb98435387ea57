import type { Browser } from 'playwright-core';
import { launchChromium } from '../../scripts/test/chromium.ts';
import { startVscodeServer, type VscodeServer } from '../../scripts/test/serverProcess.ts';

/** One server and one browser, shared by whatever runs in this process. */
export interface Session {
  server: VscodeServer;
  browser: Browser;
  dispose(): Promise<void>;
}

let current: Promise<Session> | undefined;

/** Starts the session: a VS Code server with the packaged extension installed, and a headless browser. */
export function startSession(vsix: string): Promise<Session> {
  current ??= start(vsix);
  return current;
}

async function start(vsix: string): Promise<Session> {
  const server = await startVscodeServer({ vsix });
  const browser = await launchChromium();
  return {
    server,
    browser,
    async dispose() {
      current = undefined;
      await browser.close();
      await server.dispose();
    },
  };
}

/** The running session. */
export function session(): Promise<Session> {
  return current ?? Promise.reject(new Error('UI tests are run by `npm run test:ui`.'));
}
