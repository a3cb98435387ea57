import { basename, isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import type { ListenerState } from '../../deliveries/listenerState.ts';
import {
  type TunnelProgram,
  type TunnelProvider,
  tunnelPrograms,
} from '../../deliveries/listenerProtocol.ts';
import { t } from '../../shared/text/l10n.ts';
import { config } from '../kit/config.ts';
import { type Choice, DeclinedError, type Prompts } from '../kit/prompts.ts';
import { Turns } from '../../shared/async/turns.ts';
import { type Codespace, codespaceOf } from './codespace.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { UserError } from '../../shared/text/userError.ts';
import { settingIds } from '../kit/ids.ts';
import type { Services } from '../kit/services.ts';
import { openRelay } from './openRelay.ts';
import { RelayStorage } from './relayStorage.ts';
import { findProgram, isProgram } from '../../shared/files/findProgram.ts';

/** Opens and closes the tunnel for this window: the listener program's, or a codespace's own address. */
export class TunnelControl implements vscode.Disposable {
  readonly #parts: Services;
  readonly #listening: vscode.Disposable;
  /** The codespace whose address is open, and the port that it leads to. */
  #opened: { codespace: Codespace; port: number } | undefined;
  /** Whether the one that is opening was cancelled or closed: its failure is no news. */
  #isGivenUp = false;
  /** Opening and closing run one at a time. */
  readonly #turns = new Turns();

  constructor(parts: Services) {
    this.#parts = parts;
    this.#listening = parts.listener.onDidChangeState((state) => this.#follow(state));
  }

  /**
   * Opens the tunnel, unless it is open or the settings have a public URL. Starts the listener if needed.
   * @throws UserError if no way is available or the program opens no tunnel, DeclinedError if the user declines
   */
  open(options: { provider?: TunnelProvider; confirmed?: boolean } = {}): Promise<{ publicUrl: string }> {
    const { context, listener, prompts } = this.#parts;
    const open = async (): Promise<{ publicUrl: string }> => {
      const { globalState } = context;
      const before = await listener.tunnel.known();
      if (before.kind === 'open') return { publicUrl: before.publicUrl };
      // A tunnel that is opening was requested in another window: the program returns that one.
      // One that cannot be reached at the moment is tried again.
      if (before.kind === 'reopening' && before.publicUrl !== undefined)
        return { publicUrl: before.publicUrl };
      if (before.kind !== 'opening') await this.#end();
      const configuredUrl = config.publicUrl();
      if (configuredUrl !== '') {
        await listener.start();
        return { publicUrl: configuredUrl };
      }
      const way = await tunnelWay(prompts, globalState, options.provider ?? config.tunnelProvider());
      const { port } = await listener.start();
      // The program may have run, with an open tunnel, before this window attached to it.
      const { state } = listener.tunnel;
      if (state.kind === 'open') return { publicUrl: state.publicUrl };
      if (way.kind === 'relay') return { publicUrl: await this.#withProgress(() => openRelay(this.#parts)) };
      // guard S50: The user is asked before a program is started for the first time.
      if (options.confirmed !== true) await allowTunnel(prompts, globalState, way, port);
      const opening =
        way.kind === 'codespace' ? this.#openCodespace(way.codespace, port) : this.#openProgram(way);
      return { publicUrl: await opening };
    };
    return this.#turns.next(() => listener.tunnel.whileOpening(open));
  }

  /** Closes the tunnel. Also cancels one that is opening. */
  close(): Promise<void> {
    const { tunnel } = this.#parts.listener;
    const ending = tunnel.state.kind === 'opening' ? this.#giveUp() : undefined;
    return this.#turns.next(async () => {
      await ending;
      await this.#end();
    });
  }

  /** The program's tunnel stays open without this window. */
  dispose(): void {
    this.#listening.dispose();
    this.#closeCodespaceInBackground();
  }

  #openProgram({ program, command }: TunnelWay & { kind: 'program' }): Promise<string> {
    return this.#withProgress(() => this.#parts.listener.tunnel.open(program, command));
  }

  #giveUp(): Promise<void> {
    this.#isGivenUp = true;
    return this.#parts.listener.tunnel.close();
  }

  async #withProgress(open: () => Promise<string>): Promise<string> {
    const title = t('Opening a tunnel');
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    this.#isGivenUp = false;
    return await vscode.window.withProgress(options, async (_, cancellation) => {
      const cancelled = cancellation.onCancellationRequested(() => void this.#giveUp());
      try {
        return await open();
      } catch (error) {
        if (!this.#isGivenUp) throw error;
        throw new DeclinedError(t('No tunnel was opened.'));
      } finally {
        cancelled.dispose();
      }
    });
  }

  /** Opens a codespace's own forwarded address to everyone, with one command. */
  async #openCodespace(codespace: Codespace, port: number): Promise<string> {
    const { tunnel } = this.#parts.listener;
    this.#opened = { codespace, port };
    // guard S77: While the tunnel of a codespace is open, nothing unsigned is taken either.
    await tunnel.setTunnelled(true);
    runInTerminal(codespace.visibilityCommand(port, 'public'));
    const publicUrl = codespace.url(port);
    tunnel.set({ kind: 'open', provider: 'codespaces', publicUrl });
    return publicUrl;
  }

  async #end(): Promise<void> {
    await new RelayStorage(this.#parts.context).setWanted(false);
    await this.#parts.listener.tunnel.close();
    await this.#endCodespace();
  }

  async #endCodespace(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    if (opened === undefined) return;
    const { tunnel } = this.#parts.listener;
    runInTerminal(opened.codespace.visibilityCommand(opened.port, 'private'));
    tunnel.set({ kind: 'closed' });
    await tunnel.setTunnelled(false);
  }

  /** Closes an address whose port is no longer listened on: it would lead strangers to the port's next user. */
  #follow(state: ListenerState): void {
    if (this.#opened === undefined || state.kind === 'starting') return;
    if (state.kind !== 'listening' || state.port !== this.#opened.port) this.#closeCodespaceInBackground();
  }

  #closeCodespaceInBackground(): void {
    this.#turns
      .next(() => this.#endCodespace())
      .catch((error: unknown) => this.#parts.log.error(`Closing the tunnel failed: ${String(error)}`));
  }
}

/** Runs a command in a visible terminal. */
function runInTerminal(command: string): void {
  const name = t('Runhook Tunnel');
  const terminal =
    vscode.window.terminals.find((one) => one.name === name) ?? vscode.window.createTerminal({ name });
  terminal.sendText(command);
  terminal.show(true);
}

/** How the listener is made public. */
type TunnelWay =
  | { kind: 'program'; program: TunnelProgram; command: string }
  | { kind: 'codespace'; codespace: Codespace }
  | { kind: 'relay'; url: string };

/** Keys of what was chosen and allowed before, on this machine across workspaces. */
const providerKey = 'tunnel.provider';
const allowedKey = 'tunnel.allowed';

/**
 * Chooses how the listener is made public: as the settings say, else with what is available. If there are several
 * ways, asks once and remembers the answer. Never downloads anything.
 * @throws UserError if no way is available, DeclinedError if the user declines
 */
async function tunnelWay(
  prompts: Prompts,
  memento: vscode.Memento,
  wanted: TunnelProvider | 'auto',
): Promise<TunnelWay> {
  const ways = await allWays(wanted);
  const fitting = ways.filter((way) => wanted === 'auto' || providerOf(way) === wanted);
  const [only] = fitting;
  if (only === undefined) throw nothingFound(wanted);
  if (fitting.length === 1) return only;
  const last = memento.get<string>(providerKey);
  const remembered = fitting.find((way) => providerOf(way) === last);
  if (remembered !== undefined) return remembered;
  const choices = fitting.map((way): Choice<TunnelWay> => ({
    label: providerOf(way),
    description: descriptionOf(way),
    value: way,
  }));
  const picked = await prompts.pick(t('Open the Tunnel With'), choices);
  if (picked === undefined) throw new DeclinedError(t('No tunnel was opened.'));
  await memento.update(providerKey, providerOf(picked));
  return picked;
}

/** Asks whether the way may be used, unless it was allowed before. @throws DeclinedError if the user declines */
async function allowTunnel(
  prompts: Prompts,
  memento: vscode.Memento,
  way: Exclude<TunnelWay, { kind: 'relay' }>,
  port: number,
): Promise<void> {
  const allowed = memento.get<string[]>(allowedKey, []);
  const what = way.kind === 'program' ? way.command : way.codespace.visibilityCommand(port, 'public');
  const key = way.kind === 'program' ? way.command : 'codespaces';
  if (allowed.includes(key)) return;
  const agreed = await prompts.confirm(
    t('Make the webhook listener reachable from the internet?'),
    t(
      'Runhook runs {0}. While the tunnel is open, only deliveries that are signed with your secret are accepted.',
      plainText(what, 300),
    ),
    t('Open Tunnel'),
  );
  if (!agreed) throw new DeclinedError(t('No tunnel was opened.'));
  await memento.update(allowedKey, [...allowed, key]);
}

async function allWays(wanted: TunnelProvider | 'auto'): Promise<TunnelWay[]> {
  const codespace = codespaceOf(process.env);
  const command = config.tunnelCommand();
  const programs = command === '' ? await onPath() : await named(command, wanted);
  const url = config.relayUrl();
  return [
    ...(url === '' ? [] : [{ kind: 'relay', url } as const]),
    ...(codespace ? [{ kind: 'codespace', codespace } as const] : []),
    ...programs,
  ];
}

async function onPath(): Promise<TunnelWay[]> {
  const found = tunnelPrograms.map(async (program): Promise<TunnelWay[]> => {
    const command = await findProgram(program, process.env, process.platform);
    return command === undefined ? [] : [{ kind: 'program', program, command }];
  });
  return (await Promise.all(found)).flat();
}

/** The way with the program that the setting names, by its path or by a name on the PATH; none where no program is wanted. */
async function named(program: string, wanted: TunnelProvider | 'auto'): Promise<TunnelWay[]> {
  if (wanted === 'relay' || wanted === 'codespaces') return [];
  const isName = basename(program) === program;
  const found = isName ? await findProgram(program, process.env, process.platform) : undefined;
  const isPath = isAbsolute(program);
  const command = isPath && (await isProgram(program)) ? program : found;
  if (command === undefined) {
    throw new UserError(
      isPath
        ? t('There is no program {0}. Correct "runhook.tunnel.command".', program)
        : t('"{0}" is not a program. Set "runhook.tunnel.command" to its full path.', program),
      { remedies: [{ kind: 'openSettings', ids: [settingIds.tunnelCommand] }] },
    );
  }
  return [{ kind: 'program', program: programOf(command, wanted), command }];
}

function providerOf(way: TunnelWay): TunnelProvider {
  if (way.kind === 'relay') return 'relay';
  return way.kind === 'codespace' ? 'codespaces' : way.program;
}

function descriptionOf(way: TunnelWay): string {
  if (way.kind === 'relay') return way.url;
  return way.kind === 'program' ? way.command : t('the address of this codespace');
}

/** Which kind of program a command is: the one that is wanted, else by its name. */
function programOf(command: string, wanted: TunnelProvider | 'auto'): TunnelProgram {
  const program = tunnelPrograms.find(
    (one) => one === wanted || (wanted === 'auto' && basename(command).toLowerCase().startsWith(one)),
  );
  if (program !== undefined) return program;
  throw new UserError(t('Set "runhook.tunnel.provider" too: {0} may be cloudflared or ngrok.', command), {
    remedies: [{ kind: 'openSettings', ids: [settingIds.tunnelProvider] }],
  });
}

function nothingFound(wanted: TunnelProvider | 'auto'): UserError {
  if (wanted === 'relay') {
    return new UserError(t('There is no relay. Set its address as "runhook.relay.url".'), {
      remedies: [{ kind: 'openSettings', ids: [settingIds.relayUrl] }],
    });
  }
  const missing =
    wanted === 'auto'
      ? t('Neither cloudflared nor ngrok was found on the PATH.')
      : t('{0} was not found.', wanted);
  return new UserError(
    t(
      '{0} Install it, name it in "runhook.tunnel.command", or set "runhook.listener.publicUrl" to an address of your own.',
      missing,
    ),
    {
      brief: missing,
      remedies: [
        { kind: 'install', program: wanted === 'ngrok' ? 'ngrok' : 'cloudflared' },
        { kind: 'setPublicUrl' },
        { kind: 'openSettings', ids: [settingIds.tunnelCommand] },
      ],
    },
  );
}
