import type { ShapesByApp } from '../deliveries/envelopeShape.ts';
import type { AppSettings } from '../settings/appSettings.ts';
import type { SandboxFault } from './sandboxFault.ts';
import type { WebhookAttempt } from './webhookAttempt.ts';

/** Where a running sandbox is and what is in it. The program prints it; the worker reports it. */
export interface SandboxAddress {
  /** Of the management API (service-interface.md, section 1). */
  baseUrl: string;
  /** Of the run proxy. */
  proxyUrl: string;
  projectId: string;
  /** The first of the service accounts, whose token is good. */
  serviceAccountId: string;
  /** Its token, made anew at each start. */
  token: string;
  apps: SandboxApp[];
  /** One an environment. The token of the second has expired, that of the third was revoked. */
  serviceAccounts: readonly SandboxAccount[];
}

/** A service account, with the token that it has at the start. */
export interface SandboxAccount {
  id: string;
  name: string;
  environment: string;
  token: string;
}

/** A token that was made while the sandbox runs, and its key. Times are ISO 8601. */
export interface NewToken {
  id: string;
  name: string;
  token: string;
  createdAt: string;
  expiresAt: string;
}

export interface SandboxApp {
  /** For the PATCH. */
  id: string;
  /** For the run path. */
  name: string;
}

/** Apps of the user's own: their name and their local address. */
export type LocalApps = Readonly<Record<string, string>>;

/** What was applied to the apps, by their id. An app is left out until something is applied to it. */
export type AppliedByApp = Readonly<Record<string, AppSettings>>;

/** What the host asks of the sandbox's thread. */
export type SandboxCalls = {
  /** Port 0 for any free one. Rejects with the `code` of Node where the port cannot be had. */
  start: {
    takes: { port: number; apps: LocalApps; shapes?: ShapesByApp; projectId?: string };
    gives: SandboxAddress;
  };
  /** Takes the user's own apps in the place of those before; gives all apps. */
  setApps: { takes: LocalApps; gives: SandboxApp[] };
  /** Takes the shapes of envelopes, by the names of apps, in the place of those before. */
  setShapes: { takes: ShapesByApp; gives: null };
  /** Every call from now on has these. */
  setFaults: { takes: readonly SandboxFault[]; gives: null };
  /** The last attempts to deliver the webhook of a run, or of all runs, the oldest first. */
  attempts: { takes: { runId?: string }; gives: WebhookAttempt[] };
  /** Makes a further token of a service account. */
  newToken: { takes: { serviceAccountId: string }; gives: NewToken };
  /** Back to the seeded state, without faults. */
  reset: { takes: null; gives: null };
};

/** What the sandbox's thread tells the host. */
export type SandboxNews = {
  /** A line for the log. */
  log: { takes: string; gives: null };
  /** An attempt to deliver the webhook of that run has ended. */
  attempt: { takes: { runId: string }; gives: null };
  /** What the apps hold, after each change of it, whoever made it. */
  applied: { takes: AppliedByApp; gives: null };
};
