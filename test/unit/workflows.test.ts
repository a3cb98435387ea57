import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/checkout.ts';

const devDependencies = (
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { devDependencies: Record<string, string> }
).devDependencies;

describe('the workflows', () => {
  const files = globSync('.github/workflows/*.yml', { cwd: root });

  it('are there: one that tests, one that publishes', () => {
    assert.deepEqual(files.map((file) => file.replace(/^.*[/\\]/, '')).sort(), ['publish.yml', 'test.yml']);
  });

  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');

    it(`${file} may read the repository, and nothing else`, () => {
      assert.deepEqual(text.match(/^ *permissions:\n(?: +.*\n)*?(?=\S)/gm), [
        'permissions:\n  contents: read\n',
      ]);
    });

    it(`${file} takes actions by their commits, not by tags that can be moved`, () => {
      const actions = [...text.matchAll(/uses: (.*)$/gm)].map(([, action]) => action ?? '');
      assert.ok(actions.length > 0);
      for (const action of actions) assert.match(action, /^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
    });
  }

  it('test on Linux, macOS and Windows', () => {
    const text = readFileSync(join(root, '.github/workflows/test.yml'), 'utf8');
    for (const os of ['ubuntu', 'macos', 'windows']) assert.ok(text.includes(`os: ${os}-latest`), os);
  });

  it('publish the same file to both marketplaces, with the vsce that packs it', () => {
    const text = readFileSync(join(root, '.github/workflows/publish.yml'), 'utf8');
    assert.ok(text.includes(`'@vscode/vsce@${devDependencies['@vscode/vsce']} publish --packagePath'`));
    assert.match(text, /'ovsx@\d+\.\d+\.\d+ publish'/);
    assert.match(text, /run: npx --yes \$\{\{ matrix\.command \}\} runhook\.vsix$/m);
    assert.equal(text.match(/npm run package/g)?.length, 1);
  });
});
