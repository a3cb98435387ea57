import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildCommandLine } from '../support/processes/buildCommandLine.ts';
import { killListenerPrograms, listenerPrograms } from '../support/listener/listenerPrograms.ts';
import type { Random } from '../support/random/random.ts';
import { waitFor } from '../support/time/waitFor.ts';
import { findFreePort } from './freePort.ts';
import { readKeptDeliveries, findLossesAndDoubles } from './keptDeliveries.ts';
import { FakeLocalApp } from './fakeLocalApp.ts';
import { FakeTunnel } from './fakeTunnel.ts';
import { SoakSender } from './soakSender.ts';
import { SoakWindow } from './soakWindow.ts';

const storageFaultsModule = new URL('../support/listener/storageFaults.ts', import.meta.url).href;
const secret = 'the secret of the soak';
const connections = 8;
const versions = ['1.0.0', '2.0.0'] as const;
/** A listener must answer again within this time after a fault. */
const maxRecoveryMs = 60_000;

/** Injects a fault into a site. Resolves when the fault is over. */
export type Fault = (site: Site) => Promise<void>;

type Parts = Pick<Site, 'name' | 'random' | 'app' | 'tunnel' | 'port' | 'fail' | 'folder'>;

/** A listener program with its environment: a window, a sender, a tunnel and a local app. */
export class Site {
  readonly name: string;
  readonly random: Random;
  readonly app: FakeLocalApp;
  readonly tunnel: FakeTunnel;
  readonly port: number;
  readonly sender: SoakSender;
  /** Statuses besides 200 that the faults make the listener answer. */
  readonly allowedStatuses = new Set<number>();
  /** The memory of the program at each check, in MB. */
  readonly memories: number[] = [];
  readonly fail: (failure: string) => void;
  /** The longest recovery time of each fault, in milliseconds. */
  readonly recoveries: Record<string, number> = {};
  /** The storage folder. */
  folder: string;
  window!: SoakWindow;
  acknowledged = 0;
  repeats = 0;
  readonly #entries: readonly string[];
  #version = 0;
  #round = 0;
  #probes = 0;

  private constructor(parts: Parts, entries: readonly string[]) {
    ({ name: this.name, random: this.random, app: this.app, tunnel: this.tunnel } = parts);
    ({ port: this.port, fail: this.fail, folder: this.folder } = parts);
    this.#entries = entries;
    const { random, allowedStatuses: allowed } = this;
    this.sender = new SoakSender({
      secret,
      random,
      port: () => (random.next() < 0.3 ? this.tunnel.port : this.port),
      allowedStatuses: allowed,
      onFailure: this.fail,
    });
  }

  static async start(name: string, random: Random, onFailure: (failure: string) => void): Promise<Site> {
    const fail = (failure: string): void => onFailure(`${name}: ${failure}`);
    const port = await findFreePort();
    const app = await new FakeLocalApp().start();
    const tunnel = await FakeTunnel.start(() => port);
    const entries = await Promise.all(versions.map(buildFaultyCommandLine));
    const site = new Site({ name, random, app, tunnel, port, fail, folder: newFolder() }, entries);
    site.window = await site.openWindow();
    return site;
  }

  get storeFolder(): string {
    return join(this.folder, 'deliveries');
  }

  startSending(): void {
    this.#round += 1;
    this.sender.start(`${this.name}-${this.#round}`, connections);
  }

  /** Further windows have the other version of Runhook. */
  switchVersion(): void {
    this.#version = (this.#version + 1) % versions.length;
  }

  /** @param replaces whether to replace a program of another version */
  openWindow(replaces = false): Promise<SoakWindow> {
    const { folder, port, app } = this;
    const [entry, version] = [this.#entries[this.#version] ?? '', versions[this.#version] ?? ''];
    const options = { entry, version, replaces, folder, port, secret, forwardTo: app.url };
    return SoakWindow.open(options, this.fail);
  }

  /** Injects a fault and checks that the listener recovers. */
  async injectFault(name: string, fault: Fault): Promise<void> {
    await fault(this);
    await this.expectRecovery(name);
  }

  /** Fails unless a delivery is acknowledged soon. @param what the fault, for the report */
  async expectRecovery(what: string): Promise<void> {
    const started = performance.now();
    do {
      const requestId = `${this.name}-${what}-${(this.#probes += 1)}`;
      await this.sender.deliver(requestId, '{"probe":true}');
      if (this.sender.acknowledged.has(requestId)) {
        const took = Math.round(performance.now() - started);
        this.recoveries[what] = Math.max(this.recoveries[what] ?? 0, took);
        return;
      }
    } while (performance.now() - started < maxRecoveryMs);
    this.fail(`It does not recover from ${what}.`);
  }

  /** Compares the acknowledged deliveries with the kept ones, then clears both. */
  async check(): Promise<void> {
    await this.sender.stop();
    await this.expectRecovery('allOfThem');
    // The window learns of the recovery later than the sender.
    await waitFor('the end of the problem', () => this.window.state.problem === undefined).catch(() =>
      this.fail(`It goes on saying that it cannot keep deliveries: ${this.window.state.problem}`),
    );
    const kept = readKeptDeliveries(this.storeFolder);
    for (const wrong of findLossesAndDoubles(kept, this.sender.acknowledged)) this.fail(wrong);
    this.acknowledged += this.sender.acknowledged.size;
    this.repeats += kept.filter(({ repeatOf }) => repeatOf !== undefined).length;
    this.sender.acknowledged.clear();
    await this.window.rpc.call.clear();
    const programs = await listenerPrograms(this.folder);
    if (programs.length !== 1) this.fail(`The folder has ${programs.length} programs.`);
    this.memories.push(memoryMb(programs[0] ?? process.pid));
  }

  /** Closes the window, and with it the program, and continues in a new folder. */
  async replaceFolder(): Promise<void> {
    await this.#leave();
    this.folder = newFolder();
    this.window = await this.openWindow();
  }

  async close(): Promise<void> {
    await this.sender.stop();
    await this.#leave().catch((error: unknown) => this.fail(String(error)));
    await this.window.kill();
    await this.tunnel.close();
    await this.app.close();
    for (const entry of this.#entries) rmSync(dirname(entry), { recursive: true, force: true });
  }

  /** Closes the window of a program without keep-alive time, and checks that the program exits. */
  async #leave(): Promise<void> {
    const { folder, window } = this;
    await window.leave(0);
    await waitFor('the end of the program', async () => (await listenerPrograms(folder)).length === 0).catch(
      () => this.fail('A program is left that no window wants.'),
    );
    await killListenerPrograms(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Builds a command line whose calls on its storage folder can be made to fail. @returns the file to run with Node */
async function buildFaultyCommandLine(version: string): Promise<string> {
  const built = await buildCommandLine(version);
  const entry = join(dirname(built), 'faulty.js');
  writeFileSync(entry, `import ${JSON.stringify(storageFaultsModule)};\nawait import('./runhook.js');\n`);
  return entry;
}

/** The resident memory of a process; 0 on systems other than Linux. */
function memoryMb(pid: number): number {
  if (process.platform !== 'linux') return 0;
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

function newFolder(): string {
  return mkdtempSync(join(process.env['RUNHOOK_SOAK_FOLDER'] ?? tmpdir(), 'runhook-soak-'));
}
