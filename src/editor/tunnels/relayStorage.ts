import type * as vscode from 'vscode';
import type { RelayAccess } from '../../deliveries/listenerProtocol.ts';
import { newRelayKey } from '../../deliveries/relayProtocol.ts';

/** The workspace state key of the relay that this folder uses. */
const usedKey = 'relay.used';

interface UsedRelay {
  url: string;
  /** Random: each folder has a key of its own in the secret store, which all windows share. */
  id: string;
  /** Whether it is read whenever the listener runs. */
  isWanted: boolean;
}

/** Which relay this folder reads from. The key and the token of the team are in SecretStorage only. */
export class RelayStorage {
  readonly #secrets: vscode.SecretStorage;
  readonly #state: vscode.Memento;

  constructor({ secrets, workspaceState }: Pick<vscode.ExtensionContext, 'secrets' | 'workspaceState'>) {
    this.#secrets = secrets;
    this.#state = workspaceState;
  }

  /** The address of the relay that is read whenever the listener runs; undefined if there is none. */
  get wanted(): string | undefined {
    return this.#used?.isWanted === true ? this.#used.url : undefined;
  }

  /** Its key stays where it is not wanted any more: opened again, it has the same address. */
  async setWanted(isWanted: boolean): Promise<void> {
    const used = this.#used;
    if (used !== undefined && used.isWanted !== isWanted)
      await this.#state.update(usedKey, { ...used, isWanted });
  }

  /** What opens this folder's address at a relay: the key is made at the first time. */
  async access(url: string): Promise<RelayAccess> {
    const before = this.#used;
    const used = before?.url === url ? before : { url, id: crypto.randomUUID(), isWanted: false };
    if (used !== before) await this.#state.update(usedKey, used);
    // guard S149: Key and token are in the secret store only, and each relay has its own.
    const { origin } = new URL(url);
    const name = `relay.key ${origin} ${used.id}`;
    let key = await this.#secrets.get(name);
    if (key === undefined) {
      key = newRelayKey();
      await this.#secrets.store(name, key);
    }
    return { url, key, joinToken: await this.#secrets.get(tokenName(url)) };
  }

  async setJoinToken(url: string, token: string): Promise<void> {
    await this.#secrets.store(tokenName(url), token);
  }

  get #used(): UsedRelay | undefined {
    return this.#state.get<UsedRelay>(usedKey);
  }
}

function tokenName(url: string): string {
  return `relay.token ${new URL(url).origin}`;
}
