import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { listFiles, PackageManager } from '@vscode/vsce';
import { verificationTargets } from '../../src/webhooks/signature/verificationCode.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the package', () => {
  let packed: Set<string>;
  before(async () => {
    // It looks at every file of the checkout.
    packed = new Set(await listFiles({ cwd: root, packageManager: PackageManager.None }));
  });

  it('holds all the code that Insert Verification Code reads', () => {
    const needed = verificationTargets.flatMap(({ file, verify }) => [file, ...(verify ? [verify] : [])]);
    for (const file of needed) assert.ok(packed.has(`media/snippets/${file}`), file);
  });

  it('holds what the manifest names, and the messages of every language', () => {
    const media = readdirSync(`${root}/media`, { withFileTypes: true }).filter((entry) => entry.isFile());
    const messages = readdirSync(`${root}/l10n`);
    for (const { name } of media) assert.ok(packed.has(`media/${name}`), name);
    for (const name of messages) assert.ok(packed.has(`l10n/${name}`), name);
  });

  it('holds no dependency beside what is bundled, though vsce be told to look for them', async () => {
    const found = await listFiles({ cwd: root, packageManager: PackageManager.Npm });
    assert.deepEqual(new Set(found), packed);
    assert.ok(!found.some((file) => file.includes('node_modules')));
  });

  it('holds neither sources nor tests nor screenshots', () => {
    const stray = [...packed].filter((file) =>
      /^(?:src|test|scripts|node_modules|media\/screenshots)\//.test(file),
    );
    assert.deepEqual(stray, []);
  });
});
