import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { WebhookSecretStore } from '../../src/editor/listener/secrets/webhookSecretStore.ts';
import { Tokens } from '../../src/editor/projects/tokens.ts';
import { PayloadStore } from '../../src/editor/run/payloads/payloadStore.ts';
import { MemoryMemento } from '../support/editor/memoryMemento.ts';
import { MemorySecrets } from '../support/editor/memorySecrets.ts';

const extension = vscode.extensions.getExtension('runhook.runhook');
assert.ok(extension);
/** What version 0.1.0 has stored, and its payloads of this machine. */
const profile = join(extension.extensionPath, 'test/fixtures/oldProfile');
const odd = { projectId: 'p 2/ü', appName: 'a b' };

describe('the profile of a person who used version 0.1.0', () => {
  const secrets = new MemorySecrets();
  const state = new MemoryMemento();
  before(async () => {
    const text = await readFile(join(profile, 'stored.json'), 'utf8');
    const stored = JSON.parse(text) as { secrets: Record<string, string>; state: Record<string, unknown> };
    for (const [key, value] of Object.entries(stored.secrets)) await secrets.store(key, value);
    for (const [key, value] of Object.entries(stored.state)) await state.update(key, value);
  });

  it('still has the tokens of its accounts', async () => {
    const tokens = new Tokens(secrets, state);
    const origin = 'https://api.example';
    const owner = { origin, projectId: 'p-1', serviceAccountId: 'sa-1' };
    assert.equal(await tokens.get(owner), 'token-of-p-1');
    assert.equal(
      await tokens.get({ origin, projectId: odd.projectId, serviceAccountId: 'sa-2' }),
      'token-of-p-2',
    );
    assert.equal((await tokens.state(owner)).kind, 'stored');
    tokens.dispose();
  });

  it('still contains the webhook secrets of everything, and of a project and an app', async () => {
    const store = new WebhookSecretStore(secrets, { all: () => [] }, () => 1_780_000_000_000);
    const project = { projectId: 'p-1' };
    assert.equal((await store.find({}))?.secret, 'rotated secret');
    assert.equal((await store.find(project))?.secret, 'secret of p-1');
    assert.equal((await store.find({ ...project, appName: 'hello' }))?.secret, 'secret of hello');
    assert.ok((await store.verifying()).includes('default secret'), 'the replaced one, for its ten minutes');
  });

  it('still has its payloads, each with its app', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'runhook-profile-'));
    await cp(join(profile, 'payloads'), join(folder, 'payloads'), { recursive: true });
    const store = new PayloadStore(vscode.Uri.file(folder));
    try {
      const names = (await store.all()).map(({ projectId, appName, name }) => [projectId, appName, name]);
      assert.deepEqual(names.sort(), [
        ['P-1', 'hello', 'first'],
        [odd.projectId, odd.appName, 'Größe: 2'],
        ['p-1', 'hello', 'first'],
      ]);
      const [payload] = await store.list(odd);
      assert.ok(payload);
      assert.deepEqual(JSON.parse(await readFile(payload.uri.fsPath, 'utf8')), { body: 'Größe: 2' });
    } finally {
      store.dispose();
      await rm(folder, { recursive: true });
    }
  });
});
