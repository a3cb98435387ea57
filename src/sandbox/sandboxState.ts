import type { Shape, ShapesByApp } from '../model/deliveries/envelopeShape.ts';
import type { AppSettings } from '../model/settings/appSettings.ts';
import type { SandboxFault } from '../model/service/sandboxFault.ts';
import type {
  AppliedByApp,
  LocalApps,
  NewToken,
  SandboxAccount,
  SandboxApp,
} from '../model/service/sandboxProtocol.ts';
import { UserError } from '../model/text/userError.ts';
import { AccessTokens } from './management/accessTokens.ts';
import { type BuiltInApp, builtInApps } from './runProxy/builtInApps.ts';
import { dayMs, seededAccounts, type ServiceAccount } from './management/seededAccounts.ts';
import { AttemptLog } from './webhook/attemptLog.ts';

/** How long a token is good that is made while the sandbox runs. */
const newTokenDays = 90;

/** An app, and what runs it: a built-in one, or the user's own at a local address. */
export type App = SandboxApp & {
  settings: AppSettings;
  /** That of a real delivery, which its envelopes have. */
  shape?: Shape;
  runs: { kind: 'builtIn'; app: BuiltInApp } | { kind: 'local'; url: URL };
};

export interface SandboxStateOptions {
  /** The user's own. */
  apps: LocalApps;
  /** The shapes of envelopes that apps have of real deliveries. */
  shapes?: ShapesByApp;
  /** Of its one project; `p-sandbox` where absent. */
  projectId?: string;
  /** Told what the apps hold after each change of it. */
  onApplied?: (applied: AppliedByApp) => void;
}

/** What the sandbox holds in memory: one project with its service accounts, keys and apps, and what it does. */
export class SandboxState {
  readonly projectId: string;
  /** With the token that each has at the start. */
  readonly serviceAccounts: readonly SandboxAccount[];
  readonly tokens: AccessTokens;
  readonly attempts = new AttemptLog();
  /** What befalls every call that does not ask for other faults itself. */
  faults: ReadonlySet<SandboxFault> = new Set();
  readonly #startedAt: number;
  readonly #onApplied: SandboxStateOptions['onApplied'];
  #accounts: ServiceAccount[];
  #apps: App[] = [];
  #shapes: ShapesByApp;

  /** @param now Unix milliseconds. @throws UserError for an app's bad address */
  constructor(now: number, { apps, shapes = {}, projectId = 'p-sandbox', onApplied }: SandboxStateOptions) {
    this.projectId = projectId;
    this.tokens = new AccessTokens(projectId);
    this.#startedAt = now;
    this.#shapes = shapes;
    this.#onApplied = onApplied;
    this.#accounts = seededAccounts(now);
    this.serviceAccounts = this.#accounts.map(({ id, name, environment, token }) => {
      return { id, name, environment, token: this.tokens.make(id, token) };
    });
    this.#takeApps(apps);
  }

  /** Back to what it was at the start, without faults. Tokens, shapes and the user's own apps stay what they are. */
  reset(): void {
    this.#accounts = seededAccounts(this.#startedAt);
    this.#apps = this.#apps.map((app) => ({ ...app, settings: {} }));
    this.faults = new Set();
    this.attempts.clear();
    this.#onApplied?.(this.#applied);
  }

  /**
   * Takes the user's own apps in the place of those before; gives all apps.
   * @throws UserError for what is no http address; those before stay then
   */
  setApps(apps: LocalApps): SandboxApp[] {
    this.#takeApps(apps);
    this.#onApplied?.(this.#applied);
    return this.apps;
  }

  /** Takes the shapes of envelopes in the place of those before: from now on each app sends what has its own. */
  setShapes(shapes: ShapesByApp): void {
    this.#shapes = shapes;
    for (const app of this.#apps) {
      delete app.shape;
      Object.assign(app, this.#shapeOf(app.name));
    }
  }

  /** @returns the settings that are in force then */
  modify(app: App, settings: AppSettings): AppSettings {
    app.settings = { ...app.settings, ...settings };
    this.#onApplied?.(this.#applied);
    return app.settings;
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
    return { ...key, token: this.tokens.make(account.id, { issuedAt: now, expiresAt, isRevoked: false }) };
  }

  get apps(): SandboxApp[] {
    return this.#apps.map(({ id, name }) => ({ id, name }));
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

  get #applied(): AppliedByApp {
    const changed = this.#apps.filter(({ settings }) => Object.keys(settings).length > 0);
    return Object.fromEntries(changed.map(({ id, settings }) => [id, settings]));
  }

  #takeApps(apps: LocalApps): void {
    const runs = new Map<string, App['runs']>(
      Object.entries(builtInApps).map(([name, app]) => [name, { kind: 'builtIn', app }]),
    );
    for (const [name, url] of Object.entries(apps)) {
      runs.set(name, { kind: 'local', url: httpUrl(name, url) });
    }
    this.#apps = [...runs].map(([name, one]) => {
      const settings = this.appNamed(name)?.settings ?? {};
      return { id: `app-${name}`, name, settings, runs: one, ...this.#shapeOf(name) };
    });
  }

  #shapeOf(name: string): { shape?: Shape } {
    const shape = Object.hasOwn(this.#shapes, name) ? this.#shapes[name] : undefined;
    return shape === undefined ? {} : { shape };
  }
}

function httpUrl(name: string, text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new UserError(`The app ${name} has the address "${text}", which is not an http or https address.`, {
    remedies: [{ kind: 'openSettings', ids: ['sandbox.apps'] }],
  });
}
