import { appUrl } from '../../../model/service/endpoints.ts';
import type { FormApp, FormContent } from '../../../model/settings/formProtocol.ts';
import { appName } from '../../../model/projects/project.ts';
import { undoOf } from '../../../model/settings/undoApply.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { UserError } from '../../../model/text/userError.ts';
import type { Projects } from '../../projects/feature.ts';
import { appliedDate, type AppliedSettings } from '../appliedSettings.ts';

/** Used if no base address is set: only the path of the URL is shown. */
const placeholderUrl = 'http://localhost';

/** What the form of an app shows now. It never throws: a form outlives its project, and keeps what was typed. */
export function formContent(app: FormApp, projects: Projects, applied: AppliedSettings): FormContent {
  const project = projects.find(app.projectId);
  const known = project?.apps.find((one) => one.id === app.appId);
  const environment = project && projects.activeAccount(project.id)?.environment;
  const obstacle = obstacleOf(app, projects);
  const [last] = applied.history(app);
  return {
    app,
    appName: plainText(known ? appName(known) : app.appId),
    projectName: plainText(project?.name ?? app.projectId),
    path: pathOf(app, projects),
    ...(environment !== undefined && { environment: plainText(environment, 40) }),
    ...(obstacle !== undefined && { obstacle }),
    ...(last && {
      lastApplied: {
        date: appliedDate(last.at),
        at: last.at,
        known: last.after,
        sent: last.sent,
        canUndo: Object.keys(undoOf(last)).length > 0,
      },
    }),
  };
}

function obstacleOf({ projectId, appId }: FormApp, projects: Projects): string | undefined {
  const project = projects.find(projectId);
  if (project === undefined) {
    return t('The project {0} is not there now. What you typed is kept.', plainText(projectId));
  }
  const hasApp = project.apps.some(({ id }) => id === appId);
  if (!hasApp) return t('The project {0} has no app {1}.', plainText(projectId), plainText(appId));
  if (projects.service(projectId).baseUrl !== '') return undefined;
  return t('No address of the service is set. Set "runhook.baseUrl" to apply settings.');
}

function pathOf({ projectId, appId }: FormApp, projects: Projects): string {
  const { baseUrl } = projects.service(projectId);
  try {
    return decodeURI(appUrl(baseUrl === '' ? placeholderUrl : baseUrl, projectId, appId).pathname);
  } catch (error) {
    if (error instanceof UserError || error instanceof URIError) return '';
    throw error;
  }
}
