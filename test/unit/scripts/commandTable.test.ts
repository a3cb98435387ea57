import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatted } from '../../../scripts/build/formatted.ts';
import { root } from '../../../scripts/checkout.ts';
import type { Shape } from '../../../scripts/commands/commandTypes.ts';
import { commandsPage } from '../../../scripts/commands/commandsPage.ts';
import { type CommandEntry, commandTable } from '../../../scripts/commands/commandTable.ts';
import { fieldMeanings, resultNotes } from '../../../scripts/commands/fieldMeanings.ts';
import { keybindingsSchema } from '../../../scripts/commands/keybindingsSchema.ts';
import { commandIds } from '../../../src/editor/ids.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

describe('the arguments of the commands', () => {
  let entries: CommandEntry[];
  const fieldOf = (id: string, name: string): Shape | undefined =>
    entries.find((one) => one.id === id)?.fields.find((one) => one.name === name)?.shape;

  before(function () {
    // The compiler reads all of src.
    this.timeout(60_000);
    entries = commandTable();
  });

  it('are those of what a person would bind, or the contract names, and of no row or link', () => {
    const ids = entries.map(({ id }) => id);
    for (const id of [commandIds.runApp, commandIds.listenerUrl, commandIds.clearDeliveries])
      assert.ok(ids.includes(id), id);
    for (const id of [commandIds.copyId, commandIds.openRunAnswer, commandIds.askToClearDeliveries])
      assert.ok(!ids.includes(id), id);
  });

  it('are read off the schemas', () => {
    assert.deepEqual(fieldOf('runhook.startListener', 'port'), {
      kind: 'integer',
      minimum: 0,
      maximum: 65535,
    });
    assert.deepEqual(fieldOf('runhook.runApp', 'secret'), {
      kind: 'oneOf',
      options: [{ kind: 'text' }, { kind: 'literal', value: false }],
    });
    assert.deepEqual(fieldOf('runhook.listDeliveries', 'limit'), { kind: 'integer', minimum: 0 });
  });

  it('have no meaning written down that no field has', () => {
    const names = entries.flatMap(({ id, fields }) =>
      fields.flatMap(({ name }) => [name, `${id.replace('runhook.', '')}.${name}`]),
    );
    assert.deepEqual(
      Object.keys(fieldMeanings).filter((name) => !names.includes(name)),
      [],
    );
    const giving = entries.filter(({ result }) => result !== '').map(({ id }) => id.replace('runhook.', ''));
    assert.deepEqual(
      Object.keys(resultNotes).filter((command) => !giving.includes(command)),
      [],
    );
  });

  it('and the results stand in docs/commands.md: `npm run commands` writes it anew', async () => {
    const path = 'docs/commands.md';
    const written = (await formatted(path, commandsPage(entries))).split('\n');
    const stands = read(path).split('\n');
    const changed = (line: string, at: number) => line !== stands[at];
    assert.deepEqual(
      { lines: written.filter(changed), count: written.length },
      { lines: [], count: stands.length },
    );
  });

  it('stand in the schema of keybindings: `npm run commands` writes it anew', () => {
    assert.deepEqual(JSON.parse(read('media/keybindings.schema.json')), keybindingsSchema(entries));
  });

  it('are offered to no file where they are tokens or secrets', () => {
    const text = read('media/keybindings.schema.json');
    assert.doesNotMatch(text, /"token":/);
    assert.deepEqual(
      [...new Set(text.match(/"secret": \{\s*"enum": \[[^\]]*\]|"secret": \{\s*"(?!enum)/g))],
      [text.match(/"secret": \{\s*"enum": \[false\]/)?.[0]],
    );
  });
});
