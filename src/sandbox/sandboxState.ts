import { type AppSettings } from '../model/appSettings.ts';
import type { AppliedByApp, LocalApps, SandboxApp } from '../model/sandboxProtocol.ts';
import { UserError } from '../model/userError.ts';
import { mintToken } from './accessToken.ts';
import { type BuiltInApp, builtInApps } from './builtInApps.ts';

const day = 24 * 60 * 60 * 1000;

/** Half a day more, here and below: what is left in whole days stays the same for as long as somebody looks. */
const tokenDays = 83.5;

/** A key of a service account. The document does not show the fields of a token record (section 2). */
export interface Key {
  id: string;
  name: string;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601; absent where the key does not expire. */
  expiresAt?: string;
}

export interface ServiceAccount {
  id: string;
  name: string;
  keys: Key[];
}

/** An app, and what runs it: a built-in one, or the user's own at a local address. */
export type App = SandboxApp & {
  settings: AppSettings;
  runs: { kind: 'builtIn'; app: BuiltInApp } | { kind: 'local'; url: URL };
};

/** What the sandbox holds in memory: one project with its service account, keys and apps. */
export class SandboxState {
  readonly projectId = 'p-sandbox';
  readonly serviceAccountId = 'sa-ci';
  readonly token: string;
  readonly #startedAt: number;
  readonly #tokenExpiresAt: number;
  #accounts: ServiceAccount[] = [];
  #apps: App[] = [];

  /** @param now Unix milliseconds */
  constructor(now: number, localApps: LocalApps) {
    this.#startedAt = now;
    this.#tokenExpiresAt = now + tokenDays * day;
    this.token = mintToken(this.projectId, this.serviceAccountId, now, this.#tokenExpiresAt);
    this.reset(localApps);
  }

  /** Back to what it was at the start. The token stays good. */
  reset(localApps: LocalApps): void {
    this.#accounts = [{ id: this.serviceAccountId, name: 'ci', keys: this.#seededKeys() }];
    this.#apps = [];
    this.setLocalApps(localApps);
  }

  /** Takes the user's own apps in the place of those before. @throws UserError for what is no http address */
  setLocalApps(localApps: LocalApps): void {
    const runs = new Map<string, App['runs']>(
      Object.entries(builtInApps).map(([name, app]) => [name, { kind: 'builtIn', app }]),
    );
    for (const [name, url] of Object.entries(localApps))
      runs.set(name, { kind: 'local', url: httpUrl(name, url) });
    this.#apps = [...runs].map(([name, one]) => {
      const settings = this.appNamed(name)?.settings ?? {};
      return { id: `app-${name}`, name, settings, runs: one };
    });
  }

  /** Whether the token is one of this sandbox and still good. */
  knows(token: string, now: number): boolean {
    return token === this.token && now < this.#tokenExpiresAt;
  }

  get apps(): SandboxApp[] {
    return this.#apps.map(({ id, name }) => ({ id, name }));
  }

  get applied(): AppliedByApp {
    const changed = this.#apps.filter(({ settings }) => Object.keys(settings).length > 0);
    return Object.fromEntries(changed.map(({ id, settings }) => [id, settings]));
  }

  account(id: string): ServiceAccount | undefined {
    return this.#accounts.find((account) => account.id === id);
  }

  app(id: string): App | undefined {
    return this.#apps.find((app) => app.id === id);
  }

  appNamed(name: string): App | undefined {
    return this.#apps.find((app) => app.name === name);
  }

  #seededKeys(): Key[] {
    const key = (id: string, name: string, createdDaysAgo: number, expiresInDays?: number): Key => ({
      id,
      name,
      createdAt: this.#daysFromStart(-createdDaysAgo),
      ...(expiresInDays !== undefined && { expiresAt: this.#daysFromStart(expiresInDays) }),
    });
    return [
      key('key-1', 'this-editor', 0, tokenDays),
      key('key-2', 'deploy-bot', 120, 245.5),
      key('key-3', 'laptop', 84, 6.5),
      key('key-4', 'old-laptop', 400, -35.5),
      key('key-5', 'nightly', 30),
    ];
  }

  #daysFromStart(days: number): string {
    return new Date(this.#startedAt + days * day).toISOString();
  }
}

function httpUrl(name: string, text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new UserError(`The app ${name} has the address "${text}", which is not an http or https address.`);
}
