import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatted } from '../../../scripts/build/formatted.ts';
import { root } from '../../../scripts/checkout.ts';
import { commandsPage } from '../../../scripts/commands/commandsPage.ts';
import { fieldsOf, publishedCommands } from '../../../scripts/commands/commandTable.ts';
import { keybindingsSchema } from '../../../scripts/commands/keybindingsSchema.ts';
import { allCommands } from '../../../src/contract/commands.ts';
import { type Manifest, manifestOf, titlesOf } from '../../../scripts/commands/manifest.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const parsed = (file: string): unknown => JSON.parse(read(file));

describe('what `npm run commands` writes', () => {
  it('is told of what a person would bind, or the contract names, and of no row or link', () => {
    const names = publishedCommands.map(({ name }): string => name);
    for (const name of ['runApp', 'listenerUrl', 'clearDeliveries']) assert.ok(names.includes(name), name);
    for (const name of ['copyId', 'openRunAnswer', 'askToClearDeliveries'])
      assert.ok(!names.includes(name), name);
  });

  it('is the only place of ids: code takes them from there, by their names', () => {
    const id = new RegExp(`\\brunhook\\.(?:${allCommands.map(({ name }) => name).join('|')})\\b`);
    const writing = globSync(['src/**/*.ts', 'scripts/**/*.ts'], { cwd: root }).filter((file) =>
      id.test(read(file)),
    );
    // Activation loads no table.
    assert.deepEqual(writing, [join('src', 'editor', 'activation', 'providers.ts')]);
  });

  it('has the limits of a field, its choices, and its meaning', () => {
    const fieldOf = (name: string, field: string): unknown => {
      const { description, ...shape } =
        fieldsOf(publishedCommands.find((one) => one.name === name) ?? {}).properties[field] ?? {};
      assert.ok(description, `${name}.${field}`);
      return shape;
    };
    assert.deepEqual(fieldOf('startListener', 'port'), { type: 'integer', minimum: 0, maximum: 65535 });
    assert.deepEqual(fieldOf('runApp', 'secret'), { anyOf: [{ type: 'string' }, { const: false }] });
    assert.deepEqual(fieldOf('listDeliveries', 'limit'), { type: 'integer', minimum: 0 });
  });

  it('stands in docs/commands.md', async () => {
    const path = 'docs/commands.md';
    const written = (await formatted(path, commandsPage())).split('\n');
    const stands = read(path).split('\n');
    const changed = (line: string, at: number) => line !== stands[at];
    assert.deepEqual(
      { lines: written.filter(changed), count: written.length },
      { lines: [], count: stands.length },
    );
  });

  it('stands in the schema of keybindings', () => {
    assert.deepEqual(parsed('media/keybindings.schema.json'), keybindingsSchema());
  });

  it('stands in package.json, as commands and menus', () => {
    const stands = parsed('package.json') as Manifest;
    assert.deepEqual(stands, manifestOf(stands));
  });

  it('stands in package.nls.json, as titles', () => {
    const stands = parsed('package.nls.json') as Record<string, string>;
    assert.deepEqual(stands, titlesOf(stands));
  });

  it('offers no tokens or secrets to a file', () => {
    const text = read('media/keybindings.schema.json');
    assert.doesNotMatch(text, /"token":/);
    assert.deepEqual(
      [...new Set(text.match(/"secret": \{\s*"enum": \[[^\]]*\]|"secret": \{\s*"(?!enum)/g))],
      [text.match(/"secret": \{\s*"enum": \[false\]/)?.[0]],
    );
  });
});
