import * as vscode from 'vscode';
import { systemClock } from '../../model/processes/clock.ts';
import { isJsonObject } from '../../model/json/jsonObject.ts';
import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import { UserError } from '../../model/text/userError.ts';
import { untilListening } from '../../suite/run/untilListening.ts';
import { DeclinedError } from '../prompts/declinedError.ts';
import { lastFirst } from '../prompts/lastFirst.ts';
import type { Prompts } from '../prompts/prompts.ts';

/** Where the workspace remembers what starts the app. */
const chosenKey = 'testing.launch';
/** How long an app that is debugged may take until it listens: tools may compile it first. */
const startMs = 60_000;

/** A launch configuration, or several under one name. */
interface Launch {
  folder: vscode.WorkspaceFolder;
  name: string;
}

/** The app as it is debugged: started by a launch configuration of the user, and left running for the next test. */
export class DebuggedApp implements vscode.Disposable {
  readonly #prompts: Prompts;
  readonly #memento: vscode.Memento;
  /** What runs, by the names of configurations. */
  readonly #running = new Set<string>();
  readonly #subscriptions = vscode.Disposable.from(
    vscode.debug.onDidStartDebugSession(({ name }) => this.#running.add(name)),
    vscode.debug.onDidTerminateDebugSession(({ name }) => this.#running.delete(name)),
  );

  /** @param memento of the workspace */
  constructor(prompts: Prompts, memento: vscode.Memento) {
    this.#prompts = prompts;
    this.#memento = memento;
    const { activeDebugSession } = vscode.debug;
    if (activeDebugSession !== undefined) this.#running.add(activeDebugSession.name);
  }

  /** Asks which configuration starts the app, and remembers it. */
  async choose(): Promise<Launch> {
    const all = launches();
    if (all.length === 0) {
      throw new UserError(t('There is no launch configuration that starts your app.'), {
        remedies: [{ kind: 'debugHandler' }],
      });
    }
    const picked = await this.#prompts.pick(
      t('Which Launch Configuration Starts Your App?'),
      lastFirst(all, (one) => this.#isChosen(one)).map((one) => ({
        label: plainText(one.name),
        description: plainText(one.folder.name),
        value: one,
      })),
    );
    if (picked === undefined) throw new DeclinedError(t('No launch configuration was chosen.'));
    await this.#memento.update(chosenKey, keyOf(picked));
    return picked;
  }

  /**
   * Starts the app, unless it runs, and waits until it listens.
   * @throws UserError where it does not start
   */
  async ready(to: URL, signal: AbortSignal): Promise<void> {
    const chosen = launches().find((one) => this.#isChosen(one)) ?? (await this.choose());
    signal.throwIfAborted();
    const name = plainText(chosen.name);
    if (!this.#running.has(chosen.name) && !(await vscode.debug.startDebugging(chosen.folder, chosen.name))) {
      throw new UserError(t('"{0}" did not start.', name), { remedies: [{ kind: 'tryAgain' }] });
    }
    if (await untilListening(to, systemClock, startMs, signal)) return;
    throw new UserError(t('"{0}" was started, and nothing listens at {1}.', name, plainText(to.host)), {
      remedies: [{ kind: 'tryAgain' }, { kind: 'setForwardTo' }],
    });
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #isChosen(one: Launch): boolean {
    return this.#memento.get(chosenKey) === keyOf(one);
  }
}

function keyOf({ folder, name }: Launch): string {
  return `${folder.uri.toString()} ${name}`;
}

/** What the launch.json of each folder names. */
function launches(): Launch[] {
  return (vscode.workspace.workspaceFolders ?? []).flatMap((folder) => {
    const settings = vscode.workspace.getConfiguration('launch', folder);
    const listed = ['configurations', 'compounds'].flatMap((key) => settings.get<unknown>(key) ?? []);
    const names = listed.flatMap((one) =>
      isJsonObject(one) && typeof one['name'] === 'string' ? [one['name']] : [],
    );
    return [...new Set(names)].map((name) => ({ folder, name }));
  });
}
