import { withoutLinks } from './plainText.ts';

/**
 * An action that fixes an expected error, or continues without what failed. The editor has a verb for each kind and
 * shows it as a button of the message. The other properties have the names of the command's argument.
 */
export type Remedy =
  /** Runs the same again: the failure may have been temporary. */
  | { kind: 'tryAgain' }
  | { kind: 'addProject' | 'startSandbox' | 'openTunnel' | 'setForwardTo' }
  | { kind: 'setWebhookSecret'; projectId?: string | undefined; appName?: string | undefined }
  | { kind: 'rotateWebhookSecret' }
  | { kind: 'addServiceAccount' | 'addApp'; projectId?: string }
  | { kind: 'setToken'; projectId?: string; serviceAccountId?: string }
  /** Opens the dashboard page that creates tokens; no verb if its address is not set. */
  | { kind: 'openApiKeysPage' }
  /** Accepts any certificate of a local app. */
  | { kind: 'acceptLocalCertificates' }
  | { kind: 'setPublicUrl' | 'deliverHere' | 'runWithoutWebhook' | 'useAnotherPort' }
  /** Creates something to work with where there is nothing yet. */
  | { kind: 'runAgain' | 'replayDelivery' | 'debugDelivery'; id: string }
  | { kind: 'runApp' | 'sendTestDelivery' | 'saveFixture' | 'debugHandler' | 'editAppSettings' }
  | { kind: 'insertVerificationCode' }
  /** Opens settings. @param ids without the leading `runhook.` */
  | { kind: 'openSettings'; ids: readonly string[] }
  /** Asks for the addresses of a project. */
  | { kind: 'setAddress'; projectId?: string }
  /** Opens settings of the editor itself. */
  | { kind: 'openEditorSettings'; ids: readonly string[] }
  /** Opens a file that has to be fixed. @param uri as text; @param line from 0 */
  | { kind: 'openFile'; uri: string; line?: number }
  | { kind: 'openFolder' | 'pickFile' | 'manageTrust' | 'reloadWindow' | 'showLog' }
  /** Shows an extension of VS Code, which can be installed there. */
  | { kind: 'showExtension'; id: string }
  /** Types the command that installs a program into a terminal. */
  | { kind: 'install'; program: 'cloudflared' | 'ngrok' };

/** Continues a call from where it failed, with what the user has changed about it. */
export type Again = (change?: { webhook: false; deliverHere?: true }) => Promise<unknown>;

interface UserErrorOptions extends ErrorOptions {
  remedies?: readonly Remedy[];
  /** The text of a message with buttons. It leaves out what to do next, since that is on the buttons. */
  brief?: string;
}

/**
 * An expected error: its message is written for the user and says what happened and what to do next.
 * Any other error is a bug in Runhook: it is logged with its stack and shown as "… failed".
 */
export class UserError extends Error {
  override readonly name: string = 'UserError';
  /** Actions that fix the error, the likeliest first. */
  remedies: readonly Remedy[];
  readonly brief: string | undefined;
  /** Continues the call once the error is fixed. If absent, the whole command runs again. */
  again: Again | undefined;

  /** @param message may contain text of others. Its links are disabled, as it is shown in a notification */
  /** Where it was asked for already shows it, with what to do: no message repeats it. */
  isShown = false;

  constructor(message: string, { remedies = [], brief, ...options }: UserErrorOptions = {}) {
    super(withoutLinks(message), options);
    this.remedies = remedies;
    this.brief = brief === undefined ? undefined : withoutLinks(brief);
  }
}

/** Adds remedies to a caught error, if it is an expected error that has none of its own. @returns the error */
export function mendedBy(error: unknown, remedies: readonly Remedy[], again?: Again): unknown {
  if (error instanceof UserError) {
    if (error.remedies.length === 0) error.remedies = remedies;
    error.again ??= again;
  }
  return error;
}
