import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  panelTypes,
  contextIds,
  deliveriesLanguageId,
  schemes,
  settingIds,
  toolIds,
  viewContainerId,
  viewIds,
} from '../../src/editor/kit/ids.ts';
import { type Context, evaluateWhen } from '../support/editor/whenClause.ts';
import { mostBodyBytes } from '../../src/deliveries/listenerProtocol.ts';

interface Property {
  type: string | string[];
  default?: unknown;
  enum?: unknown[];
  enumDescriptions?: string[];
  minimum?: number;
  maximum?: number;
  scope?: string;
  description?: string;
  markdownDescription?: string;
}

interface Contributes {
  commands: { command: string; title: string; category?: string }[];
  configuration: { properties: Record<string, Property> }[];
  viewsContainers: Record<string, { id: string; icon: string }[]>;
  views: Record<string, { id: string }[]>;
  viewsWelcome: { view: string; contents: string }[];
  menus: Record<string, { command?: string; submenu?: string; when?: string; group?: string }[]>;
  submenus?: { id: string }[];
  keybindings?: { command: string; when?: string }[];
  languages: { id: string }[];
  grammars: { language: string; path: string }[];
  languageModelTools: { name: string }[];
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifestText = readFileSync(join(root, 'package.json'), 'utf8');
const manifest = JSON.parse(manifestText) as {
  contributes: Contributes;
  activationEvents: string[];
  extensionKind: string[];
  capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
  icon: string;
};
const nls = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;
const { contributes } = manifest;
const properties = Object.assign({}, ...contributes.configuration.map((group) => group.properties)) as Record<
  string,
  Property
>;

/** The rows of the views, by what they say of themselves in their `contextValue`. */
const rowKinds: Context[] = [
  'project kept secret',
  'project transient',
  ...['none', 'missing', 'stored'].flatMap((token) =>
    ['active', 'idle'].flatMap((use) => [
      `account ${token} ${use} kept`,
      `account ${token} ${use} transient`,
    ]),
  ),
  'apps kept',
  'apps transient',
  'app kept webhook ran secret',
  'app transient plain ran',
  'app transient here',
  'key known',
  'message loading',
  'message failed',
  'message offline',
  'payload shared',
  'run going',
  'run answered received',
  'run cancelled',
  'run cancelled received',
  'run answered delivered received',
  'sandbox stopped',
]
  .map((viewItem): Context => ({ view: viewIds.projects, viewItem }))
  .concat(
    [
      'delivery:verified',
      'delivery:refused',
      'delivery:verified handed',
      'delivery:refused handed',
      'delivery:verified failed handed',
      'delivery:refused run',
      'delivery:verified run handed',
      'delivery:refused run handed',
      'delivery:verified failed run handed',
      'delivery:refused failed run handed',
      'delivery:refused failed handed',
      'attempt',
      'attempt first',
      'listener stopped',
    ].map((viewItem) => ({ view: viewIds.deliveries, viewItem })),
  );

describe('package.json', () => {
  it('takes no larger body than the listener does', () => {
    const { maximum } = properties['runhook.listener.maxBodyBytes'] ?? {};
    assert.equal(maximum, mostBodyBytes);
  });

  const ofRows = contributes.menus['view/item/context'] ?? [];
  const isButton = ({ group = '' }: { group?: string }): boolean => group.startsWith('inline');
  const fits = ({ when = '' }: { when?: string }, context: Context): boolean => evaluateWhen(when, context);

  it('has what a row shows as a button in its context menu too, where the keyboard reaches it', () => {
    const buttons = new Set(ofRows.filter(isButton));
    for (const context of rowKinds) {
      for (const button of ofRows.filter((one) => isButton(one) && fits(one, context))) {
        buttons.delete(button);
        const inMenu = ofRows.some(
          (one) => one.command === button.command && !isButton(one) && fits(one, context),
        );
        assert.ok(inMenu, `${String(button.command)} of ${String(context.viewItem)}`);
      }
    }
    assert.deepEqual([...buttons], [], 'a row of every button is among the kinds');
  });

  it('has at most nine entries in three groups in the menu of a row', () => {
    for (const selected of [{}, { listMultiSelection: true }, { listDoubleSelection: true }]) {
      for (const kind of rowKinds) {
        const shown = ofRows.filter((one) => !isButton(one) && fits(one, { ...kind, ...selected }));
        const groups = new Set(shown.map(({ group = '' }) => group.replace(/@.*/, '')));
        const told = `${String(kind.viewItem)}: ${shown.map(({ command, submenu }) => command ?? submenu).join()}`;
        assert.ok(shown.length <= 9 && groups.size <= 3, told);
      }
    }
    for (const view of Object.values(viewIds)) {
      const shown = (contributes.menus['view/title'] ?? []).filter(
        (one) => !one.group?.startsWith('navigation') && fits(one, { view }),
      );
      assert.ok(
        shown.length <= 9 && new Set(shown.map(({ group }) => group?.replace(/@.*/, ''))).size <= 3,
        view,
      );
    }
  });

  it('gives every command a title and the category Runhook', () => {
    for (const { command, title, category } of contributes.commands) {
      assert.ok(title, command);
      assert.equal(category, 'Runhook', command);
    }
  });

  it('declares the settings of ids.ts', () => {
    assert.deepEqual(
      Object.keys(properties).sort(),
      Object.values(settingIds)
        .map((id) => `runhook.${id}`)
        .sort(),
    );
  });

  for (const [name, property] of Object.entries(properties)) {
    it(`${name} has a default that fits, and a scope`, () => {
      const fits = [property.type].flat().some((type) => isOfType(property.default, type));
      assert.ok(fits, `the default of ${name} is none of its type`);
      if (property.enum) {
        assert.ok(property.enum.includes(property.default));
        assert.equal(property.enumDescriptions?.length, property.enum.length);
      }
      if (typeof property.default === 'number') {
        assert.ok(property.default >= (property.minimum ?? -Infinity));
        assert.ok(property.default <= (property.maximum ?? Infinity));
      }
      assert.ok(property.scope, `${name} has no scope`);
    });
  }

  it('leads from one setting to another by links that the editor makes, in every language', () => {
    for (const language of ['', '.de', '.ja']) {
      const texts = JSON.parse(readFileSync(join(root, `package.nls${language}.json`), 'utf8')) as typeof nls;
      for (const { description = '', markdownDescription = '' } of Object.values(properties)) {
        const text = (key: string) => texts[key.slice(1, -1)] ?? '';
        assert.doesNotMatch(text(description), /[`#]/, `${description} is plain text`);
        for (const [, id = ''] of text(markdownDescription).matchAll(/#([^#]+)#/g)) {
          assert.ok(id in properties, `${id} of ${markdownDescription}${language}`);
        }
      }
    }
  });

  it('lets no workspace redirect tokens, or choose what is executed', () => {
    for (const name of ['runhook.baseUrl', 'runhook.proxyUrl']) {
      assert.equal(properties[name]?.scope, 'application', name);
    }
    const onMachine = Object.keys(properties).filter((name) => /\.(listener|tunnel|sandbox)\./.test(name));
    const asked = ['runhook.listener.forwardTo', 'runhook.listener.routes'];
    for (const name of onMachine.filter((one) => !asked.includes(one))) {
      assert.match(properties[name]?.scope ?? '', /^(machine|application)$/, name);
    }
    assert.deepEqual(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations, [
      ...asked,
      'runhook.dashboardUrl',
    ]);
  });

  it('runs where the workspace is, and nowhere else', () => {
    assert.deepEqual(manifest.extensionKind, ['workspace']);
  });

  it('declares the views, the container and the language of ids.ts', () => {
    assert.deepEqual(
      Object.values(contributes.viewsContainers).flatMap((all) => all.map(({ id }) => id)),
      [viewContainerId],
    );
    assert.deepEqual(
      contributes.views[viewContainerId]?.map(({ id }) => id).sort(),
      Object.values(viewIds).sort(),
    );
    assert.ok(contributes.languages.some(({ id }) => id === deliveriesLanguageId));
    for (const viewType of [panelTypes.appSettings, panelTypes.explanation]) {
      assert.ok(manifest.activationEvents.includes(`onWebviewPanel:${viewType}`), viewType);
    }
    // Whose tabs come back after a reload, and would be empty without.
    for (const scheme of [schemes.answer, schemes.delivery]) {
      assert.ok(manifest.activationEvents.includes(`onFileSystem:${scheme}`));
    }
  });

  it('declares the tools of ids.ts', () => {
    assert.deepEqual(
      contributes.languageModelTools.map(({ name }) => name),
      Object.values(toolIds),
    );
  });

  it('names only its own commands and views in menus, keys and welcome texts', () => {
    const commands = new Set(contributes.commands.map(({ command }) => command));
    const submenus = new Set(contributes.submenus?.map(({ id }) => id));
    const items = [...Object.values(contributes.menus).flat(), ...(contributes.keybindings ?? [])];
    for (const item of items) {
      if (item.command !== undefined) assert.ok(commands.has(item.command), item.command);
      else assert.ok('submenu' in item && submenus.has(item.submenu ?? ''), JSON.stringify(item));
    }
    const views = new Set<string>(Object.values(viewIds));
    for (const { view, contents } of contributes.viewsWelcome) {
      assert.ok(views.has(view), view);
      const linked = [...resolve(contents).matchAll(/\(command:([\w.]+)/g)].map(([, command]) => command);
      for (const command of linked) assert.ok(commands.has(command ?? ''), command);
    }
  });

  it('uses only the context keys of ids.ts', () => {
    const known = new Set<string>([...Object.values(contextIds), ...Object.values(viewIds)]);
    const clauses = [...manifestText.matchAll(/"when": "((?:[^"\\]|\\.)*)"/g)].map(
      ([, clause]) => clause ?? '',
    );
    const used = clauses.flatMap((clause) =>
      [...clause.matchAll(/(?<!config\.)\brunhook\.[\w.]+/g)].map(([key]) => key),
    );
    assert.ok(used.length > 0);
    assert.deepEqual(
      used.filter((key) => !known.has(key)),
      [],
    );
  });

  it('resolves every %key%, and declares none in vain', () => {
    const used = [...manifestText.matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key ?? '');
    assert.deepEqual(
      used.filter((key) => nls[key] === undefined),
      [],
    );
    assert.deepEqual(
      Object.keys(nls).filter((key) => !used.includes(key)),
      [],
    );
  });

  it('names only files that are there', () => {
    const files = [
      manifest.icon,
      ...Object.values(contributes.viewsContainers).flatMap((all) => all.map(({ icon }) => icon)),
      ...contributes.grammars.map(({ path }) => path),
    ];
    assert.deepEqual(
      files.filter((file) => !existsSync(join(root, file))),
      [],
    );
  });
});

/** A text of the manifest, or what stands in package.nls.json for it. */
function resolve(text: string): string {
  return /^%(.+)%$/.exec(text)?.[1]?.replace(/.*/s, (key) => nls[key] ?? '') ?? text;
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}
