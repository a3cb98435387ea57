import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import type * as vscode from 'vscode';
import { appName, type Project } from '../../../service/projects/project.ts';
import { t } from '../../../shared/text/l10n.ts';
import { UserError } from '../../../shared/text/userError.ts';
import { loadOnce } from '../../../shared/async/loadOnce.ts';
import { Turns } from '../../../shared/async/turns.ts';
import {
  type HeldSecret,
  type KeptSecret,
  secretKeyOf,
  OnceSecrets,
  scopeOfKey,
  type SecretOwner,
  secretProblem,
  type SecretScope,
  verifiesAt,
} from '../../../service/signature/webhookSecret.ts';

/** How long a secret verifies after it was replaced. */
const overlapMs = 10 * 60_000;
/** How many replaced secrets are kept per owner, so that a diagnosis can name them. */
const maxEarlier = 3;
/** How many projects and apps may have their own secret: verifying a stranger's delivery tries each of them. */
const maxScopes = 50;

const stored = v.object({
  current: v.exactOptional(v.string()),
  earlier: v.array(v.object({ secret: v.string(), until: v.number() })),
});

type Stored = v.InferOutput<typeof stored>;

/**
 * The webhook secrets, stored in SecretStorage only: the default one, and those that projects and apps have of their
 * own. A run is signed with its app's secret, else its project's, else the default one.
 */
export class WebhookSecretStore {
  readonly #storage: vscode.SecretStorage;
  readonly #projects: { all(): readonly Project[] };
  readonly #now: () => number;
  readonly #once: OnceSecrets;
  /** Keys of the scopes whose secret runs have used, the most recent first. */
  #recentlyUsed: string[] = [];
  /** The stored secrets by key. Cached, since runs ask for them many times a second. */
  readonly #stored = loadOnce(() => this.#read());
  /** Each change waits for the previous one. */
  readonly #turns = new Turns();

  /** @param now a clock in Unix milliseconds */
  constructor(storage: vscode.SecretStorage, projects: { all(): readonly Project[] }, now: () => number) {
    this.#storage = storage;
    this.#projects = projects;
    this.#now = now;
    this.#once = new OnceSecrets(now);
    // Other windows change the secrets too.
    storage.onDidChange(({ key }) => {
      if (scopeOfKey(key) !== undefined) void this.#stored.forget();
    });
  }

  /**
   * The secrets that this window verifies with, in the order in which they are tried: the ones held for one run, then
   * those of each owner, most recently used by a run first, followed by the ones they replaced.
   */
  async held(): Promise<HeldSecret[]> {
    const all = await this.#stored();
    const held = this.#owners().flatMap(({ key, owner }) =>
      (all.get(key) ?? []).map((one): HeldSecret => ({ ...one, owner })),
    );
    return [...this.#once.all(), ...held];
  }

  /** Every secret that verifies now, including those of projects that this window does not have. */
  async verifying(): Promise<string[]> {
    const now = this.#now();
    return distinct((await this.#kept()).filter((one) => verifiesAt(one, now)));
  }

  /** Every secret that is kept, even if it no longer verifies or its project is not in this window. */
  async texts(): Promise<string[]> {
    return distinct(await this.#kept());
  }

  /** The projects and apps that have a secret of their own, whether or not this window knows them. */
  async ownScopes(): Promise<SecretScope[]> {
    const scopes = [...(await this.#stored()).keys()].flatMap((key) => scopeOfKey(key) ?? []);
    const place = ({ projectId, appName = '' }: SecretScope) => `${projectId ?? ''}\n${appName}`;
    return scopes
      .filter(({ projectId }) => projectId !== undefined)
      .sort((a, b) => place(a).localeCompare(place(b)));
  }

  /** The secret that signs runs in a scope, and the scope that it belongs to; undefined if there is none yet. */
  async find({
    projectId,
    appName,
  }: SecretScope): Promise<{ secret: string; scope: SecretScope } | undefined> {
    const all = await this.#stored();
    for (const scope of [{ projectId, appName }, { projectId }, {}]) {
      const key = secretKeyOf(scope);
      const current = currentOf(all.get(key));
      if (current !== undefined) return { secret: current, scope: scopeOfKey(key) ?? {} };
    }
    return undefined;
  }

  /** Like `find`, but creates the default secret if there is none. */
  async ensure(scope: SecretScope = {}): Promise<{ secret: string; scope: SecretScope }> {
    const found = (await this.find(scope)) ?? (await this.#turns.next(() => this.#make(scope)));
    const key = secretKeyOf(found.scope);
    this.#recentlyUsed = [key, ...this.#recentlyUsed.filter((one) => one !== key)];
    return found;
  }

  /** @throws UserError if it cannot be a secret, or too many projects and apps have one */
  async set(secret: string, scope: SecretScope = {}): Promise<void> {
    const problem = secretProblem(secret);
    if (problem !== undefined) throw new UserError(problem);
    await this.#turns.next(() => this.#replace(scope, secret));
  }

  /** Replaces the secret by a new one. */
  async rotate(scope: SecretScope = {}): Promise<void> {
    await this.#turns.next(() => this.#replace(scope, newSecret()));
  }

  /** Removes the secret of a project or app, which then uses that of the scope above it again. */
  async remove(scope: SecretScope): Promise<void> {
    await this.#turns.next(() => this.#delete(secretKeyOf(scope)));
  }

  /** Moves the secrets of one owner to another that has none, when an app was renamed. */
  async move(from: SecretScope, to: SecretScope): Promise<void> {
    await this.#turns.next(async () => {
      const text = await this.#storage.get(secretKeyOf(from));
      if (text === undefined || (await this.#storage.get(secretKeyOf(to))) !== undefined) return;
      await this.#storage.store(secretKeyOf(to), text);
      await this.#delete(secretKeyOf(from));
    });
  }

  /** Removes the secrets of a project and of its apps. */
  async removeProject(projectId: string): Promise<void> {
    for (const scope of await this.ownScopes()) {
      if (scope.projectId === projectId) await this.remove(scope);
    }
  }

  /** Holds a secret for the delivery of one run, in memory only. */
  holdOnce(secret: string, app: { projectId: string; appName: string }): void {
    this.#once.hold(secret, app);
  }

  /** Deletes all secrets: deliveries signed with them no longer verify. */
  async erase(): Promise<void> {
    this.#once.erase();
    await this.#turns.next(async () => {
      void this.#stored.forget();
      for (const key of (await this.#stored()).keys()) await this.#delete(key);
    });
  }

  /** Creates the default secret, unless the previous change has created one meanwhile. */
  async #make(scope: SecretScope): Promise<{ secret: string; scope: SecretScope }> {
    return (await this.find(scope)) ?? { secret: await this.#replace({}, newSecret()), scope: {} };
  }

  async #replace(scope: SecretScope, secret: string): Promise<string> {
    const key = secretKeyOf(scope);
    void this.#stored.forget();
    const before = (await this.#stored()).get(key) ?? [];
    const current = currentOf(before);
    if (secret === current) return secret;
    if (
      current === undefined &&
      scope.projectId !== undefined &&
      (await this.ownScopes()).length >= maxScopes
    ) {
      throw new UserError(
        t(
          'No more than {0} projects and apps can have a webhook secret of their own. Remove one first.',
          maxScopes,
        ),
      );
    }
    const now = this.#now();
    // Only the last two verify: a secret that was replaced earlier stops verifying now.
    const earlier = before
      .map((one) => ({ ...one, until: one.until === undefined ? now + overlapMs : Math.min(one.until, now) }))
      .filter((one) => one.secret !== secret)
      .slice(0, maxEarlier);
    await this.#storage.store(key, JSON.stringify({ current: secret, earlier } satisfies Stored));
    void this.#stored.forget();
    return secret;
  }

  /** The possible owners of a secret in this window, the most recently used first. */
  #owners(): { key: string; owner: SecretOwner }[] {
    const owners: [SecretScope, SecretOwner][] = [
      [{}, { kind: 'default' }],
      ...this.#projects
        .all()
        .flatMap(({ id: projectId, name = projectId, apps }): [SecretScope, SecretOwner][] => [
          [{ projectId }, { kind: 'project', projectId, name }],
          ...apps.map((app): [SecretScope, SecretOwner] => [
            { projectId, appName: appName(app) },
            { kind: 'app', projectId, name: appName(app) },
          ]),
        ]),
    ];
    const place = new Map(this.#recentlyUsed.map((key, index) => [key, index]));
    return owners
      .map(([scope, owner]) => ({ key: secretKeyOf(scope), owner }))
      .sort((a, b) => (place.get(a.key) ?? Infinity) - (place.get(b.key) ?? Infinity) || 0);
  }

  async #delete(key: string): Promise<void> {
    await this.#storage.delete(key);
    void this.#stored.forget();
  }

  /** Every secret that is kept, those in memory first. */
  async #kept(): Promise<KeptSecret[]> {
    return [...this.#once.all(), ...[...(await this.#stored()).values()].flat()];
  }

  async #read(): Promise<ReadonlyMap<string, readonly KeptSecret[]>> {
    const keys = (await this.#storage.keys()).filter((key) => scopeOfKey(key) !== undefined);
    const texts = await Promise.all(keys.map(async (key) => this.#storage.get(key)));
    return new Map(keys.map((key, index) => [key, keptIn(texts[index])]));
  }
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

function currentOf(kept: readonly KeptSecret[] = []): string | undefined {
  return kept.find(({ until }) => until === undefined)?.secret;
}

function distinct(kept: readonly KeptSecret[]): string[] {
  return [...new Set(kept.map(({ secret }) => secret))];
}

/** Parses a stored value: the current secret, then those it replaced. A missing or damaged value gives none. */
function keptIn(text: string | undefined): KeptSecret[] {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), stored), text);
  if (!read.success) return [];
  const { current, earlier } = read.output;
  return [...(current === undefined ? [] : [{ secret: current }]), ...earlier];
}
