import * as vscode from 'vscode';
import { commandIds } from '../../contract/commands.ts';
import { dashboardPage } from './dashboardPage.ts';
import { refusal } from '../../shared/http/failureReason.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { config, writeSetting } from '../kit/config.ts';
import { DeclinedError, type InputLink, type Prompts } from '../kit/prompts.ts';
import { clicked } from '../kit/commands.ts';
import { settingIds } from '../kit/ids.ts';

const allowedKey = 'dashboard.allowed';

/** What opening the page needs. */
export interface ApiKeysPage {
  prompts: Prompts;
  /** The state of the workspace: permission for an address that it sets is valid only there. */
  state: vscode.Memento;
  /** Opens an address outside of the editor. */
  open: (uri: vscode.Uri) => Thenable<unknown>;
}

/**
 * Opens the page of the service's dashboard that creates tokens. Its address is opened as set: nothing is added to it.
 * Asks for the address if none is set, and for permission if the workspace sets it.
 * @throws DeclinedError, or UserError if the address that is set cannot be opened
 */
export async function openApiKeysPage(page: ApiKeysPage): Promise<void> {
  const { ofUser, holds } = config.dashboardUrl();
  const url = dashboardPage(holds === '' ? await askForAddress(page) : holds);
  // guard S69: The user is asked before a page that the workspace names is opened.
  if (holds !== ofUser) await askForPermission(url, page);
  await page.open(vscode.Uri.parse(url.href, true));
}

async function askForAddress({ prompts }: ApiKeysPage): Promise<string> {
  const typed = await prompts.input({
    title: t('Open API Keys Page'),
    prompt: t('Address of the dashboard page on which you create tokens; saved in your settings'),
    placeHolder: 'https://',
    validate: (text) => refusal(() => dashboardPage(text.trim())),
  });
  if (typed === undefined) throw new DeclinedError(t('Cancelled.'));
  await writeSetting(settingIds.dashboardUrl, typed.trim(), vscode.ConfigurationTarget.Global);
  return typed.trim();
}

/** A page that is not the dashboard could ask for the dashboard's password. */
async function askForPermission({ href, host }: URL, { prompts, state }: ApiKeysPage): Promise<void> {
  const allowed = state.get<readonly string[]>(allowedKey, []);
  if (allowed.includes(href)) return;
  const question = t(
    'Open a page of {0}, which this workspace names as the dashboard?',
    plainText(host, 300),
  );
  const detail = t('It is not in your user settings. The whole address: {0}', plainText(href, 300));
  if (!(await prompts.confirm(question, detail, t('Open')))) {
    throw new DeclinedError(t('{0} was not opened.', host));
  }
  await state.update(allowedKey, [...allowed, href]);
}

/** A link from a question to the page. None if its address is not set: that would need another question. */
export function apiKeysLink(): { link?: InputLink } {
  if (config.dashboardUrl().holds === '') return {};
  const open = () => void vscode.commands.executeCommand(commandIds.openApiKeysPage, ...clicked({}));
  return { link: { title: t('Open API Keys Page'), open } };
}
