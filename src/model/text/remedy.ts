/**
 * What mends an expected error, or goes on without what failed. The editor has a verb for each kind and shows it as a
 * button of the message; the names of the other entries are those of the command's argument.
 */
export type Remedy =
  /** The same once more: whatever failed may have passed, or asks again. */
  | { kind: 'tryAgain' | 'tryAnother' }
  | { kind: 'addProject' | 'startSandbox' | 'openTunnel' | 'setForwardTo' }
  | { kind: 'setWebhookSecret' | 'rotateWebhookSecret' }
  | { kind: 'addServiceAccount' | 'addApp'; projectId?: string }
  | { kind: 'setToken'; projectId?: string; serviceAccountId?: string }
  /** Where the dashboard makes tokens; no verb where nobody has said where that is. */
  | { kind: 'openApiKeysPage' }
  | { kind: 'setPublicUrl' | 'runWithoutWebhook' | 'useAnotherPort' }
  /** What gives something to work with, where there is nothing yet. */
  | { kind: 'runAgain' | 'replayDelivery'; id: string }
  | { kind: 'runApp' | 'sendTestDelivery' | 'saveFixture' | 'debugHandler' | 'editAppSettings' }
  /** Opens settings. @param ids without the leading `runhook.` */
  | { kind: 'openSettings'; ids: readonly string[] }
  /** Opens a file where it has to be mended. @param uri as text */
  | { kind: 'openFile'; uri: string }
  | { kind: 'openFolder' | 'pickFile' | 'manageTrust' | 'reloadWindow' | 'showLog' }
  /** Types what installs a program into a terminal. */
  | { kind: 'install'; program: 'cloudflared' | 'ngrok' };

/** How a call goes on from where it failed, with what the user has changed about it. */
export type Again = (change?: { webhook: false }) => Promise<unknown>;
