import * as v from 'valibot';
import * as vscode from 'vscode';
import {
  type App,
  appSchema,
  type Project,
  projectSchema,
  type ServiceAccount,
  serviceAccountSchema,
} from '../../model/project.ts';
import type { Commands } from '../commands.ts';
import { commandIds } from '../ids.ts';
import { askForAccount, askForApp, askForProject } from './newProjectQuestions.ts';
import type { ProjectQuestions } from './projectQuestions.ts';
import type { Projects } from './projects.ts';
import type { TokenQuestions } from './tokenQuestions.ts';

const t = vscode.l10n.t;
const optionalId = v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty()));

/** The commands that add and remove projects, service accounts and apps. */
export function registerProjectCommands(
  commands: Commands,
  projects: Projects,
  questions: ProjectQuestions,
  tokenQuestions: TokenQuestions,
): void {
  commands.register(
    commandIds.addProject,
    v.object({ ...projectSchema.entries, id: optionalId }),
    async (given) => {
      const project: Project =
        given?.id === undefined ? await askForProject(questions) : { ...given, id: given.id };
      await projects.add(project);
      return project;
    },
  );

  commands.register(commandIds.removeProject, v.object({ projectId: optionalId }), async (given, from) => {
    const { id, name } = await questions.project(given?.projectId, t('Remove Project'));
    if (from !== 'caller') {
      await questions.confirm(
        t('Remove the project {0}?', name ?? id),
        t('Its tokens are deleted from this machine. The service keeps the project.'),
        t('Remove'),
      );
    }
    await projects.remove(id);
  });

  commands.register(
    commandIds.addServiceAccount,
    v.object({
      ...serviceAccountSchema.entries,
      id: optionalId,
      projectId: optionalId,
      token: v.exactOptional(v.string()),
    }),
    async (given) => {
      const title = t('Add Service Account');
      const { id: projectId } = await questions.project(given?.projectId, title);
      const token = given?.token === undefined ? undefined : tokenQuestions.clean(given.token);
      const account: ServiceAccount =
        given?.id === undefined
          ? await askForAccount(questions)
          : {
              id: given.id,
              ...(given.name !== undefined && { name: given.name }),
              ...(given.environment !== undefined && { environment: given.environment }),
            };
      await projects.addServiceAccount(projectId, account);
      if (token !== undefined) await projects.setToken(projectId, account.id, token);
      else if (given?.id === undefined) await tokenQuestions.offer(projectId, account);
      return account;
    },
  );

  commands.register(
    commandIds.addApp,
    v.object({ ...appSchema.entries, id: optionalId, projectId: optionalId }),
    async (given) => {
      const { id: projectId } = await questions.project(given?.projectId, t('Add App'));
      const app: App =
        given?.id === undefined
          ? await askForApp(questions)
          : { id: given.id, ...(given.name !== undefined && { name: given.name }) };
      await projects.addApp(projectId, app);
      return app;
    },
  );
}
