import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildProgram } from '../support/builtProgram.ts';
import { killPrograms, programsOf } from '../support/programsOf.ts';
import type { Random } from '../support/random.ts';
import { waitFor } from '../support/waitFor.ts';
import { freePort } from './freePort.ts';
import { keptIn, whatIsWrong } from './keptRecords.ts';
import { LocalAppStandIn } from './localAppStandIn.ts';
import { Relay } from './relay.ts';
import { Sender } from './sender.ts';
import { SoakWindow } from './soakWindow.ts';

const secret = 'the secret of the soak';
const connections = 8;
const versions = ['1.0.0', '2.0.0'] as const;
/** How soon it has to answer again after any fault, in milliseconds. */
const recoversWithinMs = 60_000;

/** Something that may happen to a site. It is over when this resolves. */
export type Fault = (site: Site) => Promise<void>;

type Parts = Pick<Site, 'name' | 'random' | 'app' | 'relay' | 'port' | 'fail' | 'folder'>;

/** A listener program with all that is around it: a window, who sends to it, a tunnel before it, a local app behind it. */
export class Site {
  readonly name: string;
  readonly random: Random;
  readonly app: LocalAppStandIn;
  readonly relay: Relay;
  readonly port: number;
  readonly sender: Sender;
  /** Statuses that the faults have the listener answer. */
  readonly allowed = new Set<number>();
  /** Megabytes that the program has taken of memory, at each check. */
  readonly memories: number[] = [];
  readonly fail: (failure: string) => void;
  /** The longest that it took to answer again, by fault, in milliseconds. */
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
    ({ name: this.name, random: this.random, app: this.app, relay: this.relay } = parts);
    ({ port: this.port, fail: this.fail, folder: this.folder } = parts);
    this.#entries = entries;
    const { random, allowed } = this;
    this.sender = new Sender({
      secret,
      random,
      port: () => (random.next() < 0.3 ? this.relay.port : this.port),
      allowed,
      onFailure: this.fail,
    });
  }

  static async start(name: string, random: Random, onFailure: (failure: string) => void): Promise<Site> {
    const fail = (failure: string): void => onFailure(`${name}: ${failure}`);
    const port = await freePort();
    const app = await new LocalAppStandIn().start();
    const relay = await Relay.start(() => port);
    const entries = await Promise.all(versions.map(buildProgram));
    const site = new Site({ name, random, app, relay, port, fail, folder: newFolder() }, entries);
    site.window = await site.openWindow();
    return site;
  }

  get storeFolder(): string {
    return join(this.folder, 'deliveries');
  }

  send(): void {
    this.#round += 1;
    this.sender.start(`${this.name}-${this.#round}`, connections);
  }

  /** The windows that open from now on are of the other version. */
  takeOtherVersion(): void {
    this.#version = (this.#version + 1) % versions.length;
  }

  /** @param replaces whether a program of another version has to make room */
  openWindow(replaces = false): Promise<SoakWindow> {
    const { folder, port, app } = this;
    const [entry, version] = [this.#entries[this.#version] ?? '', versions[this.#version] ?? ''];
    const options = { entry, version, replaces, folder, port, secret, forwardTo: app.url };
    return SoakWindow.open(options, this.fail);
  }

  /** Has a fault happen. A delivery has to be acknowledged soon afterwards. */
  async suffer(name: string, fault: Fault): Promise<void> {
    await fault(this);
    await this.mustAnswer(name);
  }

  /** @param what it is that it has to have got over */
  async mustAnswer(what: string): Promise<void> {
    const started = performance.now();
    do {
      const requestId = `${this.name}-${what}-${(this.#probes += 1)}`;
      await this.sender.deliver(requestId, '{"probe":true}');
      if (this.sender.acknowledged.has(requestId)) {
        const took = Math.round(performance.now() - started);
        this.recoveries[what] = Math.max(this.recoveries[what] ?? 0, took);
        return;
      }
    } while (performance.now() - started < recoversWithinMs);
    this.fail(`It does not recover from ${what}.`);
  }

  /** Compares what was acknowledged with what is kept, then forgets both. The program goes on. */
  async check(): Promise<void> {
    await this.sender.stop();
    await this.mustAnswer('allOfThem');
    // Its word takes another way than the answer.
    await waitFor('the end of the problem', () => this.window.state.problem === undefined).catch(() =>
      this.fail(`It goes on saying that it cannot keep deliveries: ${this.window.state.problem}`),
    );
    const kept = keptIn(this.storeFolder);
    for (const wrong of whatIsWrong(kept, this.sender.acknowledged)) this.fail(wrong);
    this.acknowledged += this.sender.acknowledged.size;
    this.repeats += kept.filter(({ repeatOf }) => repeatOf !== undefined).length;
    this.sender.acknowledged.clear();
    await this.window.channel.request('clear', null);
    const programs = await programsOf(this.folder);
    if (programs.length !== 1) this.fail(`The folder has ${programs.length} programs.`);
    this.memories.push(memoryMb(programs[0] ?? process.pid));
  }

  /** Ends the window, and so the program, and goes on in a new folder. */
  async replaceFolder(): Promise<void> {
    await this.#leave();
    this.folder = newFolder();
    this.window = await this.openWindow();
  }

  async close(): Promise<void> {
    await this.sender.stop();
    await this.#leave().catch((error: unknown) => this.fail(String(error)));
    await this.window.kill();
    await this.relay.close();
    await this.app.close();
    for (const entry of this.#entries) rmSync(dirname(entry), { recursive: true, force: true });
  }

  /** The last window leaves a program that is to end with it: nothing may be left of it. */
  async #leave(): Promise<void> {
    const { folder, window } = this;
    await window.leave(0);
    await waitFor('the end of the program', async () => (await programsOf(folder)).length === 0).catch(() =>
      this.fail('A program is left that no window wants.'),
    );
    await killPrograms(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The memory that a process takes, where the system says it. */
function memoryMb(pid: number): number {
  if (process.platform !== 'linux') return 0;
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

function newFolder(): string {
  return mkdtempSync(join(process.env['RUNHOOK_SOAK_FOLDER'] ?? tmpdir(), 'runhook-soak-'));
}
