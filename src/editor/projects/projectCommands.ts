import * as v from 'valibot';
import {
  type App,
  appSchema,
  type Project,
  projectSchema,
  type ServiceAccount,
  serviceAccountSchema,
} from '../../model/projects/project.ts';
import { cleanToken } from '../../model/keys/token.ts';
import { t } from '../../model/text/l10n.ts';
import { command } from '../commands.ts';
import { commandIds } from '../ids.ts';
import { multiStep } from '../prompts/multiStep.ts';
import { AccountSteps } from './questions/accountSteps.ts';
import type { KeyLists } from './keys/keyLists.ts';
import { NewProjectSteps } from './questions/newProjectSteps.ts';
import { addressEntries, givenService } from './projectAddresses.ts';
import type { ProjectSecrets } from './ownSecrets.ts';
import type { ProjectQuestions } from './questions/projectQuestions.ts';
import type { Projects } from './projects.ts';
import { TypedAnswer } from './questions/typedAnswer.ts';

const optionalId = v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty()));

/** The commands that add and remove projects, service accounts and apps. */
export function projectCommands(parts: {
  projects: Projects;
  secrets: ProjectSecrets;
  keyLists: KeyLists;
  questions: ProjectQuestions;
}) {
  const { projects, secrets, keyLists, questions } = parts;
  return {
    [commandIds.addProject]: command(
      v.object({ ...projectSchema.entries, ...addressEntries, id: optionalId }),
      async (given) => {
        const { baseUrl = '', proxyUrl = '', id, ...rest } = given ?? { serviceAccounts: [], apps: [] };
        const project: Project =
          id === undefined ? await askForProject(projects, questions) : { ...rest, id };
        const service = await givenService(project, { baseUrl, proxyUrl }, questions);
        await projects.add(project);
        if (service !== undefined) await projects.setService(project.id, service);
        return { ...project, ...service };
      },
    ),

    [commandIds.removeProject]: command(v.object({ projectId: optionalId }), async (given, from) => {
      const title = t('Remove Project');
      const { id, name, serviceAccounts } = await questions.project(given?.projectId, title, { kept: true });
      if (from !== 'caller') {
        await questions.confirm(
          t('Remove the project {0}?', name ?? id),
          t('Its tokens and webhook secrets are deleted from this machine. The service keeps the project.'),
          t('Remove'),
        );
      }
      await projects.remove(id);
      // guard: the secrets of a project and its apps are deleted with it
      await (await secrets.store()).removeProject(id);
      for (const account of serviceAccounts) {
        await keyLists.erase({ projectId: id, serviceAccountId: account.id });
      }
    }),

    [commandIds.addServiceAccount]: command(
      v.object({
        ...serviceAccountSchema.entries,
        id: optionalId,
        projectId: optionalId,
        token: v.exactOptional(v.string()),
      }),
      async (given) => {
        const title = t('Add Service Account');
        const givenToken = given?.token === undefined ? undefined : cleanToken(given.token);
        if (given?.id === undefined) {
          const steps = new AccountSteps(projects, questions, {
            ...{ title, projectId: given?.projectId, isNew: true },
            token: givenToken === undefined ? 'optional' : 'given',
          });
          const { projectId, account, token } = await steps.ask();
          const kept = givenToken ?? token;
          if (kept !== '') await projects.setToken(projectId, account.id, kept);
          return account;
        }
        const { id: projectId } = await questions.project(given.projectId, title, { kept: true });
        const { id, name, environment } = given;
        const account: ServiceAccount = {
          id,
          ...(name !== undefined && { name }),
          ...(environment !== undefined && { environment }),
        };
        await projects.addServiceAccount(projectId, account);
        if (givenToken !== undefined) await projects.setToken(projectId, id, givenToken);
        return account;
      },
    ),

    [commandIds.addApp]: command(
      v.object({ ...appSchema.entries, id: optionalId, projectId: optionalId }),
      async (given) => {
        const { id: projectId } = await questions.project(given?.projectId, t('Add App'), { kept: true });
        const app: App =
          given?.id === undefined
            ? await askForApp(questions)
            : { id: given.id, ...(given.name !== undefined && { name: given.name }) };
        await projects.addApp(projectId, app);
        return app;
      },
    ),
  };
}

/** @throws DeclinedError */
async function askForProject(projects: Projects, questions: ProjectQuestions): Promise<Project> {
  const steps = new NewProjectSteps(projects, questions, t('Add Project'));
  await multiStep(steps.row());
  return steps.project();
}

/** @throws DeclinedError */
async function askForApp(questions: ProjectQuestions): Promise<App> {
  const title = t('Add App');
  const [id, name] = [new TypedAnswer(), new TypedAnswer()];
  await multiStep([
    {
      step: 'id',
      ask: async (step) =>
        id.ask(questions, {
          ...{ title, step, prompt: t('Id of the app') },
          validate: (text) => (text.trim() === '' ? t('Enter an id.') : undefined),
        }),
    },
    {
      step: 'name',
      ask: async (step) =>
        name.ask(questions, { title, step, prompt: t('Name of the app in its address; empty for the id') }),
    },
  ]);
  return { id: id.text, ...(name.text !== '' && { name: name.text }) };
}
