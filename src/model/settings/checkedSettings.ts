import { type AppSettings, problemText, validate } from './appSettings.ts';
import { t } from '../text/l10n.ts';
import { UserError } from '../text/userError.ts';

/**
 * Settings that may be sent, whoever gives them: a webview, a file, another extension.
 * @throws UserError that names every setting that breaks a rule, or says that there is none
 */
export function checkedSettings(settings: unknown): AppSettings {
  const checked = validate(settings);
  if (!checked.ok) {
    const lines = checked.problems.map((problem) =>
      problem.field === '' ? problemText(problem) : `${problem.field}: ${problemText(problem)}`,
    );
    throw new UserError(t('Nothing was sent. {0}', lines.join(' ')));
  }
  if (Object.keys(checked.settings).length === 0) {
    throw new UserError(t('There is nothing to apply: no setting was given.'));
  }
  return checked.settings;
}
