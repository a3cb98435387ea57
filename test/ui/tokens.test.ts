import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SandboxGate } from '../support/sandboxGate.ts';
import { jwt } from '../support/jwt.ts';
import { session } from '../support/session.ts';
import { useWorkbench } from '../support/useWorkbench.ts';
import { waitFor } from '../support/waitFor.ts';

/** What the browser keeps for the workbench: local and session storage, and every IndexedDB. */
const readBrowserStorage = `(async () => {
  const kept = [JSON.stringify(localStorage), JSON.stringify(sessionStorage)];
  for (const { name } of await indexedDB.databases()) {
    const database = await new Promise((resolve) => {
      const request = indexedDB.open(name);
      request.onsuccess = () => resolve(request.result);
    });
    for (const store of database.objectStoreNames) {
      const values = await new Promise((resolve) => {
        const request = database.transaction(store).objectStore(store).getAll();
        request.onsuccess = () => resolve(request.result);
      });
      const decode = (value) => (value instanceof Uint8Array ? new TextDecoder().decode(value) : JSON.stringify(value));
      kept.push(...values.map(decode));
    }
    database.close();
  }
  return kept.join('\\n');
})()`;

describe('tokens, after a whole session', () => {
  const service = new SandboxGate();
  const exp = Math.floor(Date.now() / 1000) + 40 * 24 * 3600;
  const [first, refused, rotated] = ['first', 'refused', 'rotated'].map((name) => jwt({ name, exp }));
  const foreign = jwt({ name: 'foreign' });
  const opaque = 'an-opaque-token-without-a-single-digit';
  const used = [first!, refused!, rotated!, foreign, opaque];
  const settings: Record<string, unknown> = {
    'runhook.projects': [
      {
        id: 'p-sandbox',
        name: 'Acme',
        serviceAccounts: [{ id: 'sa-ci', name: 'ci' }],
        apps: [{ id: 'app-hello', name: 'hello' }],
      },
    ],
  };
  before(async () => {
    const { baseUrl, proxyUrl } = await service.start();
    settings['runhook.baseUrl'] = baseUrl;
    settings['runhook.proxyUrl'] = proxyUrl;
    for (const token of [first!, rotated!, opaque]) service.tokens.add(token);
  });
  after(async () => service.stop());
  const ui = useWorkbench({ settings });

  it('stand nowhere but in the secret store', async function () {
    this.timeout(90_000);
    const workbench = ui.current;
    const tree = workbench.tree('Projects');
    const listed = () => tree.row('deploy-bot');
    const sent = (token: string) =>
      service.requests.some(({ headers }) => headers.authorization === `Bearer ${token}`);
    // Every answer holds the token that it was asked with.
    service.change = (answer, { headers: { authorization: bearer = '' } }) => {
      const echo = { message: `You sent ${bearer}`, key: bearer };
      const body = answer.status === 200 ? [{ id: 'k-1', name: 'deploy-bot', ...echo }] : echo;
      return { ...answer, body: JSON.stringify(body) };
    };
    await tree.row('hello');
    await tree.expand('ci');
    await (await tree.row('No token yet: set it')).click();
    await workbench.answer(refused!);
    await (await tree.row('Token refused: set a new one')).click();
    await workbench.answer(first!);
    await listed();
    await workbench.runCommand('Runhook: Rotate Token…');
    await workbench.answer(rotated!);
    await waitFor('a list with the new token', () => sent(rotated!));
    await listed();
    await tree.pickFromContextMenu('ci', 'Set Token…');
    await workbench.answer(opaque);
    await waitFor('a list with the opaque token', () => sent(opaque));
    await listed();
    // What the service sends of other people's tokens counts as well.
    service.answers(200, [{ odd: foreign }, { odd: opaque }]);
    await tree.clickTitleAction('Refresh Projects');
    await (await tree.row('2 keys, shape not recognised')).click();
    await waitFor('the document', async () => (await workbench.editorText()).includes('odd'));
    await workbench.runCommand('Runhook: Show Log');
    const workspace = new URL(workbench.page.url()).searchParams.get('folder') ?? '';
    const { dataFolder } = (await session()).server;
    const searched = [...(await textsBelow(dataFolder)), ...(await textsBelow(workspace))];
    assert.ok(
      searched.some(([, text]) => text.includes('"Acme"')),
      'the settings were not searched',
    );
    searched.push(['the browser', String(await workbench.page.evaluate(readBrowserStorage))]);
    searched.push(['the page', await workbench.page.content()]);
    for (const token of used) {
      const hits = searched.filter(([, text]) => text.includes(token)).map(([name]) => name);
      assert.deepEqual(hits, [], token);
    }
  });
});

/** Every file below a folder, with its name and its bytes as text. */
async function textsBelow(folder: string): Promise<[string, string][]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = files
    .filter((file) => file.isFile() && !file.parentPath.includes('runhook.runhook'))
    .map((file) => join(file.parentPath, file.name));
  return Promise.all(paths.map(async (path) => [path, await readFile(path, 'latin1')] as [string, string]));
}
