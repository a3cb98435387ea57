import * as fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { programFolder } from '../attach/controlFile.ts';
import { failureReason } from '../../shared/http/failureReason.ts';
import { oneLine } from '../../shared/text/plainText.ts';
import {
  type UnkeptRequest,
  type EndReason,
  type Hello,
  isUnkept,
  type ListenerSettings,
  type ProgramState,
  type OpenedRelay,
  publicUrlOf,
  type RelayAccess,
  type TunnelProgram,
  type TunnelState,
  type Welcome,
  type WindowCalls,
} from '../../deliveries/listenerProtocol.ts';
import type { Delivery } from '../../contract/delivery.ts';
import type { RelayLosses } from '../../deliveries/relayProtocol.ts';
import type { NetworkOptions } from '../../service/client/undiciTransport.ts';
import type { Remote } from '../../shared/rpc/rpc.ts';
import { Turns } from '../../shared/async/turns.ts';
import { systemClock } from '../../shared/async/clock.ts';
import { useBundle } from '../../shared/text/l10n.ts';
import { type HeldSecret, isSameOwner, verifiesAt } from '../../service/signature/webhookSecret.ts';
import { Control } from './control.ts';
import { DeliveryStore } from '../store/deliveryStore.ts';
import { checkEachSecond } from './folderCheck.ts';
import { FolderLock } from './folderLock.ts';
import { Lifetime } from './lifetime.ts';
import type { WaitingReplay } from '../forwarding/replays.ts';
import { WebhookListener } from '../intake/listener.ts';
import { initialSettings } from '../intake/initialSettings.ts';
import { type ProgramForWindow, ProgramWindow } from './programWindow.ts';
import { RunJoin } from './runJoin.ts';
import { RelayTunnel } from '../tunnels/relayTunnel.ts';
import { Tunnel } from '../tunnels/tunnel.ts';
import { createUndiciTransport } from '../../service/client/undiciTransport.ts';
import { openRegularFile } from '../../shared/files/regularFile.ts';

/** How long the first window has to attach, in milliseconds. */
const firstWindowMs = 20_000;
/** How long a probe may be under way from a relay, which has answered it, in milliseconds. */
const relayedProbeMs = 10_000;
/** How long a window may take for the last news before the program ends, in milliseconds. */
const lastNewsMs = 1000;
/** How many requests that broke off or were too large are remembered. */
const mostUnkept = 20;
/** How long the store must be unchanged before it is tidied, in milliseconds. */
const quietMs = 3000;

export interface ProgramOptions {
  /** The storage folder, which has one program. */
  folder: string;
  /** The version of Runhook. */
  version: string;
  /** How long to wait for a program that is about to end, in milliseconds. */
  waitMs: number;
  /** The bundle of tunnelGuard, which tunnel programs run under. */
  guardFile: string;
  /** Called when the program has ended and released everything. */
  onEnded: () => void;
}

/** The listener program of a folder: receives deliveries, stores them, and notifies the attached windows. */
export class Program implements ProgramForWindow {
  readonly #options: ProgramOptions;
  readonly #log: (line: string) => void;
  readonly #lock: FolderLock;
  readonly #control: Control;
  readonly store: DeliveryStore;
  readonly listener: WebhookListener;
  readonly joins: RunJoin;
  readonly waiting = new Set<WaitingReplay>();
  readonly #lifetime: Lifetime;
  readonly tunnel: Tunnel;
  readonly relay: RelayTunnel;
  readonly #quietTimer = setTimeout(() => this.#tidy(), quietMs);
  readonly #windows = new Set<ProgramWindow>();
  readonly #secrets = new HeldSecrets<ProgramWindow>();
  readonly #startedAt = Date.now();
  /** The latest settings from any window. */
  #latestSettings = initialSettings;
  settings = initialSettings;
  port: number | undefined;
  #problem: string | undefined;
  total = 0;
  unkept: readonly UnkeptRequest[] = [];
  /** How many deliveries arrived while no window was attached. */
  #missed = 0;
  /** What the relay has lost and no window was told of. */
  #losses: RelayLosses | undefined;
  #endChecks = (): void => undefined;
  #ended: Promise<void> | undefined;
  /** Serializes opening and closing the port. */
  readonly #turns = new Turns();

  constructor(options: ProgramOptions) {
    this.#options = options;
    const { folder, version, guardFile } = options;
    const ownFolder = join(folder, programFolder);
    this.#log = programLog(ownFolder);
    this.#lock = new FolderLock(ownFolder);
    this.store = new DeliveryStore({
      folder: join(folder, 'deliveries'),
      // Nothing is deleted before a window has said how many to keep.
      keep: Number.POSITIVE_INFINITY,
      now: Date.now,
      onProblem: (problem) => this.#noteProblem(problem),
      onSetAside: (path) => this.#log(`The file of deliveries was corrupt; it is kept as ${path}.`),
      onUnforwarded: (count) =>
        this.#log(`Dropped before your handler received them, because too many were waiting: ${count}.`),
      onGone: (ids) => this.listener.forwardQueue.drop(ids),
      onChanged: () => {
        this.#quietTimer.refresh();
        for (const { feed } of this.#windows) feed?.changed();
      },
      publishedUntil: () =>
        [...this.#windows].reduce(
          (least, { feed }) => Math.min(least, feed?.place ?? least),
          Number.MAX_SAFE_INTEGER,
        ),
    });
    this.joins = new RunJoin(this.store, Date.now);
    this.listener = new WebhookListener({
      store: this.store,
      now: Date.now,
      onArrived: (delivery) => {
        this.joins.arrived(delivery);
        this.total += 1;
        if (this.#windows.size === 0) this.#missed += 1;
      },
      onTurnedAway: (what) => {
        if (isUnkept(what)) this.unkept = [...this.unkept, what].slice(-mostUnkept);
        for (const { feed } of this.#windows) feed?.unkept.add(what);
      },
    });
    this.#lifetime = new Lifetime({
      keepAliveMs: () => this.settings.keepAliveSeconds * 1000,
      awaitsSince: (startedAt) => this.port !== undefined && this.store.awaitedSince(startedAt) > 0,
      onEnd: () => void this.end('notWanted'),
      say: this.#log,
      clock: systemClock,
    });
    this.tunnel = new Tunnel({
      guardFile,
      port: () => this.port,
      holdsSecret: () => this.settings.secrets.some((held) => verifiesAt(held, Date.now())),
      onState: (state) => {
        this.#applySettings();
        void this.#notifyWindows((window) => window.tunnel(state));
      },
      say: this.#log,
    });
    this.relay = new RelayTunnel({
      take: (place, request) => this.listener.takeRelayed(place, request),
      onState: (state) => {
        this.#applySettings();
        void this.#notifyWindows((window) => window.tunnel(state));
      },
      onLosses: (losses) => {
        this.#log(`The relay has lost ${losses.aged} by age; ${losses.turnedAway} found it full.`);
        this.#losses = losses;
        if (this.#windows.size > 0) this.#tellLosses();
      },
      say: this.#log,
    });
    this.#control = new Control({
      folder: ownFolder,
      version,
      lock: () => this.#lock.identity,
      handlers: (connection) => new ProgramWindow(this, connection).handlers(),
    });
  }

  /**
   * Starts, unless the folder has a program already.
   * @returns whether this program is the one of the folder
   * @throws Error if the folder cannot be written, or the socket cannot be made
   */
  async start(): Promise<boolean> {
    if (!(await this.#lock.take(this.#options.waitMs))) return false;
    try {
      await this.#control.open();
    } catch (error) {
      this.#lock.release();
      throw error;
    }
    this.store.endForwards((count) =>
      this.#log(`Not accepted by your handler, because the previous listener stopped first: ${count}.`),
    );
    this.#lifetime.start(firstWindowMs);
    this.#endChecks = checkEachSecond(this.#checkFolder.bind(this), (problem) => {
      this.#log(`The folder: ${problem ?? 'it can be used again'}.`);
      // Windows are told before the first delivery that cannot be kept.
      this.store.trim();
    });
    this.#log(`Version ${this.#options.version} started as process ${process.pid}.`);
    return true;
  }

  /** Ends the program. Complete requests are answered, and every acknowledged delivery is stored. */
  end(why: EndReason): Promise<void> {
    this.#ended ??= this.#end(why);
    return this.#ended;
  }

  async #end(why: EndReason): Promise<void> {
    this.#endChecks();
    this.#lifetime.hold();
    clearTimeout(this.#quietTimer);
    await this.#closePort();
    this.listener.forwardQueue.close();
    for (const { feed } of this.#windows) feed?.close();
    this.listener.reasons.close();
    this.joins.close();
    this.store.close();
    // A window that misses it would start the program again.
    const disconnected = this.#control.close(this.#notifyWindows((window) => window.ending({ why })));
    // Another program may take over from here on.
    this.#lock.release();
    this.#log(`Ended: ${why}.`);
    await disconnected;
    this.#options.onEnded();
  }

  /** Notes what a handler has not responded to yet, and tells windows: they go on showing it, without a program. */
  async #endForwards(): Promise<void> {
    this.listener.forwardQueue.close();
    this.waiting.clear();
    this.store.endForwards((count) => this.#log(`Not accepted by your handler before the stop: ${count}.`));
    this.store.flush();
    const told = [...this.#windows].map(async ({ feed }) => feed?.sendLast());
    await Promise.race([Promise.allSettled(told), pause(lastNewsMs, undefined, { ref: false })]);
  }

  came(window: ProgramWindow, { settings, messages }: Hello): Welcome {
    useBundle(messages);
    this.#windows.add(window);
    this.#lifetime.hold();
    this.configure(window, settings);
    const missed = this.#missed;
    this.#missed = 0;
    if (this.#losses !== undefined) setImmediate(() => this.#tellLosses());
    const tunnel = this.tunnelState;
    return {
      ...this.#state(),
      pid: process.pid,
      startedAt: this.#startedAt,
      total: this.total,
      missed,
      revision: this.store.revision,
      tunnel,
    };
  }

  left(window: ProgramWindow): void {
    this.#windows.delete(window);
    this.#secrets.leave(window);
    this.joins.leave(window);
    if (this.#windows.size === 0) this.#lifetime.left();
  }

  configure(window: ProgramWindow, settings: ListenerSettings): void {
    this.#secrets.set(window, settings.secrets);
    this.#latestSettings = settings;
    this.#applySettings();
    this.store.keep = settings.keep;
    // Reports a problem with the store before the first delivery arrives.
    this.store.trim();
  }

  /** There is one tunnel, or one relay. */
  get tunnelState(): TunnelState {
    return this.relay.state.kind === 'closed' ? this.tunnel.state : this.relay.state;
  }

  get probeMs(): number {
    return this.relay.state.kind === 'closed' ? 0 : relayedProbeMs;
  }

  async openTunnel(program: TunnelProgram, command: string): Promise<string> {
    await this.relay.close();
    return this.tunnel.open(program, command);
  }

  async openRelay({
    network,
    keepsTrying,
    ...access
  }: RelayAccess & { network: NetworkOptions; keepsTrying: boolean }): Promise<OpenedRelay> {
    await this.tunnel.close();
    return this.relay.open(access, createUndiciTransport(network), keepsTrying);
  }

  async closeTunnel(): Promise<void> {
    await Promise.all([this.tunnel.close(), this.relay.close()]);
  }

  #tellLosses(): void {
    const losses = this.#losses;
    this.#losses = undefined;
    if (losses !== undefined) void this.#notifyWindows((window) => window.relayLost(losses));
  }

  #applySettings(): void {
    const { isPublic } = this.tunnel;
    const publicUrl = publicUrlOf(this.tunnelState) ?? this.#latestSettings.publicUrl;
    const secrets = this.#secrets.all();
    const settings = { ...this.#latestSettings, secrets, ...(publicUrl !== undefined && { publicUrl }) };
    // guard S77: Nothing unsigned is taken from before a tunnel opens until it has ended, whatever the windows say.
    this.settings = isPublic ? { ...settings, isPublic: true, acceptUnverified: false } : settings;
    this.listener.configure(this.settings);
  }

  listen(port: number): Promise<number> {
    return this.#turns.next(async () => {
      if (this.port !== undefined && (port === 0 || port === this.port)) return this.port;
      this.port = await this.listener.listen(port, () => {
        this.port = undefined;
        // guard S78: The tunnel closes with the listener and its port.
        return this.tunnel.close();
      });
      this.#log(`Listens on port ${this.port}.`);
      void this.#notifyWindows((window) => window.state(this.#state()));
      return this.port;
    });
  }

  asToldNow(delivery: Delivery): Delivery {
    const joinedRun = this.joins.runOf(delivery);
    const waiting = [...this.waiting].find(({ id }) => id === delivery.id);
    return {
      ...this.listener.asToldNow(delivery),
      ...(waiting && { isForwarding: true, waitingSince: new Date(waiting.since).toISOString() }),
      ...(joinedRun !== undefined && { joinedRun }),
    };
  }

  clear(): void {
    this.store.clear();
    this.unkept = [];
    void this.#notifyWindows((window) => window.cleared());
  }

  async stop(): Promise<void> {
    await this.#closePort();
    await this.#endForwards();
    // The reply is sent first.
    setImmediate(() => void this.end('stopped'));
  }

  async erase(): Promise<void> {
    // Nothing arrives after it.
    await this.#closePort();
    try {
      this.clear();
    } finally {
      await this.stop();
    }
  }

  async handOver(): Promise<{ port?: number }> {
    const port = this.port;
    await this.#closePort();
    setImmediate(() => void this.end('replaced'));
    return port === undefined ? {} : { port };
  }

  /** Closes the tunnel too: otherwise it would lead strangers to whatever program takes the port next. */
  #closePort(): Promise<void> {
    return this.#turns.next(async () => {
      this.port = undefined;
      // guard S78: The tunnel closes with the listener.
      await Promise.all([this.tunnel.close(), this.relay.close(), this.listener.close()]);
    });
  }

  #noteProblem(problem: Error | undefined): void {
    this.#problem = problem && (failureReason(problem) ?? oneLine(problem.message));
    this.#log(
      problem === undefined ? 'Deliveries are kept again.' : `Deliveries cannot be kept: ${problem.message}`,
    );
    void this.#notifyWindows((window) => window.state(this.#state()));
  }

  /** Folder, socket and control file may be removed at any time; they are recreated while a window is attached. */
  async #checkFolder(): Promise<void> {
    if (this.#windows.size === 0 && !this.#lock.isHeld) return this.end('notWanted');
    // guard S127: Only one program keeps deliveries in a folder.
    if (!(await this.#lock.keep())) return this.end('replaced');
    if (this.#ended === undefined) await this.#control.stayReachable();
  }

  /** Leaves no deleted data in the files. Releases memory, which V8 does not do by itself while the program is idle. */
  #tidy(): void {
    if (!this.store.tidy()) this.#quietTimer.refresh();
    // Defined if Node was started with `--expose-gc`, as the window does.
    globalThis.gc?.({ execution: 'sync', flavor: 'last-resort', type: 'major' });
  }

  #state(): ProgramState {
    return {
      ...(this.port !== undefined && { port: this.port }),
      ...(this.#problem !== undefined && { problem: this.#problem }),
    };
  }

  /** Resolves once every window has replied, or disconnected. */
  async #notifyWindows(notify: (window: Remote<WindowCalls>) => Promise<void>): Promise<void> {
    await Promise.allSettled([...this.#windows].map(({ connection }) => notify(connection.peer().call)));
  }
}

/** The size at which a new file is started, in bytes; the previous one is kept beside it. */
const mostBytes = 256 * 1024;

/** The program's log: one line per entry, in a file of limited size. It contains no secret and no body. */
function programLog(folder: string): (line: string) => void {
  const path = join(folder, 'listener.log');
  return (line) => {
    try {
      const found = fs.statSync(path, { throwIfNoEntry: false });
      if (found !== undefined && (found.size > mostBytes || !found.isFile()))
        fs.renameSync(path, `${path}.before`);
      const { O_APPEND, O_CREAT, O_WRONLY } = fs.constants;
      const file = openRegularFile(path, O_APPEND | O_CREAT | O_WRONLY);
      fs.writeSync(file, `${new Date().toISOString()} ${line}\n`);
      fs.closeSync(file);
    } catch {
      // A failure to log must not break the program.
    }
  };
}

/** The secrets of all windows. A window without secrets does not remove those of the others. */
export class HeldSecrets<Window extends object> {
  readonly #byWindow = new Map<Window, readonly HeldSecret[]>();
  /** The secrets of the last window that had any and left; used while no other window has some. */
  #left: readonly HeldSecret[] = [];

  set(window: Window, secrets: readonly HeldSecret[]): void {
    // Reinserted at the end: the secrets of the latest window are tried first.
    this.#byWindow.delete(window);
    this.#byWindow.set(window, secrets);
    if (secrets.length > 0) this.#left = [];
  }

  leave(window: Window): void {
    const secrets = this.#byWindow.get(window);
    this.#byWindow.delete(window);
    if (secrets !== undefined && secrets.length > 0 && this.all().length === 0) this.#left = secrets;
  }

  /** All secrets without duplicates, in the order in which they are tried. */
  all(): readonly HeldSecret[] {
    const all: HeldSecret[] = [];
    for (const secret of [...[...this.#byWindow.values()].reverse().flat(), ...this.#left]) {
      if (!all.some((one) => isSame(one, secret))) all.push(secret);
    }
    return all;
  }
}

function isSame(one: HeldSecret, other: HeldSecret): boolean {
  return one.secret === other.secret && one.until === other.until && isSameOwner(one.owner, other.owner);
}
