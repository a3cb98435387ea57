import { MaybeAppliedError, ServiceError } from '../../service/client/errors.ts';
import { ManagementClient } from '../../service/client/managementClient.ts';
import type { Transport } from '../../service/client/transport.ts';
import { settingsOfAnswer } from './settingsOfAnswer.ts';
import { type AppSettings, checkedSettings, entriesOf } from '../../service/settings/appSettings.ts';
import { changeLines } from '../../service/settings/settingsText.ts';
import type { FormApp } from '../../pages/form/formProtocol.ts';
import { originOf } from '../../service/endpoints.ts';
import { applyBrokenOff, isOfSandbox } from '../../service/projects/projectErrors.ts';
import { appName, type ServiceAccount } from '../../service/projects/project.ts';
import { mendedFor } from '../kit/defaultRemedies.ts';
import { DeclinedError } from '../kit/prompts.ts';
import type { Access, AppCall, ProjectQuestions, Projects } from '../projects/feature.ts';
import type { AppliedSettings } from './appliedSettings.ts';
import { t } from '../../shared/text/l10n.ts';

export interface ApplyCall extends FormApp {
  /** Unchecked settings from a webview, a file or a caller. They are checked here, before anything is sent. */
  settings: unknown;
  /** Whether it undoes the last apply, or redoes what that undid. The confirmation says so. */
  undoes?: boolean;
  /** Skips the confirmation for an account under `prod`. */
  confirmed?: boolean;
  /** The account that the user has agreed to already: it needs no confirmation, as long as it is the one in use. */
  agreed?: ServiceAccount | undefined;
  /** Whether the user can enter a new token if the service refuses the stored one. */
  interactive: boolean;
  /** Called before each PATCH, with the account whose token it carries, and without one before each question. */
  sending?: (account?: ServiceAccount) => void;
  /** Aborted when the caller gives up: nothing is sent after that. */
  signal?: AbortSignal;
}

interface Services {
  projects: Projects;
  questions: ProjectQuestions;
  applied: AppliedSettings;
  transport: Transport;
  userAgent: string;
}

/** Sends settings to the service. Nothing else does. */
export class SettingsApplier {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /**
   * Sends one PATCH with exactly these settings, and remembers them.
   * @returns what was applied
   * @throws UserError before anything is sent, where the project or the app is not known or a setting breaks
   * a limit; DeclinedError where the user declined; else what the call failed with
   */
  async apply(call: ApplyCall): Promise<AppSettings> {
    const name = this.appName(call);
    const settings = checkedSettings(call.settings);
    await this.#send(call, settings, this.#confirmation(call, name, settings));
    return settings;
  }

  /** @throws UserError where there is no such project, or no such app in it */
  appName({ projectId, appId }: FormApp): string {
    return appName(this.#services.projects.app(projectId, appId));
  }

  #confirmation(call: ApplyCall, name: string, settings: AppSettings): AppCall {
    const count = Object.keys(settings).length;
    const apply = () =>
      count === 1 ? t('Apply 1 setting to {0}', name) : t('Apply {0} settings to {1}', count, name);
    const { applied } = this.#services;
    const undo = applied.history(call)[0]?.undoes
      ? { action: t('Redo the last apply to {0}', name), verb: t('Redo') }
      : { action: t('Undo the last apply to {0}', name), verb: t('Undo') };
    return {
      ...(call.undoes === true ? undo : { action: apply(), verb: t('Apply') }),
      detail: () => {
        const known = applied.known(call);
        const lines = changeLines(known, settings);
        const previous = t('Previous values are those last applied from this machine, if any.');
        const isChange = entriesOf(settings).some(([name, value]) => known[name] !== value);
        return isChange ? [...lines, previous] : lines;
      },
      asks: () => call.sending?.(),
    };
  }

  async #send(call: ApplyCall, settings: AppSettings, confirmation: AppCall): Promise<void> {
    const { projects } = this.#services;
    let { agreed } = call;
    let before: { access: Access; status: number } | undefined;
    for (;;) {
      const confirmed = call.confirmed === true || this.#isInUse(call.projectId, agreed);
      const access = await projects.access(call.projectId, { ...confirmation, confirmed });
      try {
        call.signal?.throwIfAborted();
        call.sending?.(access.serviceAccount);
        await this.#modify(call, settings, access);
        return;
      } catch (error) {
        // A PATCH with a refused token changed nothing, so it can be sent again.
        if (!call.interactive || !(error instanceof ServiceError) || !error.refusesToken) throw error;
        call.sending?.();
        try {
          await this.#askForToken(call.projectId, access, error, before === undefined);
        } catch (declined) {
          if (before !== undefined) await this.#putBack(call.projectId, before);
          throw declined;
        }
        before ??= { access, status: error.status };
        agreed = access.serviceAccount;
      }
    }
  }

  /** Sends the PATCH, and remembers what came of it at the service that it was sent to. */
  async #modify(call: ApplyCall, settings: AppSettings, access: Access): Promise<void> {
    const { projects, applied, transport, userAgent } = this.#services;
    const { service, token } = access;
    const app = { projectId: call.projectId, appId: call.appId };
    const undoes = call.undoes === true;
    const origin = originOf(service.baseUrl);
    const client = new ManagementClient({ transport, service, token, userAgent });
    try {
      const answer = await client.modifyApp(app.projectId, app.appId, settings, call.signal);
      await applied.add(app, origin, { sent: settings, undoes }, settingsOfAnswer(answer));
      await projects.noteAnswer(call.projectId, access, undefined);
    } catch (error) {
      if (error instanceof ServiceError && error.refusesToken) {
        await projects.noteAnswer(call.projectId, access, error.status);
      }
      if (error instanceof MaybeAppliedError) {
        await applied.addUnsure(app, origin, settings, undoes);
        if (isOfSandbox(app.projectId) && projects.find(app.projectId) === undefined)
          throw applyBrokenOff(error);
      }
      const ref = { projectId: call.projectId, serviceAccountId: access.serviceAccount.id };
      throw mendedFor(error, ref, projects);
    }
  }

  /** Sets the token of before again, where the service takes none that was entered: what it may do elsewhere stays. */
  async #putBack(projectId: string, { access, status }: { access: Access; status: number }): Promise<void> {
    const { projects } = this.#services;
    const { serviceAccount, token, service } = access;
    await projects.setToken({ projectId, serviceAccountId: serviceAccount.id }, token, service);
    await projects.noteAnswer(projectId, access, status);
  }

  /** Another account may have come into use, or this one got another environment, while something was asked. */
  #isInUse(projectId: string, account: ServiceAccount | undefined): boolean {
    const active = this.#services.projects.activeAccount(projectId);
    return account !== undefined && account.id === active?.id && account.environment === active.environment;
  }

  /** @param isFirst false where the token that is refused was entered a moment ago */
  async #askForToken(
    projectId: string,
    { service, serviceAccount }: Access,
    error: ServiceError,
    isFirst: boolean,
  ): Promise<void> {
    const { projects, questions } = this.#services;
    const name = serviceAccount.name ?? serviceAccount.id;
    try {
      const title = isFirst
        ? t('The service rejected the token of {0} ({1}). Set a new one?', name, error.status)
        : t('The service rejected this token too ({0}). Set another?', error.status);
      const token = await questions.token(projectId, serviceAccount, title);
      await projects.setToken({ projectId, serviceAccountId: serviceAccount.id }, token, service);
    } catch (declined) {
      throw declined instanceof DeclinedError ? error : declined;
    }
  }
}
