import { writtenAddress } from '../typedAddress.ts';
import type { SandboxFault } from './sandboxFault.ts';
import type {
  AppliedByApp,
  IssuedTokens,
  LocalApps,
  NewToken,
  SandboxAccount,
  SandboxApp,
} from './sandboxProtocol.ts';
import type { WebhookAttempt } from '../webhookAttempt.ts';
import type { AppSettings } from '../settings/appSettings.ts';
import { UserError } from '../../shared/text/userError.ts';
import { AccessTokens, type SeededAccount, dayMs, seededAccounts } from './management/accounts.ts';
import { type BuiltInApp, builtInApps } from './runProxy/builtInApps.ts';

/** How long a token made while the sandbox runs is valid. */
const newTokenDays = 90;
/** Tokens of a sandbox that began longer ago are not issued again: its first one expires after 83 days. */
const oldDays = 60;

/** An app, and what runs it: built-in code, or the user's own app at a local address. */
export type ServedApp = SandboxApp & {
  settings: AppSettings;
  runs: { kind: 'builtIn'; app: BuiltInApp } | { kind: 'local'; url: URL };
};

export interface ServiceStateOptions {
  /** The user's own apps. */
  apps: LocalApps;
  /** The id of the sandbox's only project; defaults to `p-sandbox`. */
  projectId?: string;
  /** The settings of the apps at the start. */
  applied?: AppliedByApp;
  /** Called with the settings of all apps at the start and after each change. */
  onApplied?: (applied: AppliedByApp) => void;
  /** The tokens of the sandbox before a reload, which are issued again. Not if they are old: they would expire. */
  issued?: IssuedTokens | undefined;
  /** Called with all tokens at the start and after each new one. */
  onIssued?: (issued: IssuedTokens) => void;
}

/** The in-memory state of the sandbox: one project with its service accounts, keys and apps, faults and attempts. */
export class ServiceState {
  readonly projectId: string;
  /** The service accounts, each with its initial token. */
  readonly serviceAccounts: readonly SandboxAccount[];
  readonly tokens: AccessTokens;
  readonly attempts = new AttemptLog();
  /** The faults for every call that does not ask for its own. */
  faults: ReadonlySet<SandboxFault> = new Set();
  readonly #startedAt: number;
  readonly #onApplied: ServiceStateOptions['onApplied'];
  readonly #onIssued: ServiceStateOptions['onIssued'];
  readonly #made: (NewToken & { serviceAccountId: string })[] = [];
  #accounts: SeededAccount[];
  #apps: ServedApp[] = [];

  /** @param now Unix milliseconds. @throws UserError if an app's address is invalid */
  constructor(now: number, options: ServiceStateOptions) {
    const { apps, projectId = 'p-sandbox', issued, applied = {}, onApplied, onIssued } = options;
    const isAgain = issued?.projectId === projectId && now - issued.startedAt < oldDays * dayMs;
    const before = isAgain ? issued : undefined;
    this.projectId = projectId;
    this.tokens = new AccessTokens(projectId);
    this.#startedAt = before?.startedAt ?? now;
    this.#onApplied = onApplied;
    this.#onIssued = onIssued;
    this.#accounts = seededAccounts(this.#startedAt);
    this.serviceAccounts = this.#accounts.map(({ id, name, environment, token }) => {
      const text = before?.initial[id];
      if (text !== undefined) this.tokens.issueAgain(text, token);
      return { id, name, environment, token: text ?? this.tokens.make(id, token) };
    });
    for (const { serviceAccountId, ...made } of before?.made ?? []) this.#makeAgain(serviceAccountId, made);
    this.#replaceApps(apps);
    for (const app of this.#apps) app.settings = applied[app.id] ?? {};
    this.#onApplied?.(this.#applied);
    this.#tellIssued();
  }

  /** Resets to the initial state, without faults. Tokens and the user's own apps stay unchanged. */
  reset(): void {
    this.#accounts = seededAccounts(this.#startedAt);
    this.#apps = this.#apps.map((app) => ({ ...app, settings: {} }));
    this.faults = new Set();
    this.attempts.clear();
    this.#onApplied?.(this.#applied);
  }

  /**
   * Replaces the user's own apps.
   * @returns all apps
   * @throws UserError if an address is not http or https; the previous apps stay then
   */
  setApps(apps: LocalApps): SandboxApp[] {
    this.#replaceApps(apps);
    this.#onApplied?.(this.#applied);
    return this.apps;
  }

  /** @returns the settings after the change */
  modify(app: ServedApp, settings: AppSettings): AppSettings {
    app.settings = { ...app.settings, ...settings };
    this.#onApplied?.(this.#applied);
    return app.settings;
  }

  /**
   * Makes another token for a service account, as the web dashboard does (section 5), and its key.
   * @param now Unix milliseconds
   */
  newToken(account: SeededAccount, now: number): NewToken {
    const expiresAt = now + newTokenDays * dayMs;
    const count = this.#accounts.reduce((sum, { keys }) => sum + keys.length, 0);
    const key = {
      id: `key-${count + 1}`,
      name: `new-${count + 1}`,
      createdAt: new Date(now).toISOString(),
      expiresAt: new Date(expiresAt).toISOString(),
    };
    account.keys.push(key);
    const token = this.tokens.make(account.id, { issuedAt: now, expiresAt, isRevoked: false });
    this.#made.push({ serviceAccountId: account.id, ...key, token });
    this.#tellIssued();
    return { ...key, token };
  }

  #makeAgain(serviceAccountId: string, made: NewToken): void {
    const { token, ...key } = made;
    const [issuedAt, expiresAt] = [Date.parse(key.createdAt), Date.parse(key.expiresAt)];
    this.account(serviceAccountId)?.keys.push(key);
    this.tokens.issueAgain(token, { issuedAt, expiresAt, isRevoked: false });
    this.#made.push({ serviceAccountId, ...made });
  }

  #tellIssued(): void {
    const { projectId } = this;
    const initial = Object.fromEntries(this.serviceAccounts.map(({ id, token }) => [id, token]));
    this.#onIssued?.({ projectId, startedAt: this.#startedAt, initial, made: [...this.#made] });
  }

  get apps(): SandboxApp[] {
    return this.#apps.map(({ id, name }) => ({ id, name }));
  }

  account(id: string): SeededAccount | undefined {
    return this.#accounts.find((account) => account.id === id);
  }

  app(id: string): ServedApp | undefined {
    return this.#apps.find((app) => app.id === id);
  }

  appNamed(name: string): ServedApp | undefined {
    return this.#apps.find((app) => app.name === name);
  }

  get #applied(): AppliedByApp {
    const changed = this.#apps.filter(({ settings }) => Object.keys(settings).length > 0);
    return Object.fromEntries(changed.map(({ id, settings }) => [id, settings]));
  }

  #replaceApps(apps: LocalApps): void {
    const runs = new Map<string, ServedApp['runs']>(
      Object.entries(builtInApps).map(([name, app]) => [name, { kind: 'builtIn', app }]),
    );
    for (const [name, url] of Object.entries(apps)) {
      runs.set(name, { kind: 'local', url: addressOf(name, url) });
    }
    this.#apps = [...runs].map(([name, runner]) => {
      const settings = this.appNamed(name)?.settings ?? {};
      return { id: `app-${name}`, name, settings, runs: runner };
    });
  }
}

function addressOf(name: string, text: string): URL {
  const url = writtenAddress(text);
  if (url !== undefined) return url;
  throw new UserError(`The app ${name} has the address "${text}", which is not an http or https address.`, {
    remedies: [{ kind: 'openSettings', ids: ['sandbox.apps'] }],
  });
}

/** The latest attempts to deliver webhooks, in memory. */
export class AttemptLog {
  readonly #most: number;
  readonly #attempts: WebhookAttempt[] = [];

  /** @param most how many attempts are kept */
  constructor(most = 1000) {
    this.#most = most;
  }

  add(attempt: WebhookAttempt): void {
    this.#attempts.push(attempt);
    if (this.#attempts.length > this.#most) this.#attempts.shift();
  }

  /** Lists the attempts, oldest first. @param runId returns only those of this run */
  list(runId?: string): WebhookAttempt[] {
    return this.#attempts.filter((attempt) => runId === undefined || attempt.runId === runId);
  }

  /** Drops those of some runs. */
  forget(runIds: readonly string[]): void {
    const kept = this.#attempts.filter(({ runId }) => !runIds.includes(runId));
    this.#attempts.splice(0, this.#attempts.length, ...kept);
  }

  clear(): void {
    this.#attempts.length = 0;
  }
}
