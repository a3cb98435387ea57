import type { AccountRef, ServiceAccount } from '../../../model/projects/project.ts';
import { accountKey, type KnownKeysStore } from '../keys/knownKeysStore.ts';
import type { Projects } from '../projects.ts';

/** Another account of the same project, whose token can read the keys of an account without a token. */
export interface Lender {
  account: ServiceAccount;
  /** Whether the user has agreed to this, for this pair of accounts. */
  isAllowed: boolean;
}

/** Finds the account whose token reads the keys of one that has none. No token is used without asking the user. */
export class Lenders {
  readonly #projects: Projects;
  readonly #store: KnownKeysStore;
  readonly #changed: () => void;

  /** @param changed called when the user has agreed to a lender */
  constructor(projects: Projects, store: KnownKeysStore, changed: () => void) {
    this.#projects = projects;
    this.#store = store;
    this.#changed = changed;
  }

  /** Undefined if the account has its own token, or no other account of the project has one. */
  async find(ref: AccountRef): Promise<Lender | undefined> {
    const { projectId, serviceAccountId } = ref;
    const stored: ServiceAccount[] = [];
    for (const account of this.#projects.get(projectId).serviceAccounts) {
      if ((await this.#projects.storedToken(projectId, account.id)) !== undefined) stored.push(account);
    }
    return stored.some(({ id }) => id === serviceAccountId) ? undefined : this.among(ref, stored);
  }

  /** Whether the user has agreed to a lender for this account, which may be there no more. */
  hasAgreed(ref: AccountRef): boolean {
    return this.#store.lenderOf(this.#key(ref)) !== undefined;
  }

  /**
   * The account that the user has agreed to, else the active one, else the first.
   * @param stored the accounts of the project whose tokens are stored
   */
  among(ref: AccountRef, stored: readonly ServiceAccount[]): Lender | undefined {
    if (stored.length === 0) return undefined;
    const agreed = this.#store.lenderOf(this.#key(ref));
    const allowed = stored.find(({ id }) => id === agreed);
    if (allowed !== undefined) return { account: allowed, isAllowed: true };
    const active = this.#projects.activeAccount(ref.projectId);
    const account = stored.find(({ id }) => id === active?.id) ?? stored[0];
    return account && { account, isAllowed: false };
  }

  /** Remembers that the user has agreed, for this pair at this address. */
  async allow(ref: AccountRef, { account }: Lender): Promise<void> {
    await this.#store.setLender(this.#key(ref), account.id);
    this.#changed();
  }

  #key({ projectId, serviceAccountId }: AccountRef): string {
    // guard: for that pair at that address
    return accountKey(this.#projects.tokenOwner(projectId, serviceAccountId));
  }
}
