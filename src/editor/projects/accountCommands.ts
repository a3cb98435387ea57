import * as vscode from 'vscode';
import { ServiceError } from '../../service/client/errors.ts';
import { listedKeys } from '../../service/keys/keys.ts';
import { type Argument, commandIds } from '../../contract/commands.ts';
import { claimedProject, readClaims, tokenExpiry } from '../../service/keys/token.ts';
import type { AccountRef } from '../../service/projects/project.ts';
import type { Service } from '../../service/endpoints.ts';
import { tokenVariable } from '../../service/requests/copiedRequest.ts';
import { maskSecrets } from '../../shared/masking/likelySecrets.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { sentences } from '../../shared/text/sentences.ts';
import { UserError } from '../../shared/text/userError.ts';
import { clicked, type CommandsOf } from '../kit/commands.ts';
import { config } from '../kit/config.ts';
import { schemes } from '../kit/ids.ts';
import { logError } from '../kit/log.ts';
import { showBriefly } from '../kit/progress.ts';
import { requireTrust } from '../kit/requireTrust.ts';
import type { Services } from '../kit/services.ts';
import { addresses, textDocuments } from '../kit/documents.ts';
import { givenFile, openFile } from '../kit/files.ts';
import { replaceByVariable } from '../kit/replaceByVariable.ts';
import { showDocument } from '../kit/showDocument.ts';
import type { KeyLists, KeysState } from './keyLists.ts';
import type { NewEntries } from './newEntries.ts';
import type { ProjectQuestions } from './projectQuestions.ts';
import type { Projects } from './projects.ts';
import { confirmProduction, givenToken } from './questions.ts';
import type { TerminalToken } from './terminalToken.ts';
import type { TokenCheck } from './tokenCheck.ts';
import type { Tokens } from './tokens.ts';

/** Shows an account and its children in the view; `focus` moves the focus there. */
export type Reveal = (ref: AccountRef, how: { focus: boolean }) => Promise<void>;

/** What the commands about service accounts need. */
export interface AccountCommandParts extends Services {
  keyLists: KeyLists;
  questions: ProjectQuestions;
  newEntries: NewEntries;
  check: TokenCheck;
  reveal: Reveal;
  terminals: TerminalToken;
}

/** The commands for tokens, and for choosing whose token is used. */
export function tokenCommands(parts: AccountCommandParts) {
  const { projects, tokens, questions, newEntries, check, keyLists, prompts, terminals, context, log } =
    parts;
  const follow = (): void => void terminals.follow().catch((error: unknown) => logError(log, error));
  context.subscriptions.push(tokens.onDidChange(follow), projects.onDidChange(follow));
  /** Changes a token, and tells where the one from before still is. */
  const change = async (changed: () => Promise<void>) => {
    const given = terminals.token;
    await changed();
    await terminals.follow();
    if (given === undefined || given === terminals.token || vscode.window.terminals.length === 0) return;
    const message = t('Open terminals keep the previous token until they are closed.');
    prompts
      .tell(message, [t('New Terminal')], 'warning')
      .then((picked) => picked && vscode.commands.executeCommand('workbench.action.terminal.new'))
      .catch((error: unknown) => logError(log, error));
  };
  /** @param service the one that the token was asked for */
  const keep = async (ref: AccountRef, token: string, service: Service) => {
    await change(() => projects.setToken(ref, token, service));
    const serviceAccount = projects.serviceAccount(ref);
    await projects.noteAnswer(ref.projectId, { service, serviceAccount, token }, check.refusal(token));
    check.tell(token);
    // The view says what the service has against the request, also while nobody looks at the keys.
    if (check.leavesToView(token)) keyLists.load(ref).catch(() => undefined);
    return expiryOf(token);
  };
  /** The program that had it from its file gets it from a terminal. */
  const tellMoved = async (ref: AccountRef) => {
    const { id, name = id } = projects.serviceAccount(ref);
    const give = t('Give Terminals the Token');
    const message = t('The token of {0} is in the secret store now.', plainText(name));
    if ((await prompts.tell(message, [give], 'information')) !== give) return;
    await vscode.commands.executeCommand(commandIds.giveTerminalsToken, ...clicked(ref));
  };

  return {
    setToken: async (given) => {
      const title = t('Set Token');
      const token = givenToken(given?.token);
      if (given?.serviceAccountId === undefined) {
        const options = { projectId: given?.projectId, isNew: false, token };
        const { projectId, account, token: answered, service } = await newEntries.account(title, options);
        return keep({ projectId, serviceAccountId: account.id }, answered, service);
      }
      const { account, ...ref } = await questions.account(given, title);
      const service = projects.service(ref.projectId);
      const checked = () => questions.token(ref.projectId, account, title, check.of(service, ref));
      return keep(ref, token ?? (await checked()), service);
    },

    deleteToken: async (given, from) => {
      const { account, ...ref } = await questions.account(given, t('Delete Token'));
      if (from !== 'caller') {
        await questions.confirm(
          t('Delete the token of {0}?', plainText(account.name ?? account.id)),
          t('The service shows a token only once: without a copy of it you need a new one.'),
          t('Delete'),
        );
      }
      await change(() => projects.deleteToken(ref));
    },

    giveTerminalsToken: async (given) => {
      requireTrust(t('The token is not given out, because this workspace is not trusted. Trust it first.'));
      const title = t('Give Terminals the Token');
      const { account, ...ref } = await questions.account(given, title);
      const name = plainText(account.name ?? account.id);
      // guard S134: Terminals get a token only where somebody asks for it, under prod after a question.
      if (given?.confirmed !== true) {
        await confirmProduction(prompts, projects.get(ref.projectId), account, {
          action: title,
          detail: () => [t('Every program started in a new terminal of this window can read it.')],
          verb: t('Give'),
        });
      }
      const { token } = await projects.accountAccess(ref.projectId, account);
      terminals.give(ref, token);
      showBriefly(t('New terminals of this window have the token of {0} as {1}.', name, tokenVariable));
      return { variable: tokenVariable };
    },

    takeTerminalsToken: () => {
      terminals.take();
      showBriefly(t('New terminals do not have the token. Close those that are open.'));
    },

    useServiceAccount: async (given) => {
      await projects.useAccount(await questions.account(given, t('Use Service Account')));
    },

    moveTokenToSecretStore: async (given) => {
      if (given === undefined) throw new UserError(t('There is no token to move here.'));
      const ref = await moveToken(given, { projects, tokens, questions, check, keep });
      if (ref !== undefined) tellMoved(ref).catch((error: unknown) => logError(log, error));
    },
  } satisfies Partial<CommandsOf<'projects'>>;
}

function expiryOf(token: string): { expiresAt?: string } {
  const at = tokenExpiry(token);
  return at === undefined ? {} : { expiresAt: new Date(at).toISOString() };
}

interface MoveParts {
  projects: Projects;
  tokens: Tokens;
  questions: ProjectQuestions;
  check: Pick<TokenCheck, 'of' | 'refusal'>;
  /** Stores a token, and says what the service said of it. */
  keep: (ref: AccountRef, token: string, service: Service) => Promise<unknown>;
}

/**
 * Stores the token at a location in a file, and replaces it there with the name of a variable, or deletes the line
 * that only sets that. Asks the service first, and the user before it stores what the service rejects or replaces a
 * token that is stored: the service shows each only once.
 * @returns whose token was stored; undefined if it was stored before
 * @throws UserError if there is no token, or it is gone when the questions are answered
 */
export async function moveToken(
  given: Argument<'moveTokenToSecretStore'>,
  { projects, tokens, questions, check, keep }: MoveParts,
): Promise<AccountRef | undefined> {
  const document = await openFile(await givenFile(given.uri));
  const rangeNow = () => new vscode.Range(document.positionAt(given.start), document.positionAt(given.end));
  const token = document.getText(rangeNow());
  let stored: AccountRef | undefined;
  const checkIsThere = () => {
    if (document.getText(rangeNow()) !== token) throw noToken();
  };
  if (!(await tokens.values()).includes(token)) {
    const claims = readClaims(token);
    if (claims === undefined) throw noToken();
    const projectId = claimedProject(claims);
    const { account, ...ref } = await questions.account({ projectId }, t('Whose token is it?'));
    const service = projects.service(ref.projectId);
    await check.of(service, ref)(token, new AbortController().signal);
    checkIsThere();
    const name = plainText(account.name ?? account.id);
    const refused = check.refusal(token);
    const rejected =
      refused === undefined ? undefined : t('The service rejected the one in the file ({0}).', refused);
    if (await projects.hasToken(ref)) {
      const lost = t(
        'The one in the file takes its place. The stored one is deleted, and the service does not show it again.',
      );
      await questions.confirm(t('Replace the token of {0}?', name), sentences(rejected, lost), t('Replace'));
    } else if (rejected !== undefined) {
      await questions.confirm(t('Store this token for {0}?', name), rejected, t('Store'));
    }
    checkIsThere();
    await keep(ref, token, service);
    stored = ref;
  }
  checkIsThere();
  const { edit } = replaceByVariable(document, rangeNow(), tokenVariable);
  // The editor rejects the edit if the text has changed in the meantime.
  if (!(await vscode.workspace.applyEdit(edit))) throw noToken();
  return stored;
}

function noToken(): UserError {
  return new UserError(t('The file has changed: the token is no longer here.'));
}

/** The commands that list keys. */
export function keyCommands({ keyLists, questions, reveal, context }: AccountCommandParts) {
  const raw = rawKeys();
  context.subscriptions.push(raw);
  return {
    refreshProjects: async () => {
      await keyLists.loadAll();
    },

    listKeys: async (given, from) => {
      const ref = await questions.account(given, t('List Keys'));
      const list = await keyLists.load(ref);
      if (from === 'palette') await reveal(ref, { focus: true });
      return listedKeys(list, Date.now(), config.expiryWarningDays());
    },

    refreshServiceAccount: async (given, from) => {
      const ref = await questions.account(given, t('Refresh Service Account'));
      const loading = keyLists.load(ref);
      // The view shows a failure below the account: a message would only repeat it.
      const focus = from === 'palette';
      await (from === 'caller' ? loading : loading.catch(() => reveal(ref, { focus })));
    },

    cancelRefresh: async (given) => {
      keyLists.cancel(await questions.account(given, t('Cancel')));
    },

    openRawKeys: async (ref) => {
      if (ref === undefined) return;
      const response = rawResponse(keyLists.state(ref));
      if (response !== undefined) await raw.open(ref, response);
    },
  } satisfies Partial<CommandsOf<'projects'>>;
}

/** What the service sent in place of a list of keys, without secrets. */
function rawResponse(state: KeysState): unknown {
  if (state.kind === 'unrecognised') return state.raw;
  return state.kind === 'failed' && state.error instanceof ServiceError
    ? maskSecrets(state.error.body)
    : undefined;
}

const keysAddresses = addresses<{ title: string }>(schemes.keys, '/{title}');

/** Shows the masked responses of the service for lists whose shape was not recognised. */
interface RawKeys {
  /** @param raw a JSON value or a page, without secrets */
  open(account: AccountRef, raw: unknown): Promise<void>;
  dispose(): void;
}

function rawKeys(): RawKeys {
  const texts = new Map<string, string>();
  // Empty after a reload: lists of an unknown shape are not stored.
  const documents = textDocuments(keysAddresses, ({ title = '' }) => texts.get(title) ?? '');
  return {
    async open({ projectId, serviceAccountId }, raw) {
      const ending = typeof raw === 'string' ? 'html' : 'json';
      const title = `${projectId} ${serviceAccountId}.${ending}`.replaceAll('/', '∕');
      texts.set(title, documentOf(raw));
      // A document that is already open shows the new list.
      documents.changed({ title });
      await showDocument(keysAddresses.uri({ title }), { preview: true });
    },
    dispose: () => documents.dispose(),
  };
}

/** A longer text, in characters, is not indented: nobody reads it, and indentation multiplies its size. */
const maxIndented = 1024 * 1024;

function documentOf(raw: unknown): string {
  if (typeof raw === 'string') return raw;
  const text = JSON.stringify(raw);
  return `${text.length > maxIndented ? text : JSON.stringify(raw, undefined, 2)}\n`;
}
