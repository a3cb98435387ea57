import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { maskSecrets } from '../../shared/masking/likelySecrets.ts';
import type { TunnelProgram, TunnelState } from '../../deliveries/listenerProtocol.ts';
import { failureText } from '../../shared/http/failureReason.ts';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';
import { TunnelProcess } from './tunnelProcess.ts';
import type { TunnelAdapter, TunnelEvent } from './tunnelAdapter.ts';

/** How many characters of an output line of the tunnel's program go into the log. */
const mostOfLine = 400;

const wait = (ms: number, signal: AbortSignal): Promise<void> => delay(ms, undefined, { signal });

/** The default times, in milliseconds. cloudflared asks its service first, which may take a while. */
export const tunnelTimes = {
  openWithinMs: 60_000,
  settleMs: 15_000,
  killAfterMs: 3000,
  /** The delays before each restart of the program; there are no more restarts than delays. */
  restartAfterMs: [1000, 2000, 5000, 10_000, 30_000],
  /** After a tunnel was open this long, the count of restarts begins at 0 again. */
  steadyAfterMs: 5 * 60_000,
};

export interface TunnelOptions {
  /** The bundle of tunnelGuard, which tunnel programs run under. */
  guardFile: string;
  /** The port of the listener; undefined when it does not listen. */
  port: () => number | undefined;
  /** Whether a secret is held that is valid now. */
  holdsSecret: () => boolean;
  /** Called with each state; the first call comes before the tunnel's program is started. */
  onState: (state: TunnelState) => void;
  /** Writes a line to the log. */
  say: (line: string) => void;
  times?: typeof tunnelTimes;
  /** Waits; rejects when the signal aborts. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** A tunnel from when it is opened until it ends, over all starts of its program. */
interface Run {
  closing: AbortController;
  opened: PromiseWithResolvers<string>;
  process?: TunnelProcess;
  /** Resolves when no program runs and none will be started again. */
  ended: Promise<void>;
}

/** The one tunnel to a listener, run by a program of the user's, which is restarted a limited number of times. */
export class Tunnel {
  readonly #options: TunnelOptions;
  #state: TunnelState = { kind: 'closed' };
  #run: Run | undefined;

  constructor(options: TunnelOptions) {
    this.#options = options;
  }

  get state(): TunnelState {
    return this.#state;
  }

  /** Whether strangers may get through: true from before the program is started until it has ended. */
  get isPublic(): boolean {
    return this.#run !== undefined;
  }

  /**
   * Opens the tunnel. If one is open or opening already, resolves with its address.
   * @param command the path of the tunnel's program
   * @throws UserError if no secret is held, or the tunnel cannot be opened: its program has ended then
   */
  async open(program: TunnelProgram, command: string): Promise<string> {
    if (this.#state.kind !== 'opening' && this.#state.kind !== 'open') await this.close();
    // Another window may have opened it meanwhile.
    this.#run ??= this.#start(program, command);
    return this.#run.opened.promise;
  }

  /** Ends the program, and waits until it has ended. */
  async close(): Promise<void> {
    const run = this.#run;
    run?.closing.abort();
    await run?.process?.close();
    await run?.ended;
    if (this.#run === run && this.#state.kind !== 'closed') this.#set({ kind: 'closed' });
  }

  #start(program: TunnelProgram, command: string): Run {
    const { holdsSecret, guardFile, say, times = tunnelTimes } = this.#options;
    const port = this.#options.port();
    if (port === undefined) throw new Error('There is no tunnel to a listener that does not listen.');
    // guard S77: No tunnel opens while no secret is held.
    if (!holdsSecret())
      throw new UserError(t('A tunnel needs a webhook secret. Set one first.'), {
        remedies: [{ kind: 'setWebhookSecret' }],
      });
    const run: Run = {
      closing: new AbortController(),
      opened: Promise.withResolvers(),
      ended: Promise.resolve(),
    };
    // From here on `isPublic` is true.
    this.#run = run;
    this.#set({ kind: 'opening', provider: program });
    // guard S79: What looks like a secret is taken out of the lines of the tunnel's program.
    const onLine = (line: string): string => {
      const told = maskSecrets(line).slice(0, mostOfLine);
      say(`${program}: ${told}`);
      return told;
    };
    const options = { ...times, adapter: adapters[program], command, guardFile, port, onLine };
    run.ended = this.#keepOpen(run, program, () => new TunnelProcess(options));
    return run;
  }

  /** Starts the program, and restarts it each time it ends, until the restarts are used up. */
  async #keepOpen(run: Run, provider: TunnelProgram, start: () => TunnelProcess): Promise<void> {
    const { times = tunnelTimes, pause = wait } = this.#options;
    const { signal } = run.closing;
    const isClosing = (): boolean => signal.aborted;
    let hasOpened = false;
    for (let starts = 0; ; starts += 1) {
      const death = await this.#runOnce(run, provider, start);
      hasOpened ||= death.afterMs !== undefined;
      if ((death.afterMs ?? 0) >= times.steadyAfterMs) starts = 0;
      // A tunnel that did not open even once needs action by the user, so it is not restarted.
      const waitMs = hasOpened && !death.isFinal ? times.restartAfterMs[starts] : undefined;
      const { reason } = death;
      if (!isClosing()) {
        const attempt = starts + 1;
        this.#set(
          waitMs === undefined
            ? { kind: 'failed', provider, reason }
            : { kind: 'reopening', provider, attempt, reason },
        );
      }
      run.opened.reject(new UserError(reason, { remedies: [{ kind: 'tryAgain' }, { kind: 'showLog' }] }));
      if (waitMs === undefined) return;
      await pause(waitMs, signal).catch(() => undefined);
      if (isClosing()) return;
    }
  }

  /** Runs the program once. @returns how it ended; `afterMs` is how long the tunnel was open, absent if never */
  async #runOnce(
    run: Run,
    provider: TunnelProgram,
    start: () => TunnelProcess,
  ): Promise<{ reason: string; afterMs?: number; isFinal: boolean }> {
    let process: TunnelProcess | undefined;
    try {
      process = start();
      run.process = process;
      const publicUrl = await process.opened;
      const openedAt = Date.now();
      if (!run.closing.signal.aborted) this.#set({ kind: 'open', provider, publicUrl });
      run.opened.resolve(publicUrl);
      return { reason: await process.ended, afterMs: Date.now() - openedAt, isFinal: false };
    } catch (error) {
      await process?.close();
      return { reason: failureText(error), isFinal: process?.isFinal ?? false };
    }
  }

  #set(state: TunnelState): void {
    this.#state = state;
    if (state.kind === 'closed' || state.kind === 'failed') this.#run = undefined;
    this.#options.say(`The tunnel is ${state.kind}.`);
    this.#options.onState(state);
  }
}

/** Addresses at trycloudflare.com that are not tunnels. */
const notATunnel = new Set(['https://api.trycloudflare.com', 'https://www.trycloudflare.com']);

/**
 * cloudflared's quick tunnels: no account, a random address that changes with every start.
 * https://developers.cloudflare.com/cloudflare-one/connections/connect-networks/do-more-with-tunnels/trycloudflare/
 */
export const cloudflared: TunnelAdapter = {
  program: 'cloudflared',
  // Outside a terminal cloudflared would update itself and restart. The user's config.yml is for the user's own tunnels:
  // its rules would answer deliveries with 404.
  arguments: (port, config) => [
    ...['tunnel', '--config', config, '--no-autoupdate'],
    ...['--url', `http://127.0.0.1:${port}`],
  ],
  read: (line) => [...urlIn(line), ...connectionIn(line), ...problemIn(line)],
  isRoutine: (line) => /^\S+ (?:DBG|INF) /.test(line),
};

function urlIn(line: string): TunnelEvent[] {
  const [url] = /https:\/\/[a-z0-9-]+\.trycloudflare\.com\b/.exec(line) ?? [];
  return url === undefined || notATunnel.has(url) ? [] : [{ kind: 'url', url: `${url}/` }];
}

/** The second wording is that of older versions (2022). */
function connectionIn(line: string): TunnelEvent[] {
  return /Registered tunnel connection|Connection [0-9a-f-]+ registered/.test(line)
    ? [{ kind: 'connected' }]
    : [];
}

function problemIn(line: string): TunnelEvent[] {
  if (/429 Too Many Requests|error code: 1015/.test(line)) {
    const reason = t(
      'Cloudflare allows no more tunnels from this network for now. Wait a few minutes, or use ngrok.',
    );
    return [{ kind: 'problem', reason, final: true }];
  }
  const [failed] = /^failed to .+$|\berror parsing YAML in config file.*$/i.exec(line.trim()) ?? [];
  return failed === undefined ? [] : [{ kind: 'problem', reason: `cloudflared: ${failed}`, final: false }];
}

const recordText = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    lvl: v.optional(v.string()),
    msg: v.optional(v.string()),
    err: v.optional(v.unknown()),
    url: v.optional(v.string()),
  }),
);

/** What a line says, if it is JSON. */
function recordOf(line: string): v.InferOutput<typeof recordText> | undefined {
  const read = v.safeParse(recordText, line);
  return read.success ? read.output : undefined;
}

/** ngrok's agent: needs the user's account. https://ngrok.com/docs/agent/cli/ */
export const ngrok: TunnelAdapter = {
  program: 'ngrok',
  // "localhost" may be [::1], where the listener is not.
  arguments: (port) => ['http', `127.0.0.1:${port}`, '--log', 'stdout', '--log-format', 'json'],
  read(line) {
    // ngrok also writes the reason why it ends to standard error, in plain text.
    const [, plain] = /^ERROR:\s+(\S.*)$/.exec(line) ?? [];
    if (plain !== undefined) return [problem(plain)];
    const { lvl, msg, err, url } = recordOf(line) ?? {};
    if (msg === 'started tunnel' && url !== undefined && URL.canParse(url)) {
      return [{ kind: 'url', url: new URL(url).href }, { kind: 'connected' }];
    }
    const failed = (lvl === 'eror' || lvl === 'crit') && typeof err === 'string' && err !== '<nil>';
    return failed ? [problem(err)] : [];
  },
  isRoutine: (line) => ['dbug', 'info'].includes(recordOf(line)?.lvl ?? ''),
};

/** The codes are listed at https://ngrok.com/docs/errors/ */
function problem(text: string): TunnelEvent {
  const [code = ''] = /ERR_NGROK_\d+/.exec(text) ?? [];
  switch (code) {
    case 'ERR_NGROK_105':
    case 'ERR_NGROK_107':
    case 'ERR_NGROK_4018':
      return final(t('ngrok does not know your account ({0}). Run: ngrok config add-authtoken', code));
    case 'ERR_NGROK_108':
    case 'ERR_NGROK_334':
      return final(t('Your ngrok account already has a tunnel open ({0}). Close it first.', code));
    case 'ERR_NGROK_702':
      return final(t('ngrok allows no more connections of your account for now ({0}). Wait a minute.', code));
    default:
      // The message repeats an authtoken that was refused, so it is masked.
      return {
        kind: 'problem',
        reason: `ngrok: ${maskSecrets(text.trim().split(/\r?\n/)[0] ?? '')}`,
        final: false,
      };
  }
}

function final(reason: string): TunnelEvent {
  return { kind: 'problem', reason, final: true };
}

const adapters = { cloudflared, ngrok };
