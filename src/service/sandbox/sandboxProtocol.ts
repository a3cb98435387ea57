import type { AppSettings } from '../settings/appSettings.ts';
import type { SandboxFault } from './sandboxFault.ts';
import type { WebhookAttempt } from '../webhookAttempt.ts';

/** The addresses and the content of a running sandbox. The program prints it; the worker reports it. */
export interface SandboxAddress {
  /** Of the management API (service-interface.md, section 1). */
  baseUrl: string;
  /** Of the run proxy. */
  proxyUrl: string;
  projectId: string;
  /** The first of the service accounts, whose token is valid. */
  serviceAccountId: string;
  /** The token of that service account, a new one at each start. */
  token: string;
  apps: SandboxApp[];
  /** One per environment. The token of the second has expired, that of the third was revoked. */
  serviceAccounts: readonly SandboxAccount[];
}

/** A service account with its initial token. */
export interface SandboxAccount {
  id: string;
  name: string;
  environment: string;
  token: string;
}

/** A token that was created while the sandbox was running, and its key. Times are ISO 8601. */
export interface NewToken {
  id: string;
  name: string;
  token: string;
  createdAt: string;
  expiresAt: string;
}

/**
 * The tokens that a sandbox has issued. The sandbox of the reloaded window gets them: a token that was set, copied or
 * written down is valid there still, and its keys and dates are the same.
 */
export interface IssuedTokens {
  projectId: string;
  /** Unix milliseconds. The dates of keys and tokens count from then. */
  startedAt: number;
  /** The initial token of each service account, by its id. */
  initial: Readonly<Record<string, string>>;
  /** Those that were made while it ran. */
  made: readonly (NewToken & { serviceAccountId: string })[];
}

export interface SandboxApp {
  /** For the PATCH. */
  id: string;
  /** For the run path. */
  name: string;
}

/** The local addresses of the user's own apps, by their names. */
export type LocalApps = Readonly<Record<string, string>>;

/** The settings applied to the apps, by their ids. An app is left out until something is applied to it. */
export type AppliedByApp = Readonly<Record<string, AppSettings>>;

/** What the host asks of the sandbox's thread. */
export interface SandboxCalls {
  /** Port 0 picks any free one. Rejects with Node's `code` if the port is not available. */
  start(options: {
    port: number;
    apps: LocalApps;
    projectId?: string;
    issued?: IssuedTokens | undefined;
    /** What had been applied when the sandbox ended. */
    applied?: AppliedByApp;
  }): SandboxAddress;
  /** Replaces the user's own apps; returns all apps. */
  setApps(apps: LocalApps): SandboxApp[];
  /** Sets the faults of every later call. */
  setFaults(faults: readonly SandboxFault[]): void;
  /** The last attempts to deliver the webhook of a run, or of all runs, the oldest first. */
  attempts(of: { runId?: string }): WebhookAttempt[];
  /** Forgets the attempts to deliver the webhooks of some runs. */
  forgetAttempts(of: { runIds: readonly string[] }): void;
  /** Creates another token for a service account. */
  newToken(of: { serviceAccountId: string }): NewToken;
  /** Restores the seeded state, without faults. */
  reset(): void;
}

/** What the sandbox's thread tells the host. */
export interface SandboxNews {
  /** A line for the log. */
  log(line: string): void;
  /** An attempt to deliver the webhook of that run has ended. */
  attempt(attempt: WebhookAttempt): void;
  /** The settings of the apps, sent at the start and after each change, whoever made it. */
  applied(applied: AppliedByApp): void;
  /** All tokens issued so far, sent at the start and after each new one. */
  issued(issued: IssuedTokens): void;
}
