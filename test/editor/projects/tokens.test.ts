import assert from 'node:assert/strict';
import { Tokens } from '../../../src/editor/projects/tokens.ts';
import { jwt } from '../../support/service/jwt.ts';
import { MemoryMemento } from '../../support/editor/memoryMemento.ts';
import { MemorySecrets } from '../../support/editor/memorySecrets.ts';

describe('a token that the secret store refuses', () => {
  const owner = { origin: 'https://service.example', projectId: 'p-1', serviceAccountId: 'ci' };
  const [before, refused] = [1_800_000_000, 1_900_000_000].map((exp) => jwt({ exp }));
  let secrets: MemorySecrets;
  let tokens: Tokens;
  beforeEach(() => {
    secrets = new MemorySecrets();
    tokens = new Tokens(secrets, new MemoryMemento());
  });
  afterEach(() => tokens.dispose());

  const refuse = async () => {
    secrets.store = () => Promise.reject(new Error('The keyring is locked.'));
    await assert.rejects(tokens.set(owner, refused!), /locked/);
  };

  it('leaves the one before, and what is said of it', async () => {
    await tokens.set(owner, before!);
    await refuse();
    assert.equal(await tokens.get(owner), before);
    assert.deepEqual(await tokens.state(owner), {
      kind: 'stored',
      isJwt: true,
      expiresAt: 1_800_000_000_000,
    });
  });

  it('is missing where there was none', async () => {
    await refuse();
    assert.deepEqual(await tokens.state(owner), { kind: 'missing' });
  });
});
