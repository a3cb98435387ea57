import { toolWork, type ToolHost } from '../../agents/tools.ts';
import type { AgentToolName } from '../../agents/toolValues.ts';
import { SecretMask } from '../../shared/masking/secretMask.ts';
import type { Project } from '../../service/projects/project.ts';
import { failureText } from '../../shared/http/failureReason.ts';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';
import type { Services } from '../kit/services.ts';
import type { WebhookSecrets } from '../listener/feature.ts';
import type { Tokens } from '../projects/feature.ts';
import { type GuardedTool, type ToolSet, languageModelTool } from './tool.ts';
import { type ToolTextsParts, toolTexts } from './toolTexts.ts';
import { type WindowHostParts, windowHost } from './windowHost.ts';

/** All tools, as the editor calls them. */
export type Tools = Record<AgentToolName, GuardedTool>;

export function tools(parts: WindowHostParts & ToolTextsParts & HeldParts & Pick<Services, 'log'>): Tools {
  const guard = { held: () => heldValues(parts), log: parts.log };
  const all = toolSet(parts, windowHost(parts));
  const made = (Object.keys(all) as AgentToolName[]).map((name) => [
    name,
    languageModelTool(name, all, guard),
  ]);
  return Object.fromEntries(made) as Tools;
}

/** What the window says of each tool, and what it does. */
export function toolSet(parts: ToolTextsParts, host: ToolHost): ToolSet {
  const work = toolWork(host);
  const all = Object.entries(toolTexts(parts, host)).map(([name, texts]) => [
    name,
    { ...texts, run: work[name as AgentToolName] },
  ]);
  return Object.fromEntries(all) as ToolSet;
}

/** Where tokens and secrets are held. */
interface HeldParts {
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
        'The secret store of the editor cannot be read, so secrets cannot be hidden from a language model: {0}',
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
