import * as vscode from 'vscode';
import { systemClock } from '../../shared/async/clock.ts';
import { isJsonObject } from '../../shared/json/jsonObject.ts';
import { handlerConfigurationName } from '../kit/handlerConfiguration.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { UserError } from '../../shared/text/userError.ts';
import { untilListening } from '../../suite/run/untilListening.ts';
import { DeclinedError, lastUsedFirst, type Prompts } from '../kit/prompts.ts';

/** Workspace state key of the launch configuration that starts the app. */
const chosenKey = 'testing.launch';
/** How long a debugged app may take until it listens: build tools may compile it first. */
const startMs = 60_000;

/** A launch configuration, or a compound of several. */
interface Launch {
  folder: vscode.WorkspaceFolder;
  name: string;
  /** The configurations to start. A part of a compound may be in another folder, `folderName`. */
  parts: readonly { name: string; folderName: string }[];
}

/** The app under the debugger: started by a launch configuration of the user, and left running for the next test. */
export class DebuggedApp implements vscode.Disposable {
  readonly #parts: { prompts: Prompts; memento: vscode.Memento };
  readonly #running = new Set<vscode.DebugSession>();
  /** Settles once a session that began before is counted too. */
  readonly #isCounted: Promise<unknown>;
  readonly #subscriptions = vscode.Disposable.from(
    vscode.debug.onDidStartDebugSession((session) => this.#running.add(session)),
    vscode.debug.onDidTerminateDebugSession((session) => this.#running.delete(session)),
  );

  /** @param parts the memento is the workspace's */
  constructor(parts: { prompts: Prompts; memento: vscode.Memento }) {
    this.#parts = parts;
    const active = vscode.debug.activeDebugSession;
    // The editor may still name one that has ended, which answers nothing.
    this.#isCounted = Promise.resolve(active?.customRequest('threads')).then(
      () => active && this.#running.add(active),
      () => undefined,
    );
  }

  /** Asks which configuration starts the app, and remembers it. */
  async choose(): Promise<Launch> {
    const all = launches();
    if (all.length === 0) {
      throw new UserError(t('No launch configuration starts your handler.'), {
        remedies: [{ kind: 'debugHandler' }],
      });
    }
    const picked = await this.#parts.prompts.pick(
      t('Which launch configuration starts your handler?'),
      lastUsedFirst(all, (one) => this.#isChosen(one)).map((one) => ({
        label: plainText(one.name),
        description: plainText(one.folder.name),
        value: one,
      })),
    );
    if (picked === undefined) throw new DeclinedError(t('No launch configuration was chosen.'));
    await this.#parts.memento.update(chosenKey, keyOf(picked));
    return picked;
  }

  /**
   * Starts the app unless it runs, and waits until it listens.
   * @throws UserError if it does not start or does not listen
   */
  async ready(to: URL, signal: AbortSignal): Promise<void> {
    const name = plainText(await this.#start(signal));
    if (await untilListening(to, systemClock, startMs, signal)) return;
    throw new UserError(t('"{0}" was started, but nothing listens on {1}.', name, plainText(to.host)), {
      remedies: [{ kind: 'tryAgain' }, { kind: 'setForwardTo' }],
    });
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** @returns the name of what runs now */
  async #start(signal: AbortSignal): Promise<string> {
    await this.#isCounted;
    const known = launches().find((one) => this.#isChosen(one));
    // Started by *Debug a Handler…*, which needs no launch.json.
    const isHandler = ({ configuration }: vscode.DebugSession) =>
      configuration.name === handlerConfigurationName;
    if (known === undefined && [...this.#running].some(isHandler)) return handlerConfigurationName;
    const chosen = known ?? (await this.choose());
    signal.throwIfAborted();
    if (!this.#isRunning(chosen) && !(await vscode.debug.startDebugging(chosen.folder, chosen.name))) {
      throw new UserError(t('"{0}" did not start.', plainText(chosen.name)), {
        remedies: [{ kind: 'tryAgain' }],
      });
    }
    return chosen.name;
  }

  #isRunning({ parts }: Launch): boolean {
    const isStarted = (part: (typeof parts)[number]): boolean =>
      [...this.#running].some(
        // Compare the configuration, as the name of the session differs for the second session of a configuration.
        ({ configuration, workspaceFolder }) =>
          configuration.name === part.name &&
          (workspaceFolder === undefined || workspaceFolder.name === part.folderName),
      );
    return parts.length > 0 && parts.every(isStarted);
  }

  #isChosen(one: Launch): boolean {
    return this.#parts.memento.get(chosenKey) === keyOf(one);
  }
}

function keyOf({ folder, name }: Launch): string {
  return `${folder.uri.toString()} ${name}`;
}

/** The configurations and compounds in the launch.json of each folder. */
function launches(): Launch[] {
  return (vscode.workspace.workspaceFolders ?? []).flatMap((folder) => {
    const settings = vscode.workspace.getConfiguration('launch', folder);
    const listed = (key: string) => [settings.get<unknown>(key) ?? []].flat().filter(isNamed);
    const found = [
      ...listed('configurations').map(({ name }) => ({ name, parts: [{ name, folderName: folder.name }] })),
      ...listed('compounds').map((one) => ({ name: one.name, parts: partsOf(one, folder.name) })),
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

function isNamed(one: unknown): one is { name: string; configurations?: unknown; folder?: unknown } {
  return isJsonObject(one) && typeof one['name'] === 'string';
}
