import assert from 'node:assert/strict';
import { codespaceOf } from '../../../../src/editor/tunnels/codespace.ts';

/** The variables that every codespace has (GitHub's "Default environment variables for your codespace"). */
const environment = {
  CODESPACES: 'true',
  CODESPACE_NAME: 'octocat-literate-space-parakeet-mld5',
  GITHUB_CODESPACES_PORT_FORWARDING_DOMAIN: 'app.github.dev',
};

describe('codespaceOf', () => {
  it('tells the address that a codespace forwards a port to', () => {
    const url = codespaceOf(environment)?.url(8787);
    assert.equal(url, 'https://octocat-literate-space-parakeet-mld5-8787.app.github.dev/');
  });

  it('goes by the domain that the codespace names', () => {
    const preview = { ...environment, GITHUB_CODESPACES_PORT_FORWARDING_DOMAIN: 'preview.app.github.dev' };
    assert.match(codespaceOf(preview)?.url(80) ?? '', /-80\.preview\.app\.github\.dev\/$/);
    const unnamed = { ...environment, GITHUB_CODESPACES_PORT_FORWARDING_DOMAIN: undefined };
    assert.match(codespaceOf(unnamed)?.url(80) ?? '', /-80\.app\.github\.dev\/$/);
  });

  it('tells the one command that makes the port public, and the one that takes it back', () => {
    const codespace = codespaceOf(environment);
    assert.ok(codespace);
    assert.equal(
      codespace.visibilityCommand(8787, 'public'),
      'gh codespace ports visibility 8787:public --codespace octocat-literate-space-parakeet-mld5',
    );
    assert.match(codespace.visibilityCommand(8787, 'private'), /visibility 8787:private/);
  });

  const elsewhere: [string, Record<string, string | undefined>][] = [
    ['outside a codespace', {}],
    ['where it says that it is none', { ...environment, CODESPACES: 'false' }],
    ['without a name', { ...environment, CODESPACE_NAME: undefined }],
    [
      'with a name that would be more than a word of a command line',
      { ...environment, CODESPACE_NAME: 'a; rm -rf ~' },
    ],
  ];
  for (const [where, variables] of elsewhere) {
    it(`finds none ${where}`, () => {
      assert.equal(codespaceOf(variables), undefined);
    });
  }

  it('does not take what is no domain into an address', () => {
    const odd = { ...environment, GITHUB_CODESPACES_PORT_FORWARDING_DOMAIN: 'evil.example/?' };
    assert.match(codespaceOf(odd)?.url(80) ?? '', /\.app\.github\.dev\/$/);
  });
});
