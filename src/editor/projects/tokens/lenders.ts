import type { AccountRef, ServiceAccount } from '../../../model/projects/project.ts';
import type { KnownKeysStore } from '../keys/knownKeysStore.ts';
import type { Projects } from '../projects.ts';

/** Another account of the same project, with whose token the keys of one that has none can be read. */
export interface Lender {
  account: ServiceAccount;
  /** Whether the user has agreed to it, for this pair of accounts. */
  isAllowed: boolean;
}

/** Whose token the keys of an account are read with, where it has none itself. Nothing is lent unasked. */
export class Lenders {
  readonly #projects: Projects;
  readonly #store: KnownKeysStore;
  readonly #changed: () => void;

  /** @param changed called when the user has agreed to something */
  constructor(projects: Projects, store: KnownKeysStore, changed: () => void) {
    this.#projects = projects;
    this.#store = store;
    this.#changed = changed;
  }

  /** Undefined where the account has a token of its own, or no other account of the project has one. */
  async find(ref: AccountRef): Promise<Lender | undefined> {
    const { projectId, serviceAccountId } = ref;
    const stored: ServiceAccount[] = [];
    for (const account of this.#projects.get(projectId).serviceAccounts) {
      if ((await this.#projects.storedToken(projectId, account.id)) !== undefined) stored.push(account);
    }
    return stored.some(({ id }) => id === serviceAccountId) ? undefined : this.among(ref, stored);
  }

  /**
   * The one that the user has agreed to, else the active one, else the first.
   * @param stored the accounts of the project whose tokens are stored
   */
  among(ref: AccountRef, stored: readonly ServiceAccount[]): Lender | undefined {
    const agreed = this.#store.lenderOf(this.#key(ref));
    const allowed = stored.find(({ id }) => id === agreed);
    if (allowed !== undefined) return { account: allowed, isAllowed: true };
    const active = this.#projects.activeAccount(ref.projectId);
    const account = stored.find(({ id }) => id === active?.id) ?? stored[0];
    return account && { account, isAllowed: false };
  }

  /** The user has agreed: it is remembered for this pair, at this address. */
  async allow(ref: AccountRef, { account }: Lender): Promise<void> {
    await this.#store.setLender(this.#key(ref), account.id);
    this.#changed();
  }

  #key({ projectId, serviceAccountId }: AccountRef): string {
    // guard: for that pair at that address
    return JSON.stringify(this.#projects.tokenOwner(projectId, serviceAccountId));
  }
}
