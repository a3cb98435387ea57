import assert from 'node:assert/strict';
import { environmentReference } from '../../../../src/model/keys/environmentReference.ts';

describe('what stands for a value that comes from the environment', () => {
  const of = (languageId: string, before = '"', after = before) => {
    const { text, withQuotes } = environmentReference('TOKEN', languageId, [before, after]);
    return withQuotes ? text : `${before}${text}${after}`;
  };

  for (const [languageId, expected] of Object.entries({
    typescript: 'process.env.TOKEN',
    javascriptreact: 'process.env.TOKEN',
    python: 'os.environ["TOKEN"]',
    ruby: 'ENV.fetch("TOKEN")',
    go: 'os.Getenv("TOKEN")',
    php: "getenv('TOKEN')",
    java: 'System.getenv("TOKEN")',
    yaml: '"$TOKEN"',
    shellscript: '"$TOKEN"',
    constructor: '"$TOKEN"',
  })) {
    it(`is ${expected} in ${languageId}`, () => assert.equal(of(languageId), expected));
  }

  it('is a name within a longer text of a program', () => {
    assert.equal(of('typescript', '"', ' '), '"$TOKEN ');
    assert.equal(of('typescript', '', ''), '$TOKEN');
    assert.equal(of('typescript', ' '), ' $TOKEN ');
  });
});
