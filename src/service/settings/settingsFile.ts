import * as v from 'valibot';
import { type AppSettings, inOrder, problemsText, validate } from './appSettings.ts';
import { jsonMistake } from '../../shared/json/jsonMistake.ts';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';

/** The settings of an app in a file: `*.runhook.json`. */
export interface SettingsFile {
  /** Id or name of the app. */
  app: string;
  /** Id of the project, where several have an app of that name. */
  project?: string;
  settings: AppSettings;
}

/** The most problems that one message names. */
const mostProblems = 9;

const schema = v.strictObject({
  $schema: v.exactOptional(v.string()),
  app: v.pipe(v.string(), v.nonEmpty()),
  project: v.exactOptional(v.pipe(v.string(), v.nonEmpty())),
  settings: v.unknown(),
});

/** @throws UserError that says what is wrong with the file */
export function parseSettingsFile(text: string): SettingsFile {
  const read = v.safeParse(schema, parseJson(text));
  if (!read.success) {
    throw new UserError(t('The file must have this form: {0}.', '{"app": "<id or name>", "settings": {…}}'));
  }
  const checked = validate(read.output.settings);
  if (!checked.ok) {
    const problems = problemsText(checked.problems.slice(0, mostProblems));
    throw new UserError(t('The file contains invalid settings. {0}', problems));
  }
  const { app, project } = read.output;
  return { app, settings: checked.settings, ...(project !== undefined && { project }) };
}

export function settingsFileText({ app, project, settings }: SettingsFile): string {
  const file = { app, ...(project !== undefined && { project }), settings: inOrder(settings) };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

function parseJson(text: string): unknown {
  const bare = text.replace(/^\ufeff/, '');
  try {
    return JSON.parse(bare);
  } catch (error) {
    throw new UserError(t('The file is not JSON. {0}', jsonMistake(bare)), { cause: error });
  }
}
