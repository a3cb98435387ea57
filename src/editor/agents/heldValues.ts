import { failureText } from '../../model/service/failureReason.ts';
import type { Project } from '../../model/projects/project.ts';
import { SecretMask } from '../../model/masking/secretMask.ts';
import { t } from '../../model/text/l10n.ts';
import { UserError } from '../../model/text/userError.ts';
import type { WebhookSecrets } from '../listener/feature.ts';
import type { Tokens } from '../projects/feature.ts';

/** Where tokens and secrets are held. */
export interface HeldParts {
  projects: { all(): readonly Project[] };
  tokens: Pick<Tokens, 'values'>;
  secrets: Pick<WebhookSecrets, 'store'>;
}

/** A value shorter than this, in characters, may also be the name of a project. */
const shortLength = 8;

/**
 * Every token and webhook secret that is held, including those that were replaced or asked for once. Leaves out a
 * short one that occurs in the id or name of a project, account or app: it is in the settings in plain text, and the
 * tools take these ids.
 * @throws UserError if one of them cannot be read, since nothing can be masked then
 */
export async function heldValues({ projects, tokens, secrets }: HeldParts): Promise<string[]> {
  try {
    const [ofTokens, store] = await Promise.all([tokens.values(), secrets.store()]);
    const named = namesOf(projects.all());
    return [...ofTokens, ...(await store.texts())].filter(
      (value) => value.length >= shortLength || new SecretMask([value]).text(named) === named,
    );
  } catch (error) {
    throw new UserError(
      t(
        'The secret store of the editor cannot be read, so that no secret can be kept from a language model: {0}',
        failureText(error),
      ),
      { cause: error },
    );
  }
}

function namesOf(projects: readonly Project[]): string {
  return projects
    .flatMap((project) => [project, ...project.serviceAccounts, ...project.apps])
    .flatMap(({ id, name = '' }) => [id, name])
    .join('\n');
}
