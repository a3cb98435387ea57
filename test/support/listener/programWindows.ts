import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Attached, attachProgram } from '../../../src/listener/attach/attachProgram.ts';
import { version } from '../../../src/commandLine/version.ts';
import type {
  BrokenOff,
  EndReason,
  ListenerSettings,
  ProgramState,
  News,
  TunnelState,
} from '../../../src/deliveries/listenerProtocol.ts';
import { commandLineEntry } from '../processes/entryPoints.ts';
import { processSettings, processSecret } from './listenerProcess.ts';
import { killListenerPrograms } from './listenerPrograms.ts';
import { Sender } from './sender.ts';

export interface WindowOptions {
  settings?: Partial<ListenerSettings>;
  after?: number;
  version?: string;
  replaces?: boolean;
  /** How long the program may take to answer. */
  answerSeconds?: number;
}

/** A window that is attached to a listener program, and the messages it received. */
export interface TestWindow extends Attached {
  arrived: News['arrived'];
  /** These and those that changed, in the order of the news. */
  told: News['arrived'];
  brokenOff: BrokenOff[];
  overflow: number;
  states: ProgramState[];
  tunnels: TunnelState[];
  endings: EndReason[];
  cleared: number;
  revision: number;
}

/** Windows of one storage folder. They start its listener program as the editor does. */
export class ProgramWindows {
  readonly folder = mkdtempSync(join(tmpdir(), 'runhook-windows-'));
  readonly #windows: TestWindow[] = [];
  readonly #senders: Sender[] = [];

  async open(options: WindowOptions = {}) {
    const { settings, after, version: ofWindow = version(), replaces = false, answerSeconds } = options;
    const told = {
      arrived: [],
      told: [],
      brokenOff: [],
      overflow: 0,
      states: [],
      tunnels: [],
      endings: [],
      cleared: 0,
      revision: 0,
    } as unknown as TestWindow;
    const attached = await attachProgram({
      entry: commandLineEntry,
      folder: this.folder,
      version: ofWindow,
      replaces,
      ...(answerSeconds !== undefined && { answerSeconds }),
      hello: () =>
        Promise.resolve({
          settings: { ...processSettings, keepAliveSeconds: 0, ...settings },
          messages: {},
          ...(after !== undefined && { after }),
        }),
      handlers: {
        news: ({ arrived, changed, revision, brokenOff, overflow }) => {
          told.arrived.push(...arrived);
          told.told.push(...arrived, ...changed);
          told.brokenOff.push(...brokenOff);
          told.overflow += overflow;
          told.revision = revision;
        },
        state: (state) => told.states.push(state),
        tunnel: (state) => told.tunnels.push(state),
        relayLost: () => undefined,
        cleared: () => {
          told.cleared += 1;
        },
        ending: ({ why }) => told.endings.push(why),
      },
    });
    const window = Object.assign(told, attached);
    this.#windows.push(window);
    return window;
  }

  sender(port: number): Sender {
    const sender = new Sender(port, processSecret);
    this.#senders.push(sender);
    return sender;
  }

  /** The request ids of the new deliveries that a window was told, in order. */
  requestIds({ arrived }: TestWindow): (string | undefined)[] {
    return arrived.map(({ requestId }) => requestId);
  }

  /** Closes all windows and kills the programs of their folder. */
  async end(): Promise<void> {
    for (const sender of this.#senders) sender.close();
    for (const { peer } of this.#windows) peer.close();
    // Those too that wait for another to end, and are of no window yet.
    await killListenerPrograms(this.folder);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
