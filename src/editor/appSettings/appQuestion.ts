import type { FormApp } from '../../model/settings/formProtocol.ts';
import { appName, type Project } from '../../model/projects/project.ts';
import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import { UserError } from '../../model/text/userError.ts';
import type { ProjectQuestions } from '../projects/questions/projectQuestions.ts';
import type { Projects } from '../projects/projects.ts';

/**
 * The app that a command was given, or the one that the user picks among all.
 * @throws UserError where there is no such project or app, DeclinedError where the user picks none
 */
export async function askForApp(
  given: { projectId?: string; appId?: string } | undefined,
  projects: Projects,
  questions: ProjectQuestions,
  title: string,
): Promise<FormApp> {
  const offered = given?.projectId === undefined ? projects.all() : [projects.get(given.projectId)];
  const apps = offered.flatMap((project) => appsOf(project));
  const fitting = apps.filter(({ value }) => given?.appId === undefined || value.appId === given.appId);
  const [first] = fitting;
  if (first !== undefined && given?.appId !== undefined && fitting.length === 1) return first.value;
  if (first !== undefined) return questions.pick(title, fitting);
  if (given?.appId === undefined) {
    throw new UserError(
      t('There is no app yet. Add one to a project (Runhook: Add App…), or start the sandbox.'),
    );
  }
  throw new UserError(
    given.projectId === undefined
      ? t('No project has an app {0}.', given.appId)
      : t('The project {0} has no app {1}.', given.projectId, given.appId),
  );
}

function appsOf(project: Project): { label: string; description: string; value: FormApp }[] {
  return project.apps.map((app) => ({
    label: plainText(appName(app)),
    description: plainText(project.name ?? project.id),
    value: { projectId: project.id, appId: app.id },
  }));
}
