import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import type { RunInput } from '../../model/runs/run.ts';
import { UserError } from '../../model/text/userError.ts';
import { secretProblem, type SecretScope, unsendableReason } from '../../model/secrets/webhookSecret.ts';
import { DeclinedError } from '../prompts/declinedError.ts';
import type { Prompts } from '../prompts/prompts.ts';

type App = Pick<RunInput, 'projectId' | 'appName'>;

/** What running needs of the webhook secrets. */
export interface RunSecrets {
  store(): Promise<{
    /** The secret of an app: its own, else its project's, else the one for all, which is made where there is none. */
    ensure(app: App): Promise<{ secret: string; scope: SecretScope }>;
    /** Has the delivery of one run verify. */
    holdOnce(secret: string, app: App): void;
  }>;
}

/** Finds what the webhook of a run is signed with. */
export class RunSecret {
  readonly #secrets: RunSecrets;
  readonly #prompts: Prompts;
  readonly #configureListener: () => Promise<void>;

  constructor(secrets: RunSecrets, prompts: Prompts, configureListener: () => Promise<void>) {
    this.#secrets = secrets;
    this.#prompts = prompts;
    this.#configureListener = configureListener;
  }

  /**
   * @param given the secret of this run alone; one that the run is to be signed with is asked for where it is absent
   * @returns undefined where it goes unsigned
   * @throws UserError where no header can carry it, DeclinedError where the user gives none
   */
  async of(input: RunInput, given?: string): Promise<string | undefined> {
    const { projectId, appName, signing } = input;
    if (signing === 'unsigned') return undefined;
    const app = { projectId, appName };
    const store = await this.#secrets.store();
    const secret =
      signing === 'once' ? (given ?? (await this.#ask(appName))) : (await store.ensure(app)).secret;
    const problem = problemOf(secret);
    if (problem !== undefined) throw new UserError(problem);
    if (signing === 'once') store.holdOnce(secret, app);
    // The delivery may be there before the run is answered.
    await this.#configureListener();
    return secret;
  }

  async #ask(appName: string): Promise<string> {
    const secret = await this.#prompts.input({
      title: t('Run {0}', plainText(appName)),
      prompt: t('The secret that signs this run: held in memory for an hour, and not stored'),
      password: true,
      validate: problemOf,
    });
    if (secret === undefined) throw new DeclinedError(t('Nothing was run.'));
    return secret;
  }
}

function problemOf(secret: string): string | undefined {
  const problem = secretProblem(secret);
  if (problem !== undefined) return problem;
  const reason = unsendableReason(secret);
  return (
    reason &&
    t('The webhook secret cannot be sent with a run: {0}. Set another one, or run unsigned.', reason)
  );
}
