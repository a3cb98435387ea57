import assert from 'node:assert/strict';
import { parse } from 'jsonc-parser';
import { withConfiguration } from '../../../../src/model/tasks/launchFile.ts';

const added = { name: 'Debug Webhook Handler', type: 'node', request: 'launch' };

/** What launch.json becomes; fails where it has a mistake. */
function written(text: string): { text: string; replaces: boolean } {
  const edit = withConfiguration(text, added);
  if (edit.kind === 'mistake') assert.fail(`a mistake at ${edit.offset}`);
  return edit;
}

describe('launch.json', () => {
  it('is made below comments that stand alone, which stay', () => {
    for (const comments of ['// Use IntelliSense.\n', '/* a */', '// a\r\n\r\n// b']) {
      const edit = withConfiguration(comments, added);
      assert.ok(edit.kind === 'written', comments);
      assert.ok(edit.text.startsWith(comments.trimEnd()));
      assert.deepEqual(parse(edit.text), parse((withConfiguration('', added) as { text: string }).text));
    }
    for (const broken of ['/* open', '// a\n,', 'x']) {
      assert.equal(withConfiguration(broken, added).kind, 'mistake', broken);
    }
  });

  it('is made where there is none, or an empty one', () => {
    for (const none of ['', ' \n']) {
      const { text, replaces } = written(none);
      assert.deepEqual(JSON.parse(text), { version: '0.2.0', configurations: [added] });
      assert.match(text, /^\{\n {2}"version": "0\.2\.0",\n/);
      assert.match(text, /\n\}\n$/);
      assert.equal(replaces, false);
    }
  });

  it('keeps its comments, its layout and its trailing commas, and has the new one in front', () => {
    const before = [
      '// of the team',
      '{',
      '\t"version": "0.2.0",',
      '\t"configurations": [ // all of them',
      '\t\t// first',
      '\t\t{ "name": "App",   "type": "node" /* odd */ }, // behind',
      '\t],',
      '}',
      '',
    ].join('\r\n');
    const { text, replaces } = written(before);
    assert.equal(replaces, false);
    const [start = '', end = ''] = before.split('\r\n\t\t// first');
    assert.ok(text.startsWith(start));
    assert.ok(text.endsWith(`\r\n\t\t// first${end}`));
    assert.match(text, /\r\n\t\t\{\r\n\t\t\t"name": "Debug Webhook Handler",\r\n/);
    assert.doesNotMatch(text, /[^\r]\n/);
    const { configurations } = parse(text) as { configurations: { name: string }[] };
    assert.deepEqual(
      configurations.map(({ name }) => name),
      ['Debug Webhook Handler', 'App'],
    );
  });

  it('has a configuration of that name replaced, and no other', () => {
    const before = `{
    "configurations": [
        { "name": "App" }, // mine
        { "name": "Debug Webhook Handler", "args": ["old"] },
        7
    ]
}`;
    const { text, replaces } = written(before);
    assert.equal(replaces, true);
    assert.match(text, /\{ "name": "App" \}, \/\/ mine\n/);
    assert.deepEqual(parse(text), { configurations: [{ name: 'App' }, added, 7] });
  });

  it('gets a list of configurations where it has none', () => {
    assert.deepEqual(parse(written('{ "version": "0.2.0" }').text), {
      version: '0.2.0',
      configurations: [added],
    });
    assert.deepEqual(parse(written('{ "configurations": [] }').text), { configurations: [added] });
    assert.deepEqual(parse(written('{}').text), { configurations: [added] });
  });

  it('has the first configuration on lines of its own', () => {
    const layout = (list: string) => written(`{\n  "configurations": ${list}\n}\n`).text;
    const laidOut = `{\n  "configurations": [\n    ${JSON.stringify(added, null, 2).replaceAll('\n', '\n    ')}\n  ]\n}\n`;
    assert.equal(layout('[]'), laidOut);
    assert.equal(layout('[\n  ]'), laidOut);
  });

  const mistakes: [string, string, number][] = [
    ['a value that is missing', '{ "configurations": }', 20],
    ['an end that is missing', '{ "configurations": [', 21],
    ['more behind it', '{} {}', 3],
    ['a list instead', ' []', 1],
    ['configurations that are no list', '{ "configurations": {} }', 20],
    ['more levels than anybody reads', `// deep\n${'['.repeat(100_000)}`, 0],
    ['a length that nobody reads', ' '.repeat(1_000_001) + '{}', 0],
  ];
  for (const [what, text, offset] of mistakes) {
    it(`is left alone with ${what}, and the place is told`, () => {
      assert.deepEqual(withConfiguration(text, added), { kind: 'mistake', offset });
    });
  }
});
