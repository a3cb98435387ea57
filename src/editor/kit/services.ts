import type * as vscode from 'vscode';
import type { Transport } from '../../service/client/transport.ts';
import type { ErrorSurface } from './errorSurface.ts';
import type { Listener } from '../listener/listener.ts';
import type { WebhookSecrets } from '../listener/secrets/webhookSecrets.ts';
import type { Log } from './log.ts';
import type { Projects } from '../projects/projects.ts';
import type { Tokens } from '../projects/tokens.ts';
import type { Prompts } from './prompts.ts';
import type { RunHistory } from '../run/history/runHistory.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

/** What features ask for. There is one of each in a window; `features.ts` makes them. */
export interface Services {
  context: vscode.ExtensionContext;
  projects: Projects;
  tokens: Tokens;
  secrets: WebhookSecrets;
  listener: Listener;
  sandbox: Sandbox;
  runs: RunHistory;
  prompts: Prompts;
  /** Sends requests to the service. */
  transport: Transport;
  errors: ErrorSurface;
  log: Log;
}
