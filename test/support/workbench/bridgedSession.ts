import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import * as esbuild from 'esbuild';
import { root, workFolder } from '../../../scripts/checkout.ts';
import { vsix } from '../../../scripts/build/package.ts';
import { startVscodeServer, type VscodeServer } from '../../../scripts/test/serverProcess.ts';
import { type BridgeAddress, type BridgeCalls, bridgeFolderVariable } from '../bridge/bridgeProtocol.ts';
import type { Session } from './session.ts';
import { waitFor } from '../time/waitFor.ts';

/** Builds the bridge extension, which is in this folder, into another folder. */
async function buildBridge(folder: string): Promise<void> {
  const source = join(root, 'test/support/bridge');
  await cp(join(source, 'package.json'), join(folder, 'package.json'));
  await esbuild.build({
    entryPoints: [join(source, 'extension.ts')],
    outfile: join(folder, 'extension.js'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22.19',
    external: ['vscode'],
    logLevel: 'warning',
  });
}

/** A client for the bridge in an extension host. */
export class Bridge {
  readonly #address: BridgeAddress;

  constructor(address: BridgeAddress) {
    this.#address = address;
  }

  /** The process id of the extension host. */
  get pid(): number {
    return this.#address.pid;
  }

  async call<K extends keyof BridgeCalls>(
    name: K,
    takes: BridgeCalls[K]['takes'],
  ): Promise<BridgeCalls[K]['gives']> {
    const options = { method: 'POST', body: JSON.stringify(takes) };
    const response = await fetch(`http://127.0.0.1:${this.#address.port}/${name}`, options);
    const answer = (await response.json()) as { gives?: BridgeCalls[K]['gives']; problem?: string };
    if (answer.problem !== undefined) throw new Error(answer.problem);
    return answer.gives ?? null;
  }

  /** Runs a command of Runhook. @param name without the leading `runhook.` */
  async command<T>(name: string, argument?: object): Promise<T> {
    const args = argument === undefined ? [] : [argument];
    return (await this.call('command', { id: `runhook.${name}`, args })) as T;
  }
}

/** A server with the packaged Runhook and the bridge extension, through which tests reach the extension host. */
export class BridgedSession implements Session {
  readonly server: VscodeServer;
  readonly browser: Browser;
  /** The folder for the addresses of the bridges. */
  readonly #folder: string;
  readonly #extension: string;

  private constructor(server: VscodeServer, browser: Browser, folder: string, extension: string) {
    this.server = server;
    this.browser = browser;
    this.#folder = folder;
    this.#extension = extension;
  }

  /**
   * @param more paths of further extensions to install
   * @param workspaceTrust whether Workspace Trust is enabled
   */
  static async start(
    browser: Browser,
    more: readonly string[] = [],
    workspaceTrust = false,
  ): Promise<BridgedSession> {
    const folder = await mkdtemp(join(workFolder, 'data-bridge-'));
    const env = { [bridgeFolderVariable]: folder };
    const extension = await mkdtemp(join(workFolder, 'data-bridge-extension-'));
    await buildBridge(extension);
    const unpacked = [extension];
    const server = await startVscodeServer({ vsix: [vsix, ...more], unpacked, workspaceTrust, env });
    return new BridgedSession(server, browser, folder, extension);
  }

  /** Waits for an extension host. */
  bridge(): Promise<Bridge> {
    return waitFor('the extension host', () => this.runningBridge());
  }

  /** The running extension host, if any. @param ended process ids to ignore, because the test has ended them */
  async runningBridge(ended: ReadonlySet<number> = new Set()): Promise<Bridge | undefined> {
    for (const name of await readdir(this.#folder)) {
      const address = JSON.parse(await readFile(join(this.#folder, name), 'utf8')) as BridgeAddress;
      if (address.parent !== this.server.pid) throw new Error('It is not a child of the server.');
      if (!ended.has(address.pid)) return new Bridge(address);
    }
    return undefined;
  }

  async dispose(): Promise<void> {
    await this.server.dispose();
    for (const folder of [this.#folder, this.#extension]) await rm(folder, { recursive: true, force: true });
  }
}
