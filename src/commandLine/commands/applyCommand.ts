import { MaybeAppliedError } from '../../service/client/errors.ts';
import { appUrl } from '../../service/endpoints.ts';
import { checkedSettings } from '../../service/settings/appSettings.ts';
import { parseSettingsFile } from '../../service/settings/settingsFile.ts';
import { settingsSummary, settingsText, settingsWarnings } from '../../service/settings/settingsText.ts';
import { givenText } from '../../suite/fixture/givenBytes.ts';
import { readArguments, readNamed } from '../options/readArguments.ts';
import {
  agree,
  agreementOptions,
  managementClient,
  readServiceAddress,
  readToken,
  required,
  serviceOptions,
  warn,
} from '../options/serviceOptions.ts';
import { printLine, printText } from '../print.ts';

/** In bytes. */
const largestFile = 64 * 1024;

/** `runhook apply`: sends the settings of a file to an app, and nothing that is not in it. */
export async function applyCommand(args: readonly string[]): Promise<number> {
  const options = {
    ...serviceOptions,
    ...agreementOptions,
    app: { type: 'string' },
    'dry-run': { type: 'boolean' },
  } as const;
  const { values, positionals } = readArguments(args, options, ['file']);
  const [path = ''] = positionals;
  const file = readNamed('file', path, () => parseSettingsFile(givenText(path, largestFile)));
  const projectId = required(values.project ?? file.project, 'project');
  const appId = values.app ?? file.app;
  const settings = readNamed('file', path, () => checkedSettings(file.settings));
  const baseUrl = readServiceAddress(values, 'base-url');
  const url = appUrl(baseUrl, projectId, appId);
  for (const { text } of settingsWarnings({}, settings)) warn(text);
  if (values['dry-run']) {
    printLine(`PATCH ${url.href}`);
    printText(settingsText(settings));
    return 0;
  }
  const token = readToken(values);
  const summary = settingsSummary(settings);
  await agree(`Apply ${summary} to ${appId} in ${projectId} at ${url.host}`, values);
  try {
    await managementClient(baseUrl, token).modifyApp(projectId, appId, settings);
  } catch (error) {
    if (!(error instanceof MaybeAppliedError)) throw error;
    // The service took the change: a pipeline that fails here would apply it once more.
    warn(error.message);
  }
  printLine(`Applied to ${appId} in ${projectId}: ${summary}`);
  return 0;
}
