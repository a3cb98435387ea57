import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import {
  PayloadAddresses,
  WorkspacePayloads,
} from '../../../../src/editor/run/payloads/workspacePayloads.ts';
import { eventually, setSetting } from '../../../support/editor/inEditor.ts';

describe('the payload files of the workspace', () => {
  const folder = (): string => vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  const log = vscode.window.createOutputChannel('workspace files', { log: true });
  let payloads: WorkspacePayloads;
  let outside: string;

  const setFolder = async (value: string | undefined): Promise<void> =>
    setSetting('payloadFolder', value, vscode.ConfigurationTarget.Workspace);
  async function write(path: string, text = '{}'): Promise<void> {
    const file = join(folder(), path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  /** What is known, as `app/name`, without looking anew. */
  const known = (): string[] =>
    payloads
      .known()
      .payloads.map(({ appName, name, projectId }) => [projectId, appName, name].filter(Boolean).join('/'))
      .sort();
  const knows = async (expected: readonly string[]): Promise<unknown> =>
    eventually(() => (JSON.stringify(known()) === JSON.stringify(expected) ? true : undefined));

  beforeEach(async () => {
    outside = await mkdtemp(join(tmpdir(), 'runhook-outside-'));
    payloads = new WorkspacePayloads(log);
  });
  afterEach(async () => {
    payloads.dispose();
    await setFolder(undefined);
    for (const name of ['.runhook', 'calls'])
      await rm(join(folder(), name), { recursive: true, force: true });
    await rm(outside, { recursive: true });
  });
  after(() => log.dispose());

  it('are found when somebody asks, by their names, and tell whom they are for', async () => {
    await write('.runhook/payloads/hello/greet.payload.json');
    await write('.runhook/payloads/my%2fapp/größe 1.payload.json', '// not JSON {');
    await write('.runhook/payloads/hello/other.payload.json', '{"$runhook": {"app": "x", "project": "p"},}');
    await write('.runhook/payloads/top.payload.json', '{"$runhook": {"app": "x"}}');
    await write('.runhook/payloads/of nobody.payload.json');
    await write('.runhook/payloads/hello/notes.json');
    await knows(['hello/greet', 'my/app/größe 1', 'p/x/other', 'x/top']);
  });

  it('are seen to come, change, move and go, without a click', async () => {
    await knows([]);
    await write('.runhook/payloads/hello/one.payload.json');
    await knows(['hello/one']);
    await write('.runhook/payloads/hello/one.payload.json', '{"$runhook": {"project": "p-other"}}');
    await knows(['p-other/hello/one']);
    const at = (name: string): string => join(folder(), '.runhook/payloads', name);
    await rename(at('hello/one.payload.json'), at('hello/two.payload.json'));
    await knows(['p-other/hello/two']);
    await rename(at('hello'), at('bye'));
    await knows(['p-other/bye/two']);
    await rm(join(folder(), '.runhook'), { recursive: true });
    await knows([]);
    await write('.runhook/payloads/hello/again.payload.json');
    await knows(['hello/again']);
  });

  it('are seen while others are read still', async () => {
    const first = Promise.withResolvers<undefined>();
    class Held extends PayloadAddresses {
      override async read(files: readonly vscode.Uri[]): Promise<void> {
        await first.promise;
        await super.read(files);
      }
    }
    payloads.dispose();
    payloads = new WorkspacePayloads(log, new Held());
    await write('.runhook/payloads/hello/one.payload.json', '{"$runhook": {"project": "p"}}');
    await knows(['hello/one']);
    const all = payloads.all();
    await write('.runhook/payloads/hello/two.payload.json', '{"$runhook": {"project": "p"}}');
    await knows(['hello/one', 'hello/two']);
    first.resolve(undefined);
    await knows(['p/hello/one', 'p/hello/two']);
    assert.deepEqual(
      (await all).map(({ projectId }) => projectId),
      ['p', 'p'],
    );
  });

  it('are seen in folders that were made together, however deep', async () => {
    await knows([]);
    for (let round = 0; round < 6; round += 1) {
      await write(`.runhook/payloads/hello/one.payload.json`);
      await knows(['hello/one']);
      await write(`.runhook/payloads/hello/two.payload.json`);
      await knows(['hello/one', 'hello/two']);
      await rm(join(folder(), '.runhook'), { recursive: true });
      await knows([]);
    }
  });

  it('are those of the folder that the setting names', async () => {
    await write('.runhook/payloads/hello/one.payload.json');
    await write('calls/[x]/hello/two.payload.json');
    await knows(['hello/one']);
    await setFolder('calls/[x]');
    await knows(['hello/two']);
    await write('calls/[x]/hello/three.payload.json');
    await knows(['hello/three', 'hello/two']);
  });

  for (const path of ['..', '../elsewhere', '/tmp', '.', '']) {
    it(`are none outside of the folder of the workspace: ${JSON.stringify(path)}`, async () => {
      const name = `inside-${Date.now()}.payload.json`;
      await write(`.runhook/payloads/hello/${name}`);
      await setFolder(path);
      assert.deepEqual(await payloads.all(), []);
      const [first] = vscode.workspace.workspaceFolders!;
      await assert.rejects(payloads.place(first!, { appName: 'hello' }, 'x'), /is not within/);
    });
  }

  it('are none that a link leads to', async () => {
    await mkdir(join(outside, 'hello'));
    await writeFile(join(outside, 'hello/secret.payload.json'), '{}');
    await write('.runhook/payloads/hello/one.payload.json');
    await symlink(join(outside, 'hello'), join(folder(), '.runhook/payloads/linked'));
    await symlink(
      join(outside, 'hello/secret.payload.json'),
      join(folder(), '.runhook/payloads/hello/two.payload.json'),
    );
    await payloads.all();
    assert.deepEqual(known(), ['hello/one']);
    const [first] = vscode.workspace.workspaceFolders!;
    await assert.rejects(payloads.place(first!, { appName: 'linked' }, 'x'), /is not within/);
    await rm(join(folder(), '.runhook'), { recursive: true });
    for (const target of [outside, join(outside, 'of nothing')]) {
      await symlink(target, join(folder(), '.runhook'));
      assert.deepEqual(await payloads.all(), []);
      await assert.rejects(payloads.place(first!, { appName: 'hello' }, 'x'), /is not within/);
      await rm(join(folder(), '.runhook'));
    }
  });
});
