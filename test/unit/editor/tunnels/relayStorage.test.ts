import assert from 'node:assert/strict';
import {
  channelForm,
  channelOf,
  readRelayKey,
  relayAddress,
} from '../../../../src/deliveries/relayProtocol.ts';
import { RelayStorage } from '../../../../src/editor/tunnels/relayStorage.ts';
import { MemoryMemento } from '../../../support/editor/memoryMemento.ts';

/** What RelayStorage uses of the secret store. */
class Secrets {
  readonly values = new Map<string, string>();
  readonly onDidChange = () => ({ dispose: () => undefined });

  keys = () => Promise.resolve([...this.values.keys()]);
  get = (key: string) => Promise.resolve(this.values.get(key));
  delete = (key: string) => Promise.resolve(void this.values.delete(key));
  store = (key: string, value: string) => Promise.resolve(void this.values.set(key, value));
}

describe('the relay of a window', () => {
  const url = 'https://relay.example/';
  let secrets: Secrets;
  let workspaceState: MemoryMemento;
  const storage = () => new RelayStorage({ secrets, workspaceState });

  beforeEach(() => {
    secrets = new Secrets();
    workspaceState = new MemoryMemento();
  });

  it('has the same key again, also once it was closed, and another one in another folder', async () => {
    const first = await storage().access(url);
    await storage().setWanted(true);
    assert.equal(storage().wanted, url);
    await storage().setWanted(false);
    assert.equal(storage().wanted, undefined);
    assert.equal((await storage().access(url)).key, first.key);
    const key = readRelayKey(first.key) ?? assert.fail();
    assert.match(channelOf(key), channelForm);
    workspaceState = new MemoryMemento();
    assert.notEqual((await storage().access(url)).key, first.key);
  });

  it('keeps key and token in the secret store alone, of each relay its own', async () => {
    await storage().setJoinToken(url, 'the token of the team');
    const { key, joinToken } = await storage().access(url);
    assert.equal(joinToken, 'the token of the team');
    const stored = JSON.stringify(workspaceState.keys().map((name) => workspaceState.get(name)));
    assert.ok(!stored.includes(key) && !stored.includes('the token of the team'));
    const other = await storage().access('https://other.example/');
    assert.notEqual(other.key, key);
    assert.equal(other.joinToken, undefined);
  });

  it('is reached by https, or on this machine', () => {
    for (const [typed, href] of [
      ['relay.example', 'https://relay.example/'],
      ['https://relay.example/hooks', 'https://relay.example/hooks'],
      ['localhost:8790', 'http://localhost:8790/'],
      ['http://127.0.0.1:8790', 'http://127.0.0.1:8790/'],
    ] as const) {
      assert.equal(relayAddress(typed).href, href);
    }
    for (const typed of [
      'http://relay.example',
      'ftp://relay.example',
      'https://me:secret@relay.example',
      '',
    ]) {
      assert.throws(() => relayAddress(typed), { name: 'UserError' });
    }
  });
});
