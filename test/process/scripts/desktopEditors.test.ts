import assert from 'node:assert/strict';
import { desktopEditors, resolveEditorProgram } from '../../../scripts/test/editorTests.ts';

describe('npm run test:desktop', () => {
  it('takes the oldest VS Code that Runhook runs in, and the latest', () => {
    assert.deepEqual(desktopEditors([]), [
      { kind: 'version', version: '1.105.0' },
      { kind: 'version', version: 'stable' },
    ]);
  });

  it('takes the version or the program that is named', () => {
    assert.deepEqual(desktopEditors(['--version', '1.110.0']), [{ kind: 'version', version: '1.110.0' }]);
    assert.deepEqual(desktopEditors(['--vscode', '/opt/code']), [
      { kind: 'installed', program: '/opt/code' },
    ]);
  });

  it('refuses what is no version, and options that it does not know', () => {
    assert.throws(() => desktopEditors(['--version', 'newest']), /"newest" is no version of VS Code/);
    assert.throws(() => desktopEditors(['--verson', '1.110.0']), /--verson/);
  });

  it('downloads nothing where a program is named', async () => {
    const fail = () => Promise.reject(new Error('It has tried to.'));
    assert.equal(await resolveEditorProgram({ kind: 'installed', program: '/opt/code' }, fail), '/opt/code');
  });

  it('says what else to do where nothing can be downloaded', async () => {
    const offline = () => Promise.reject(new Error('getaddrinfo ENOTFOUND update.code.visualstudio.com'));
    await assert.rejects(
      resolveEditorProgram({ kind: 'version', version: '1.105.0' }, offline),
      /VS Code 1\.105\.0 could not be downloaded.*ENOTFOUND[\s\S]*--vscode[\s\S]*npm run test:editor/,
    );
  });
});
