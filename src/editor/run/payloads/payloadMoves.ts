import * as vscode from 'vscode';
import { readPayload } from '../../../model/runs/payload.ts';
import { runUrl } from '../../../model/runs/runUrl.ts';
import { isLoopback } from '../../../model/service/loopback.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { UserError } from '../../../model/text/userError.ts';
import { DeclinedError } from '../../prompts/declinedError.ts';
import type { Prompts } from '../../prompts/prompts.ts';
import type { LastChoices } from '../lastChoices.ts';
import { isThere, moveFile, type PayloadFile, textOf } from './payloadFile.ts';
import type { Payloads } from './payloads.ts';

export interface MoveOptions {
  /** The name at the new place. */
  to?: string | undefined;
  /** Whether to ask nothing and replace a payload of that name at the new place. */
  confirmed?: boolean | undefined;
}

/** Moves payloads between this machine and the workspace. Unless confirmed, asks before it replaces one. */
export class PayloadMoves {
  readonly #prompts: Prompts;
  readonly #payloads: Payloads;
  readonly #last: LastChoices;

  constructor(prompts: Prompts, payloads: Payloads, last: LastChoices) {
    this.#prompts = prompts;
    this.#payloads = payloads;
    this.#last = last;
  }

  /** @throws UserError if no folder is open, DeclinedError if the user declined */
  async toWorkspace(payload: PayloadFile, options: MoveOptions = {}): Promise<vscode.Uri> {
    const folder = await this.#folder();
    const { shared } = this.#payloads;
    const uri = await this.#move(payload, options, (name) => shared.place(folder, payload, name));
    // The folder names only the app, not its project.
    await this.#last.rememberProjectOf(payload);
    return uri;
  }

  /** Asks first if the payload sends results to other machines: once moved, it counts as the user's own. */
  async toMachine(payload: PayloadFile, options: MoveOptions = {}): Promise<vscode.Uri> {
    const elsewhere = await addressElsewhere(payload);
    if (elsewhere !== undefined && options.confirmed !== true) {
      const question = t('Move the payload "{0}" to this machine?', plainText(payload.name));
      const detail = t('It sends the result of a run to {0}. Runhook no longer asks before that.', elsewhere);
      // guard: what it has sent elsewhere is asked for as it becomes the user's own
      if (!(await this.#prompts.confirm(question, detail, t('Move')))) throw notMoved();
    }
    const { store } = this.#payloads;
    return this.#move(payload, options, (name) => Promise.resolve(store.uri({ ...payload, name })));
  }

  async #move(
    payload: PayloadFile,
    { to, confirmed = false }: MoveOptions,
    placeOf: (name: string) => Promise<vscode.Uri>,
  ): Promise<vscode.Uri> {
    let name = to ?? payload.name;
    let uri = await placeOf(name);
    let replaces = confirmed;
    while (!replaces && (await isThere(uri))) {
      const answer = await this.#prompts.pick(
        t('{0} already has a payload "{1}" there', plainText(payload.appName), plainText(name)),
        [
          { label: t('Keep Both…'), description: t('asks for another name'), value: 'rename' as const },
          { label: t('Replace It'), description: t('its content is lost'), value: 'replace' as const },
        ],
      );
      if (answer === undefined) throw notMoved();
      if (answer === 'replace') {
        replaces = true;
      } else {
        name = await this.#payloads.newName(payload, name);
        uri = await placeOf(name);
      }
    }
    await moveFile(payload.uri, uri, replaces);
    this.#payloads.store.tellChange();
    const place = payload.place === 'machine' ? 'workspace' : 'machine';
    return this.#payloads.use({ ...payload, name, uri, place });
  }

  async #folder(): Promise<vscode.WorkspaceFolder> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const [first] = folders;
    if (first === undefined) {
      throw new UserError(
        t('No folder is open that the payload could be kept in. Open the folder of your project first.'),
        { remedies: [{ kind: 'openFolder' }] },
      );
    }
    if (folders.length === 1) return first;
    const choices = folders.map((one) => ({ label: plainText(one.name), value: one }));
    const folder = await this.#prompts.pick(t('Keep the payload in which folder?'), choices);
    if (folder === undefined) throw notMoved();
    return folder;
  }
}

/**
 * The addresses on other machines that a payload sends results to; undefined if there are none, or if the payload
 * cannot be read, because it cannot run then either.
 */
async function addressElsewhere({ uri, projectId, appName }: PayloadFile): Promise<string | undefined> {
  try {
    const { webhook, query, path } = readPayload(await textOf(uri));
    // Only the addresses in the payload matter, so any service URL will do.
    const url = runUrl('https://service.invalid', { projectId, appName, path, ...(query && { query }) });
    const named = [
      ...url.resultAddresses.map(({ href }) => href),
      ...(typeof webhook === 'string' ? [webhook] : []),
    ];
    const elsewhere = named.filter((one) => !isLoopback(URL.parse(one)?.hostname ?? ''));
    return elsewhere.length === 0 ? undefined : plainText(elsewhere.join(', '), 1000);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

function notMoved(): DeclinedError {
  return new DeclinedError(t('No payload was moved.'));
}
