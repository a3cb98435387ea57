import { type Service, serviceUrl } from '../../model/service/endpoints.ts';
import { plainText } from '../../model/text/plainText.ts';
import type { CommandsOf } from '../commands.ts';
import { addressInput } from './questions/newEntries.ts';
import type { ProjectQuestions } from './questions/projectQuestions.ts';
import type { Projects } from './projects.ts';
import { t } from '../../model/text/l10n.ts';

type GivenAddresses = Partial<Service>;

/** The command that sets a project's own addresses, in the user settings. */
export function projectAddressCommands(projects: Projects, questions: ProjectQuestions) {
  return {
    setProjectAddresses: async (given) => {
      const title = t('Set Project Addresses');
      const project = await questions.project(given?.projectId, title, { kept: true });
      const service = await givenService(project, given ?? {}, questions);
      await projects.setService(
        project.id,
        service ?? (await askForService(title, project.id, projects, questions)),
      );
    },
  } satisfies Partial<CommandsOf<'projects'>>;
}

/**
 * The addresses that a caller passes for a project, once the user has confirmed them: the caller may be another
 * extension. Undefined if the caller passes none.
 * @throws UserError if an address cannot be used; DeclinedError if the user declines
 */
export async function givenService(
  { id, name }: { id: string; name?: string },
  { baseUrl = '', proxyUrl = '' }: GivenAddresses,
  questions: ProjectQuestions,
): Promise<Service | undefined> {
  const urls = [baseUrl, proxyUrl].filter((one) => one !== '').map((one) => serviceUrl(one, ''));
  if (urls.length === 0) return undefined;
  const hosts = [...new Set(urls.map(({ host }) => host))].join(', ');
  // guard S47: The user is asked before a caller gives a project an address.
  await questions.confirm(
    t('Have the calls of the project {0} go to {1}?', plainText(name ?? id), plainText(hosts, 300)),
    t(
      'Tokens that you set for it from now on go there. Stored ones stay with the address that they were set for.',
    ),
    t('Set Address'),
  );
  return { baseUrl, proxyUrl };
}

/** @throws DeclinedError */
async function askForService(
  title: string,
  projectId: string,
  projects: Projects,
  questions: ProjectQuestions,
): Promise<Service> {
  const basePrompt = t('Address of the management API for this project; empty for that of all projects');
  const proxyPrompt = t('Address of the run proxy for this project; empty where nothing is run');
  const { baseUrl, proxyUrl } = await questions.steps<Service>(
    [
      { field: 'baseUrl', ask: () => ({ title, ...optionalAddress, prompt: basePrompt }) },
      {
        field: 'proxyUrl',
        applies: (service) => service.baseUrl !== '',
        ask: () => ({ title, ...optionalAddress, prompt: proxyPrompt }),
      },
    ],
    projects.ownService(projectId) ?? { baseUrl: '', proxyUrl: '' },
  );
  return { baseUrl, proxyUrl: baseUrl === '' ? '' : proxyUrl };
}

const optionalAddress = {
  ...addressInput,
  validate: (text: string) => (text.trim() === '' ? undefined : addressInput.validate(text)),
};
