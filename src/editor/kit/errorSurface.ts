import * as vscode from 'vscode';
import { findProgram } from '../../shared/files/findProgram.ts';
import { type CommandId, commandIds } from '../../contract/commands.ts';
import { installers, installLine } from './installLine.ts';
import type { TunnelProgram } from '../../deliveries/listenerProtocol.ts';
import { webhookEndpoint } from '../../service/runs/runUrl.ts';
import { t } from '../../shared/text/l10n.ts';
import { type Again, type Remedy, UserError } from '../../shared/text/userError.ts';
import { config, writeSetting } from './config.ts';
import { remediesOf } from './defaultRemedies.ts';
import { openSettings } from './openSettings.ts';
import { settingIds } from './ids.ts';
import { type Log, logError, readableError } from './log.ts';
import { DeclinedError, type Prompts } from './prompts.ts';

/** The most buttons that a message has room for: the editor cuts the labels of more. */
const mostVerbs = 3;

/** Shows errors of work that no caller waits for, with buttons that fix the cause and continue. */
export class ErrorSurface {
  readonly #parts: VerbParts;

  constructor(parts: VerbParts) {
    this.#parts = parts;
  }

  /** Like {@link show}, but does not wait for the user's answer. */
  report(...shown: Parameters<ErrorSurface['show']>): void {
    this.show(...shown).catch((failure: unknown) => logError(this.#parts.log, failure));
  }

  /**
   * Shows an error. Resolves when the user has answered the message and the chosen verb is done. A `DeclinedError` is
   * not shown, nor is one that is shown already.
   * @param what what failed, as the start of a sentence: the title of a command
   * @param again runs it again
   * @param then goes on with what waits for it, once it has succeeded after all
   */
  async show(what: string, error: unknown, again: Again, then?: () => Promise<unknown>): Promise<void> {
    if (error instanceof DeclinedError || (error instanceof UserError && error.isShown)) return;
    const { prompts, log } = this.#parts;
    const { message: whole } = readableError(log, what, error);
    const remedies = error instanceof UserError ? remediesOf(error) : [{ kind: 'showLog' } as const];
    const verbs = verbsOf(remedies);
    const isTooMany = verbs.length > mostVerbs;
    const buttons = isTooMany ? verbs.slice(0, mostVerbs - 1) : verbs;
    const titles = [...buttons.map(({ title }) => title), ...(isTooMany ? [t('More…')] : [])];
    const brief = error instanceof UserError && verbs.length > 0 ? error.brief : undefined;
    const message = brief ?? whole;
    const told = await prompts.tell(message, titles);
    const others = verbs.slice(buttons.length).map(({ title }) => ({ label: title, value: title }));
    const picked = isTooMany && told === titles.at(-1) ? await prompts.pick(message, others) : told;
    const shown = async (work: () => Promise<unknown> | undefined): Promise<void> => {
      try {
        await work();
      } catch (failure) {
        await this.show(what, failure, again, then);
      }
    };
    const redo = error instanceof UserError ? (error.again ?? again) : again;
    const goOn: Again = (change) =>
      shown(async () => {
        await redo(change);
        await then?.();
      });
    await shown(() => verbs.find(({ title }) => title === picked)?.run(this.#parts, goOn));
  }
}

/** What verbs need to run. */
interface VerbParts {
  prompts: Prompts;
  log: Log;
  /** Runs a command as from the palette, and `then` once it has succeeded, be it by a verb of its own message. */
  done: (id: CommandId, argument?: object, then?: () => Promise<unknown>) => Promise<void>;
}

/** A button of a message: its label and its action. */
interface Verb {
  title: string;
  /** @param again runs the failed work again */
  run: (parts: VerbParts, again: Again) => Promise<unknown>;
}

/** The verbs of remedies, without the API keys page if no dashboard address is set. */
export function verbsOf(remedies: readonly Remedy[]): Verb[] {
  const hasPage = config.dashboardUrl().holds !== '';
  return remedies.filter(({ kind }) => kind !== 'openApiKeysPage' || hasPage).map(verbOf);
}

function verbOf(remedy: Remedy): Verb {
  switch (remedy.kind) {
    case 'tryAgain':
      return { title: t('Try Again'), run: (_, again) => again() };
    case 'deliverHere':
      return { title: t('Deliver Here'), run: (_, again) => again({ webhook: false, deliverHere: true }) };
    case 'runWithoutWebhook':
      return { title: t('Run without Webhook'), run: (_, again) => again({ webhook: false }) };
    case 'setPublicUrl':
      return { title: t('Set Public Address…'), run: setPublicUrl };
    case 'acceptLocalCertificates':
      return { title: t('Accept Local Certificates'), run: acceptLocalCertificates };
    case 'addProject':
      return first(t('Add Project…'), commandIds.addProject);
    case 'addServiceAccount':
      return first(t('Add Service Account…'), commandIds.addServiceAccount, argumentOf(remedy));
    case 'addApp':
      return first(t('Add App…'), commandIds.addApp, argumentOf(remedy));
    case 'setToken':
      return first(t('Set Token…'), commandIds.setToken, argumentOf(remedy));
    case 'setAddress':
      return first(t('Set Address…'), commandIds.setProjectAddresses, argumentOf(remedy));
    case 'openApiKeysPage':
      return instead(t('Open API Keys Page'), commandIds.openApiKeysPage);
    case 'startSandbox':
      return first(t('Start Sandbox'), commandIds.startSandbox, {});
    case 'openTunnel':
      return first(t('Open Tunnel'), commandIds.openTunnel);
    case 'useAnotherPort':
      return first(t('Use Another Port'), commandIds.startListener, { port: 0 });
    case 'setWebhookSecret':
      return first(t('Set Webhook Secret…'), commandIds.setWebhookSecret, argumentOf(remedy));
    case 'rotateWebhookSecret':
      return first(t('Rotate Webhook Secret'), commandIds.rotateWebhookSecret);
    case 'replayDelivery':
      return first(t('Replay'), commandIds.replayDelivery, { id: remedy.id });
    case 'debugDelivery':
      return instead(t('Debug This Delivery'), commandIds.debugDelivery, { id: remedy.id });
    case 'setForwardTo':
      return first(t('Forward to…'), commandIds.setForwardTo);
    case 'runApp':
      return instead(t('Run App…'), commandIds.runApp);
    case 'runAgain':
      return instead(t('Run Again'), commandIds.runAgain, { id: remedy.id });
    case 'sendTestDelivery':
      return instead(t('Send Test Delivery'), commandIds.sendTestDelivery);
    case 'saveFixture':
      return instead(t('Save Delivery as Fixture…'), commandIds.saveDeliveryAsFixture);
    case 'debugHandler':
      return first(t('Debug a Handler…'), commandIds.debugHandler);
    case 'insertVerificationCode':
      return instead(t('Insert Verification Code…'), commandIds.insertVerificationCode);
    case 'editAppSettings':
      return instead(t('Edit App Settings'), commandIds.editAppSettings);
    case 'openSettings':
    case 'openEditorSettings': {
      const { command, arguments: given } = openSettings(remedy);
      return editor(t('Open Settings'), command, ...given);
    }
    case 'openFile':
      return editor(t('Open File'), 'vscode.open', vscode.Uri.parse(remedy.uri), {
        ...(remedy.line !== undefined && { selection: new vscode.Range(remedy.line, 0, remedy.line, 0) }),
      });
    case 'pickFile':
      return editor(t('Open File…'), 'workbench.action.files.openFile');
    case 'openFolder':
      return editor(t('Open Folder…'), 'workbench.action.files.openFolder');
    case 'manageTrust':
      return editor(t('Manage Workspace Trust'), 'workbench.trust.manage');
    case 'reloadWindow':
      return editor(t('Reload Window'), 'workbench.action.reloadWindow');
    case 'showExtension':
      return editor(t('Show Extension'), 'workbench.extensions.search', `@id:${remedy.id}`);
    case 'showLog':
      return { title: t('Show Log'), run: ({ log }) => Promise.resolve().then(() => log.show()) };
    case 'install':
      return { title: t('Install {0}', remedy.program), run: () => typeInstallLine(remedy.program) };
  }
}

/** Runs a command that fixes the cause. Once that succeeds, runs the failed work again. */
function first(title: string, id: CommandId, argument?: object): Verb {
  return { title, run: ({ done }, again) => done(id, argument, again) };
}

/** Runs a command instead of the failed work, which is not run again. */
function instead(title: string, id: CommandId, argument?: object): Verb {
  return { title, run: ({ done }) => done(id, argument) };
}

/** Runs one of the editor's own commands. The user continues from there. */
function editor(title: string, id: string, ...given: unknown[]): Verb {
  return { title, run: async () => vscode.commands.executeCommand(id, ...given) };
}

/** The properties of a remedy other than its kind, as the argument of its command; undefined if there are none. */
function argumentOf(remedy: Remedy): object | undefined {
  const entries = Object.entries(remedy).filter(([name, value]) => name !== 'kind' && value !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

async function acceptLocalCertificates(_: VerbParts, again: Again): Promise<unknown> {
  await writeSetting(settingIds.listenerAcceptLocalCertificates, true, vscode.ConfigurationTarget.Global);
  return again();
}

async function setPublicUrl({ prompts }: VerbParts, again: Again): Promise<unknown> {
  const text = await prompts.input({
    title: t('Set Public Address'),
    prompt: t(
      'The address at which the service reaches the listener, such as that of your own tunnel or proxy',
    ),
    placeHolder: 'https://example.com/webhook',
    validate: problemOf,
  });
  if (text === undefined) return undefined;
  await writeSetting(settingIds.listenerPublicUrl, text.trim(), vscode.ConfigurationTarget.Global);
  return again();
}

function problemOf(text: string): string | undefined {
  try {
    webhookEndpoint(text.trim());
    return undefined;
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}

/** Types the install line into a terminal without running it, so that the user sees it and decides. */
async function typeInstallLine(program: TunnelProgram): Promise<void> {
  const { platform, arch, env } = process;
  const paths = await Promise.all(installers.map(async (one) => findProgram(one, env, platform)));
  const has = new Set(installers.filter((_, index) => paths[index] !== undefined));
  const terminal = vscode.window.createTerminal({ name: t('Install {0}', program) });
  terminal.show();
  terminal.sendText(installLine(program, { platform, arch, has }), false);
}
