import * as vscode from 'vscode';
import { delay, systemClock } from '../../shared/async/clock.ts';
import { isJsonObject } from '../../shared/json/jsonObject.ts';
import { handlerConfiguration, handlerConfigurationName, runtimeOf } from '../kit/handlerConfiguration.ts';
import { t } from '../../shared/text/l10n.ts';
import { sentences } from '../../shared/text/sentences.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { type Remedy, UserError } from '../../shared/text/userError.ts';
import { takesConnection, untilListening } from '../../suite/run/untilListening.ts';
import { DeclinedError, lastUsedFirst, type Prompts } from '../kit/prompts.ts';
import { columnOf, showDocument } from '../kit/showDocument.ts';
import { askHandlerFile, type StartingFile, startingFile } from './handlerFile.ts';

/** Workspace state key of the launch configuration that was chosen last, and of those by app. */
const chosenKey = 'testing.launch';
/** That of the file that starts the handler, where there is no launch.json. */
const fileKey = 'testing.handler';
const ofAppKey = (app: string): string => `debug.launch.${app}`;
/** How long a debugged app may take until it listens: build tools may compile it first. */
export const startMs = 60_000;
/** How long looking for something that listens already may take. */
const lookMs = 2000;

/** One configuration. That of a compound may be in another folder, `folderName`. */
interface LaunchPart {
  name: string;
  folderName: string;
}

/** A launch configuration, or a compound of several. */
export interface Launch {
  folder: vscode.WorkspaceFolder;
  name: string;
  /** The file that it starts, as launch.json has it. */
  program?: string;
  /** It attaches the debugger to what runs already. */
  attaches: boolean;
  /** The configurations to start. */
  parts: readonly LaunchPart[];
  /** Where launch.json does not have it. */
  configuration?: vscode.DebugConfiguration;
}

/** Whether Node itself has to understand the TypeScript of a file. */
function isPlainTypeScript(configuration: Record<string, unknown> = {}): boolean {
  const { program, runtimeArgs } = configuration;
  return typeof program === 'string' && /ts$/i.test(program) && runtimeArgs === undefined;
}

/** The app under the debugger: started by a launch configuration of the user, and left running for the next test. */
export class DebuggedApp implements vscode.Disposable {
  readonly #parts: { prompts: Prompts; memento: vscode.Memento };
  readonly #running = new Set<vscode.DebugSession>();
  /** Aborted once nothing runs any more. */
  #ended = new AbortController();
  #address: string | undefined;
  /** The configurations that did not start or listen when last started, as wrong ones: they are asked for anew. */
  readonly #silent = new Set<string>();
  /** The sessions of a file that was started last and did not listen. */
  #unheard: ReadonlySet<vscode.DebugSession> = new Set();
  /** Settles once a session that began before is counted too. */
  readonly #isCounted: Promise<unknown>;
  readonly #subscriptions = vscode.Disposable.from(
    vscode.debug.onDidStartDebugSession((session) => {
      if (this.#running.size === 0) this.#ended = new AbortController();
      this.#running.add(session);
    }),
    vscode.debug.onDidTerminateDebugSession((session) => {
      this.#running.delete(session);
      if (this.#running.size === 0) this.#ended.abort();
    }),
  );

  /** @param parts the memento is the workspace's */
  constructor(parts: { prompts: Prompts; memento: vscode.Memento }) {
    this.#parts = parts;
    const active = vscode.debug.activeDebugSession;
    // The editor may still name one that has ended, which answers nothing.
    this.#isCounted = Promise.resolve(active?.customRequest('threads')).then(
      () => {
        // What was started has a session of its own below it, which is the active one.
        for (let one = active; one !== undefined; one = one.parentSession) this.#running.add(one);
      },
      () => undefined,
    );
  }

  /**
   * Starts the file of a handler under the debugger, shows it, and waits until it listens.
   * @throws UserError if it does not start or does not listen
   */
  async startFile(file: StartingFile, to: URL, signal: AbortSignal): Promise<void> {
    const { uri } = file.document;
    const launch = configurationOf(file, to);
    await this.#parts.memento.update(fileKey, uri.toString());
    const viewColumn = columnOf((one) => String(one) === String(uri));
    await showDocument(uri, { preview: false, ...(viewColumn !== undefined && { viewColumn }) });
    const isUnheard = (session: vscode.DebugSession): boolean => this.#unheard.has(session);
    if (!(await takesConnection(to, AbortSignal.timeout(lookMs)))) {
      await this.#endFirst(isUnheard, signal);
    } else if ([...this.#running].some(isUnheard)) {
      // What was started last listens here, and not where it was looked for.
      this.#unheard = new Set();
      this.#address = to.href;
      return;
    }
    const before = new Set(this.#running);
    await this.#requireFree(to, launch);
    await begin(launch);
    this.#address = to.href;
    try {
      await this.#untilItListens(launch.name, to, signal, launch);
    } catch (error) {
      this.#unheard = new Set([...this.#running].filter((session) => !before.has(session)));
      throw error;
    }
  }

  /** Where the handler runs that was started by its file; undefined if it does not. */
  get address(): string | undefined {
    return this.runsHandler ? this.#address : undefined;
  }

  /** Asks which configuration starts the app, and remembers it. @param app whose deliveries its handler takes */
  async choose(app?: string): Promise<Launch> {
    const all = launches();
    if (all.length === 0) {
      throw new UserError(t('No launch configuration starts your handler.'), {
        remedies: [{ kind: 'debugHandler' }],
      });
    }
    const picked = await this.#parts.prompts.pick(
      t('Which launch configuration starts your handler?'),
      lastUsedFirst(all, (one) => this.#isChosen(one, app)).map((one) => ({
        label: plainText(one.name),
        description: plainText(one.folder.name),
        value: one,
      })),
    );
    if (picked === undefined) throw new DeclinedError(t('No launch configuration was chosen.'));
    await this.#remember(picked, app);
    return picked;
  }

  /**
   * The configuration that starts the handler of an app: the one with that name, else the one that was chosen for the
   * app and listened, else the user is asked. Undefined if there is none, or if *Debug a Handler…* has started one.
   */
  async launchOf(app: string | undefined, name?: string): Promise<Launch | undefined> {
    await this.#isCounted;
    const all = launches();
    if (name !== undefined) {
      const named = all.find((one) => one.name === name);
      if (named !== undefined) return named;
      const shown = plainText(name);
      throw new UserError(t('There is no launch configuration "{0}".', shown), {
        remedies: [{ kind: 'debugHandler' }],
      });
    }
    const known = this.#chosen(all, app);
    if (known !== undefined) return known;
    return all.length === 0 || this.runsHandler ? undefined : this.choose(app);
  }

  /** Whether a handler runs that *Debug a Handler…*, which needs no launch.json, has started. */
  get runsHandler(): boolean {
    return [...this.#running].some(({ configuration }) => configuration.name === handlerConfigurationName);
  }

  /**
   * Starts the app unless it runs, and waits until it listens. One that runs and did not listen is started anew, since
   * it may have been mended.
   * @param launch absent: the one that was chosen last
   * @returns the name of what runs now
   * @throws UserError if it does not start or does not listen
   */
  async ready(to: URL, signal: AbortSignal, launch?: Launch): Promise<string> {
    const chosen = await this.#toStart(to, signal, launch);
    if (chosen === undefined) {
      await this.#untilItListens(handlerConfigurationName, to, signal);
      return handlerConfigurationName;
    }
    const key = keyOf(chosen);
    try {
      if (!this.#isRunning(chosen)) await begin(chosen);
      await this.#untilItListens(chosen.name, to, signal);
    } catch (error) {
      this.#silent.add(key);
      throw error;
    }
    this.#silent.delete(key);
    return chosen.name;
  }

  /**
   * Starts the handler without the debugger, and waits until it listens.
   * @param variables what is set for it, beside the Node options that its configuration has
   * @throws UserError if it runs already, does not start or does not listen
   */
  async startWith(
    variables: (nodeOptions?: string) => Record<string, string>,
    to: readonly [URL, ...URL[]],
    signal: AbortSignal,
  ): Promise<{ name: string; end: () => void }> {
    const launch = (await this.launchOf(undefined)) ?? configurationOf(await this.#fileOfNode(), to[0]);
    for (const one of to) {
      if (!(await takesConnection(one, AbortSignal.timeout(lookMs)))) continue;
      const host = plainText(one.host);
      throw new UserError(
        t('Your handler already listens at {0}. End it first: coverage is measured from its start.', host),
        { remedies: [{ kind: 'tryAgain' }] },
      );
    }
    signal.throwIfAborted();
    const before = new Set(this.#running);
    const isPart = ({ name }: vscode.DebugConfiguration) => launch.parts.some((part) => part.name === name);
    const end = (): void => {
      void this.#end((session) => !before.has(session) && isPart(session.configuration));
    };
    const setting = vscode.debug.registerDebugConfigurationProvider('*', {
      resolveDebugConfiguration(_, configuration: vscode.DebugConfiguration & { env?: NodeJS.ProcessEnv }) {
        const { env } = configuration;
        const set = { ...env, ...variables(env?.['NODE_OPTIONS']) };
        return isPart(configuration) ? { ...configuration, env: set } : configuration;
      },
    });
    try {
      await begin(launch, { noDebug: true, suppressDebugToolbar: true, suppressDebugView: true });
      for (const one of to) await this.#untilItListens(launch.name, one, signal, launch);
      return { name: launch.name, end };
    } catch (error) {
      end();
      throw error;
    } finally {
      setting.dispose();
    }
  }

  /** Asks what starts the handler: a launch configuration, or without a launch.json its file. */
  async chooseStart(): Promise<void> {
    if (launches().length > 0) await this.choose();
    else await this.handlerFile(() => false);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** What starts the app, or runs; undefined if that is what *Debug a Handler…* has started. */
  async #toStart(to: URL, signal: AbortSignal, launch: Launch | undefined): Promise<Launch | undefined> {
    await this.#isCounted;
    const known = launch ?? this.#chosen(launches());
    if (known === undefined && this.runsHandler) return undefined;
    const chosen = known ?? (await this.choose());
    signal.throwIfAborted();
    if (this.#silent.has(keyOf(chosen)) && !(await takesConnection(to, AbortSignal.timeout(lookMs)))) {
      await this.#endFirst((session) => chosen.parts.some((part) => isOf(session, part)), signal);
    }
    if (!this.#isRunning(chosen)) await this.#requireFree(to, chosen);
    return chosen;
  }

  /** Ends sessions before others start: the editor asks about a second one of a configuration. */
  async #endFirst(isEnded: (session: vscode.DebugSession) => boolean, signal: AbortSignal): Promise<void> {
    await Promise.race([this.#end(isEnded), delay(systemClock, lookMs, signal)]);
  }

  /** The editor never says so of a session that ends by itself meanwhile. */
  async #end(isEnded: (session: vscode.DebugSession) => boolean): Promise<void> {
    const sessions = [...this.#running].filter(isEnded);
    // What starts next does not take them for those that run.
    for (const session of sessions) this.#running.delete(session);
    await Promise.all(sessions.map((session) => vscode.debug.stopDebugging(session)));
  }

  /** @throws UserError if the handler listens there without the debugger */
  async #requireFree(to: URL, { attaches }: Launch): Promise<void> {
    await this.#isCounted;
    const mayListen = attaches || this.#running.size > 0;
    if (!mayListen && (await takesConnection(to, AbortSignal.timeout(lookMs)))) {
      throw new UserError(
        t(
          'Your handler already listens at {0}, but not under the debugger. End it first.',
          plainText(to.host),
        ),
        { remedies: [{ kind: 'tryAgain' }, { kind: 'setForwardTo' }] },
      );
    }
  }

  /** The file that starts the handler: asked for once. @param fits whether the known one will do */
  async handlerFile(fits: (file: StartingFile) => boolean = () => true): Promise<StartingFile> {
    const { prompts, memento } = this.#parts;
    const known = memento.get<string>(fileKey);
    const file = known && (await startingFile(vscode.Uri.parse(known)).catch(() => undefined));
    if (file && fits(file)) return file;
    const picked = await askHandlerFile(prompts);
    await memento.update(fileKey, picked.document.uri.toString());
    return picked;
  }

  /** @throws UserError if the user names a file that does not run in Node */
  async #fileOfNode(): Promise<StartingFile> {
    const isOfNode = ({ path }: StartingFile) => runtimeOf(path) === 'node';
    const file = await this.handlerFile(isOfNode);
    if (isOfNode(file)) return file;
    throw notInNode(file.path, [{ kind: 'tryAgain' }]);
  }

  /** Whether it runs now. @param launch absent: what *Debug a Handler…* has started */
  runs(launch: Launch | undefined): boolean {
    return launch === undefined ? this.runsHandler : this.#isRunning(launch);
  }

  /** Whether it ends within a moment. @param launch absent: what *Debug a Handler…* has started */
  async endsSoon(launch: Launch | undefined): Promise<boolean> {
    return isSoon(() => !this.runs(launch));
  }

  /** Whether a breakpoint is set in what runs: those of other files stay set for days. A debugger may not say where it is. */
  async canStop(): Promise<boolean> {
    const set = vscode.debug.breakpoints.filter(({ enabled }) => enabled);
    if (set.length === 0) return false;
    let found: (boolean | undefined)[] = [];
    const isReached = await isSoon(async () => {
      found = await Promise.all(set.map((one) => this.#isReached(one)));
      return found.includes(true);
    });
    return isReached || found.includes(undefined);
  }

  /** Whether a debugger has found the line of a breakpoint in what runs; undefined where none says anything of it. */
  async #isReached(breakpoint: vscode.Breakpoint): Promise<boolean | undefined> {
    const known = [...this.#running].map((session) => session.getDebugProtocolBreakpoint(breakpoint));
    // Of the protocol's breakpoints, the editor declares nothing.
    const said = (await Promise.all(known)).filter(Boolean) as { verified?: boolean }[];
    return said.length === 0 ? undefined : said.some(({ verified }) => verified === true);
  }

  /** Waits until a debugger knows a breakpoint, for a moment: not every one says so. */
  async stopsAt(breakpoint: vscode.Breakpoint): Promise<void> {
    await isSoon(async () => (await this.#isReached(breakpoint)) !== undefined);
  }

  /**
   * @param launch of a file, where launch.json has none
   * @throws UserError if what was started does not listen there, or has ended before
   */
  async #untilItListens(started: string, to: URL, signal: AbortSignal, launch?: Launch): Promise<void> {
    const ended = this.#ended.signal;
    const either = AbortSignal.any([signal, ended]);
    const listens = await untilListening(to, systemClock, startMs, either).catch((error: unknown) => {
      signal.throwIfAborted();
      if (!ended.aborted) throw error;
      return false;
    });
    if (listens) return;
    const [name, host] = [plainText(started), plainText(to.host)];
    const why = isPlainTypeScript(launch?.configuration)
      ? t('The Debug Console says why: TypeScript needs Node 22.18 or newer, or tsx in the folder.')
      : t('The Debug Console says why. If nothing stands there, the file starts no server.');
    const message = ended.aborted
      ? sentences(t('"{0}" ended before it listened on {1}.', name, host), why)
      : t('"{0}" was started, but nothing listens on {1}.', name, host);
    throw new UserError(message, { remedies: [{ kind: 'tryAgain' }, { kind: 'setForwardTo' }] });
  }

  #isRunning({ parts }: Launch): boolean {
    const isStarted = (part: LaunchPart): boolean =>
      [...this.#running].some((session) => isOf(session, part));
    return parts.length > 0 && parts.every(isStarted);
  }

  /** The configuration that was chosen, unless there are others and it did not start or listen. */
  #chosen(all: readonly Launch[], app?: string): Launch | undefined {
    const chosen = all.find((one) => this.#isChosen(one, app));
    return chosen !== undefined && all.length > 1 && this.#silent.has(keyOf(chosen)) ? undefined : chosen;
  }

  #isChosen(one: Launch, app?: string): boolean {
    const { memento } = this.#parts;
    const ofApp = app === undefined ? undefined : memento.get(ofAppKey(app));
    return (ofApp ?? memento.get(chosenKey)) === keyOf(one);
  }

  async #remember(one: Launch, app: string | undefined): Promise<void> {
    await this.#parts.memento.update(app === undefined ? chosenKey : ofAppKey(app), keyOf(one));
  }
}

/** Looks again for a moment. @returns whether it has become so */
async function isSoon(isSo: () => boolean | Promise<boolean>): Promise<boolean> {
  const end = systemClock.now() + lookMs;
  const { signal } = new AbortController();
  for (;;) {
    if (await isSo()) return true;
    if (systemClock.now() >= end) return false;
    await delay(systemClock, 50, signal);
  }
}

/** An app got another name: the launch configuration that was chosen for it goes with it. */
export async function renameLaunch(memento: vscode.Memento, from: string, to: string): Promise<void> {
  await memento.update(ofAppKey(to), memento.get(ofAppKey(from)));
}

/** Only what runs in Node is measured. @param name what would start the handler */
export function notInNode(name: string, remedies: readonly Remedy[] = []): UserError {
  const message = t(
    '"{0}" does not run your handler in Node: coverage is measured there alone.',
    plainText(name, 100),
  );
  return new UserError(message, { remedies });
}

/** @throws UserError if it does not start */
async function begin(
  { folder, name, configuration }: Pick<Launch, 'folder' | 'name' | 'configuration'>,
  options: vscode.DebugSessionOptions = {},
): Promise<void> {
  if (await vscode.debug.startDebugging(folder, configuration ?? name, options)) return;
  throw new UserError(t('"{0}" did not start.', plainText(name)), { remedies: [{ kind: 'tryAgain' }] });
}

/** The launch configuration of a file, where there is no launch.json. */
function configurationOf({ folder, path, document, hasTsx }: StartingFile, to: URL): Launch {
  // Without a task, before which the editor asks about each error in Problems: who needs the listener starts it.
  const configuration = handlerConfiguration({ path, text: document.getText(), hasTsx }, to);
  const { name } = configuration;
  return { folder, name, configuration, attaches: false, parts: [{ name, folderName: folder.name }] };
}

function keyOf({ folder, name }: Launch): string {
  return `${folder.uri.toString()} ${name}`;
}

/** Compares the configuration, as the name of the session differs for the second session of a configuration. */
function isOf({ configuration, workspaceFolder }: vscode.DebugSession, part: LaunchPart): boolean {
  return (
    configuration.name === part.name &&
    (workspaceFolder === undefined || workspaceFolder.name === part.folderName)
  );
}

/** The configurations and compounds in the launch.json of each folder. */
function launches(): Launch[] {
  return (vscode.workspace.workspaceFolders ?? []).flatMap((folder) => {
    const settings = vscode.workspace.getConfiguration('launch', folder);
    const listed = (key: string) => [settings.get<unknown>(key) ?? []].flat().filter(isNamed);
    const attaching = listed('configurations').flatMap((one) => (one.request === 'attach' ? one.name : []));
    const found = [
      ...listed('configurations').map(({ name, program }) => ({
        name,
        ...(typeof program === 'string' && { program }),
        attaches: attaching.includes(name),
        parts: [{ name, folderName: folder.name }],
      })),
      ...listed('compounds').map((one) => {
        const parts = partsOf(one, folder.name);
        const attaches = parts.some(({ name }) => attaching.includes(name));
        return { name: one.name, attaches, parts };
      }),
    ];
    const byName = new Map(found.map((one) => [one.name, { ...one, folder }]));
    return [...byName.values()];
  });
}

/** The parts of a compound: names of configurations in its folder, or objects that may name another folder. */
function partsOf({ configurations }: { configurations?: unknown }, folderName: string): Launch['parts'] {
  return [configurations ?? []].flat().flatMap((one: unknown) => {
    if (typeof one === 'string') return [{ name: one, folderName }];
    if (!isNamed(one)) return [];
    const { folder = folderName } = one;
    return [{ name: one.name, folderName: String(folder) }];
  });
}

interface NamedEntry {
  name: string;
  program?: unknown;
  request?: unknown;
  configurations?: unknown;
  folder?: unknown;
}

function isNamed(one: unknown): one is NamedEntry {
  return isJsonObject(one) && typeof one['name'] === 'string';
}
