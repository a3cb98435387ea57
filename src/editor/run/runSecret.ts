import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import type { RunInput } from '../../model/runs/run.ts';
import { UserError } from '../../model/text/userError.ts';
import { secretProblem, unsendableReason } from '../../model/secrets/webhookSecret.ts';
import type { Listener, WebhookSecrets } from '../listener/feature.ts';
import { DeclinedError } from '../prompts/declinedError.ts';
import type { Prompts } from '../prompts/prompts.ts';

/** Where the secret that signs a webhook comes from. */
interface SecretParts {
  secrets: Pick<WebhookSecrets, 'store'>;
  prompts: Prompts;
  listener: Pick<Listener, 'configure'>;
}

/**
 * Finds the secret that signs the webhook of a run.
 * @param given the secret for this run only; if the run needs one and it is absent, the user is asked
 * @returns undefined if the webhook is not signed
 * @throws UserError if no header can carry the secret, DeclinedError if the user gives none
 */
export async function runSecret(
  { secrets, prompts, listener }: SecretParts,
  { projectId, appName, signing }: RunInput,
  given?: string,
): Promise<string | undefined> {
  if (signing === 'unsigned') return undefined;
  const app = { projectId, appName };
  const store = await secrets.store();
  const secret =
    signing === 'once' ? (given ?? (await askOnce(prompts, appName))) : (await store.ensure(app)).secret;
  const problem = problemOf(secret);
  if (problem !== undefined) throw new UserError(problem, { remedies: [{ kind: 'setWebhookSecret' }] });
  if (signing === 'once') store.holdOnce(secret, app);
  // The delivery may arrive before the run is answered.
  await listener.configure();
  return secret;
}

async function askOnce(prompts: Prompts, appName: string): Promise<string> {
  const secret = await prompts.input({
    title: t('Run {0}', plainText(appName)),
    prompt: t('The secret that signs this run: held in memory for an hour, and not stored'),
    password: true,
    validate: problemOf,
  });
  if (secret === undefined) throw new DeclinedError(t('Nothing was run.'));
  return secret;
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
