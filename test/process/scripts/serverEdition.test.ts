import assert from 'node:assert/strict';
import { manifest } from '../../../scripts/checkout.ts';
import { floorServer } from '../../../scripts/test/vscodeServer.ts';

describe('npm run test:floor', () => {
  it('takes the oldest VS Code that package.json allows, and the Node that it has', () => {
    // code-server counts as VS Code does, from another major version.
    const [, minor] = /^4\.(\d+)\.\d+$/.exec(floorServer.version) ?? [];
    assert.equal(manifest.engines.vscode, `^1.${minor}.0`);
    assert.match(floorServer.nodeVersion ?? '', /^22\.\d+\.\d+$/);
  });
});
