import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandIds } from '../../src/contract/commands.ts';
import { root } from '../../scripts/checkout.ts';
import { readManifestBundle } from '../../scripts/l10n/bundles.ts';

interface MenuItem {
  command: string;
  when?: string;
  group?: string;
}

const { contributes } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  contributes: {
    commands: { command: string; title: string; icon?: string }[];
    menus: Record<string, MenuItem[]>;
  };
};
const words = readManifestBundle();
const { commandPalette = [], ...menus } = contributes.menus;
const inMenus = new Set(Object.values(menus).flatMap((items) => items.map(({ command }) => command)));
const hidden = new Set(commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command));
const titleOf = (title: string): string => words[title.replaceAll('%', '')] ?? title;

/** Not in the manifest, since only Runhook itself runs them: where a person meets them. */
const inner: Record<string, string> = {
  'runhook.showMoreKeys': 'a line of the tree, which this is the click on',
  'runhook.openRawKeys': 'a line of the tree, which this is the click on',
  'runhook.loadMoreDeliveries': 'a line of the view, which this is the click on',
  'runhook.breakDelivery': 'a button of the walkthrough',
  'runhook.openSettingsFile': 'a link at the top of a settings file',
  'runhook.moveTokenToSecretStore': 'the quick fix of a token in a file',
  'runhook.offerWebhookSecret': 'the quick fix of a webhook secret in a file, after it',
  'runhook.setTokenOfRun': 'the response to a run whose token was rejected, in its link Set Token…',
  'runhook.moreOfRun': 'the response of a run, above which this is the link …',
  'runhook.openApiKeysPage': 'a button where a token is asked for, and where one was refused',
};

/** For keybindings, tasks and other extensions alone: what they do is in the views and in the form for a person. */
const forCallers = [
  'runhook.applyAppSettings',
  // A person meets the Clear Deliveries that asks.
  'runhook.clearDeliveries',
  'runhook.listDeliveries',
  'runhook.listenerUrl',
  'runhook.listKeys',
  'runhook.webhookSecret',
];

describe('habits of VS Code', () => {
  it('leave no command that nobody can reach', () => {
    const orphans = [...hidden].filter((command) => !inMenus.has(command));
    assert.deepEqual(orphans.sort(), [...forCallers].sort());
  });

  it('declare every command but those that Runhook alone runs', () => {
    const declared = contributes.commands.map(({ command }) => command);
    assert.deepEqual([...declared, ...Object.keys(inner)].sort(), Object.values(commandIds).sort());
  });

  it('have something that leads to what the manifest does not have', () => {
    const sources = globSync('src/editor/**/*.ts', { cwd: root }).map((file) =>
      readFileSync(join(root, file), 'utf8'),
    );
    for (const command of Object.keys(inner)) {
      const id = `commandIds.${command.replace('runhook.', '')}`;
      const isLinked = Object.values(words).some((text) => text.includes(`${command})`));
      const isUsed = sources.some((text) => text.includes(id));
      assert.ok(isLinked || isUsed, `${command} is registered and used nowhere`);
    }
  });

  it('have no click give a command a bare argument, whose failure and whose Escape would be red errors', () => {
    const bare = globSync('src/editor/**/*.ts', { cwd: root })
      .filter((file) => !file.endsWith('commands.ts'))
      .flatMap((file) => {
        const text = readFileSync(join(root, file), 'utf8');
        return text.match(/\barguments: \[+\{.*|command:\$\{\w+\}\?.*\[\{.*|\[\{ argument\b.*/g) ?? [];
      });
    assert.deepEqual(bare, []);
  });

  it('have the button of a question say what is done', () => {
    const said = globSync('src/editor/**/*.ts', { cwd: root }).flatMap(
      (file) =>
        readFileSync(join(root, file), 'utf8').match(/\bt\('(Go On|Continue|Proceed|OK|Yes|Confirm)'\)/g) ??
        [],
    );
    assert.deepEqual(said, []);
  });

  it('put no item into a menu twice', () => {
    for (const [menu, items] of Object.entries(contributes.menus)) {
      const seen = items.map(({ command, when, group }) => [command, when, group].join(' | '));
      assert.deepEqual(
        seen.filter((one, index) => seen.indexOf(one) !== index),
        [],
        menu,
      );
    }
  });

  it('give two items of a menu no place that is the same', () => {
    const places = Object.values(menus).flatMap((items) =>
      items.map(({ when, group }) => `${when ?? ''} | ${group ?? ''}`).filter((place) => /@\d+$/.test(place)),
    );
    assert.deepEqual(
      places.filter((place, index) => places.indexOf(place) !== index),
      [],
    );
  });

  it('show an icon for every button', () => {
    const icons = new Map(contributes.commands.map(({ command, icon }) => [command, icon]));
    const buttons = Object.values(menus)
      .flat()
      .filter(({ group }) => /^(inline|navigation)/.test(group ?? ''));
    assert.ok(buttons.length > 10);
    // Codicons, which take the colours of every theme.
    for (const { command } of buttons) assert.match(icons.get(command) ?? '', /^\$\([\w-]+\)$/, command);
  });

  it('keep items of one view out of all others', () => {
    for (const menu of ['view/title', 'view/item/context']) {
      for (const { command, when } of menus[menu] ?? []) {
        assert.match(when ?? '', /^view == runhook\.(projects|deliveries)\b/, command);
      }
    }
  });

  it('have no two titles in the palette that read the same', () => {
    const titles = contributes.commands
      .filter(({ command }) => !hidden.has(command))
      .map(({ title }) => titleOf(title));
    assert.equal(new Set(titles).size, titles.length);
  });
});
