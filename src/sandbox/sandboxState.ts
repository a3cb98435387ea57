import { type AppSettings } from '../model/settings/appSettings.ts';
import type {
  AppliedByApp,
  LocalApps,
  NewToken,
  SandboxAccount,
  SandboxApp,
} from '../model/service/sandboxProtocol.ts';
import { UserError } from '../model/text/userError.ts';
import { AccessTokens, type TokenWorth } from './management/accessTokens.ts';
import { type BuiltInApp, builtInApps } from './runProxy/builtInApps.ts';
import { dayMs, seededAccounts, seededTokens, type ServiceAccount } from './management/seededAccounts.ts';

/** How long a token is good that is made while the sandbox runs. */
const newTokenDays = 90;

/** An app, and what runs it: a built-in one, or the user's own at a local address. */
export type App = SandboxApp & {
  settings: AppSettings;
  runs: { kind: 'builtIn'; app: BuiltInApp } | { kind: 'local'; url: URL };
};

/** What the sandbox holds in memory: one project with its service accounts, keys and apps. */
export class SandboxState {
  readonly projectId: string;
  /** With the token that each has at the start. */
  readonly serviceAccounts: readonly SandboxAccount[];
  readonly #tokens: AccessTokens;
  readonly #startedAt: number;
  #accounts: ServiceAccount[] = [];
  #apps: App[] = [];

  /** @param now Unix milliseconds */
  constructor(now: number, localApps: LocalApps, projectId = 'p-sandbox') {
    this.projectId = projectId;
    this.#tokens = new AccessTokens(projectId);
    this.#startedAt = now;
    const tokens = new Map(seededTokens(now).map((one) => [one.accountId, this.#tokens.make(one)]));
    this.serviceAccounts = seededAccounts(now).map(({ id, name, environment }) => {
      return { id, name, environment, token: tokens.get(id) ?? '' };
    });
    this.reset(localApps);
  }

  /** Back to what it was at the start. The tokens stay what they are. */
  reset(localApps: LocalApps): void {
    this.#accounts = seededAccounts(this.#startedAt);
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

  /** @param now Unix milliseconds */
  worth(token: string, now: number): TokenWorth {
    return this.#tokens.worth(token, now);
  }

  /**
   * Makes a further token of a service account, as the web dashboard does it (section 5), and its key.
   * @param now Unix milliseconds
   */
  newToken(account: ServiceAccount, now: number): NewToken {
    const expiresAt = now + newTokenDays * dayMs;
    const count = this.#accounts.reduce((sum, { keys }) => sum + keys.length, 0);
    const key = {
      id: `key-${count + 1}`,
      name: `new-${count + 1}`,
      createdAt: new Date(now).toISOString(),
      expiresAt: new Date(expiresAt).toISOString(),
    };
    account.keys.push(key);
    return { ...key, token: this.#tokens.make({ accountId: account.id, issuedAt: now, expiresAt }) };
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
}

function httpUrl(name: string, text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new UserError(`The app ${name} has the address "${text}", which is not an http or https address.`);
}
