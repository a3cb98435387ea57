// The rules of this repository that the linter has not: the walls between the rooms, and what is not written here.
import { globSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

// The walls between the rooms of src/, and between the features in src/editor: who may import whom. Read by the rule below
// and by the unit test over all imports, those of types included.

/**
 * `rooms`: what a room may import besides itself, as a room or as one folder of it.
 * `packages`: the packages it may import; `node:` stands for every built-in module.
 */
export const walls = {
  model: { rooms: [], packages: ['jsonc-parser', 'valibot'] },
  webhooks: { rooms: ['model'], packages: ['node:', 'valibot'] },
  listener: { rooms: ['model', 'webhooks'], packages: ['node:', 'valibot', 'vscode-jsonrpc'] },
  suite: { rooms: ['model', 'webhooks'], packages: ['node:', 'valibot'] },
  leaks: { rooms: ['model'], packages: ['node:'] },
  commandLine: {
    rooms: ['model', 'webhooks', 'listener', 'sandbox', 'client', 'suite'],
    packages: ['node:', 'valibot'],
  },
  client: { rooms: ['model'], packages: ['node:', 'undici', 'valibot', 'vscode-jsonrpc'] },
  sandbox: { rooms: ['model', 'webhooks/signature'], packages: ['node:', 'undici', 'valibot'] },
  page: { rooms: ['model'], packages: [] },
  timeline: { rooms: ['model', 'page'], packages: ['lit'] },
  form: { rooms: ['model', 'page'], packages: ['@vscode-elements/elements', 'lit'] },
  explanation: { rooms: ['model', 'page'], packages: ['@vscode-elements/elements', 'lit'] },
  editor: {
    rooms: ['model', 'webhooks', 'client', 'leaks', 'suite', 'api'],
    packages: ['node:', 'vscode', 'valibot'],
  },
  extension: { rooms: ['editor', 'api', 'model/async/loadOnce', 'model/text/l10n'], packages: ['vscode'] },
  api: { rooms: ['model'], packages: ['vscode'] },
};

/**
 * What stands in `editor` without the editor's API, and why; all other files there reach `vscode` or one of these.
 * An entry that ends with a slash is a folder.
 */
export const withoutVscode = {
  'editor/ids': 'The ids of commands, settings and views: the editor is who knows them by these names.',
  'editor/prompts/':
    'The questions to the user, as features see them: the boxes that ask them are the editor’s.',
};

/** The folders of `editor` that have a door: others import them through their `feature.ts`. */
const features = new Set(
  globSync('src/editor/*/feature.ts', { cwd: fileURLToPath(new URL('../..', import.meta.url)) }).map(
    (file) => file.split(/[\\/]/)[2],
  ),
);

/** What puts the features together, and so sees into them; and what looks whether they have something to do. */
const composers = new Set(['extension', 'editor/features', 'editor/activation/hasWork']);

/** `src/model/keys/key.ts` → `model/keys/key`; undefined outside src. */
function moduleOf(file) {
  return /(?:^|\/)src\/(.+)\.ts$/.exec(file.replaceAll('\\', '/'))?.[1];
}

function roomOf(module) {
  return module.split('/')[0];
}

/** Why the file `from` may not import the file `to`, or undefined where it may. */
export function wallBetween(from, to) {
  const importer = moduleOf(from);
  const imported = moduleOf(to);
  if (importer === undefined || imported === undefined) return undefined;
  if (roomOf(importer) === roomOf(imported)) return doorBetween(importer, imported);
  const room = roomOf(importer);
  const allowed = walls[room]?.rooms ?? [];
  if (allowed.some((one) => imported === one || imported.startsWith(`${one}/`))) return undefined;
  return `src/${room} may import ${allowed.join(', ') || 'no other room'}, not ${imported}.`;
}

/** The feature that a module of `editor` is of, or undefined. */
function featureOf(module) {
  const [room, folder = ''] = module.split('/');
  return room === 'editor' && features.has(folder) ? folder : undefined;
}

function doorBetween(importer, imported) {
  const feature = featureOf(imported);
  if (feature === undefined || feature === featureOf(importer) || composers.has(importer)) return undefined;
  if (imported === `editor/${feature}/feature`) return undefined;
  return `Others import the feature ${feature} through its feature.ts, not ${imported}.`;
}

/** Why the file `from` may not import the package `name`, or undefined where it may. */
export function packageWall(from, name) {
  const importer = moduleOf(from);
  if (importer === undefined) {
    return undefined;
  }
  const room = roomOf(importer);
  const allowed = walls[room]?.packages ?? [];
  const fits = allowed.some((one) => name === one || name.startsWith(one.endsWith(':') ? one : `${one}/`));
  return fits ? undefined : `src/${room} may not import the package ${name}.`;
}

/** Holds the walls over every import and re-export, those of types included. */
const wallRule = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const check = (node) => {
      if (typeof node.source?.value !== 'string') return;
      const name = node.source.value;
      const message = name.startsWith('.')
        ? wallBetween(context.filename, resolve(dirname(context.filename), name))
        : packageWall(context.filename, name);
      if (message) context.report({ node, message });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

/** A rule against what a selector finds. */
const without = (selector, message) => ({
  meta: { type: 'problem', schema: [] },
  create: (context) => ({ [selector]: (node) => context.report({ node, message }) }),
});

export default {
  meta: { name: 'runhook' },
  rules: {
    walls: wallRule,
    'no-default-export': without('ExportDefaultDeclaration', 'Export by name.'),
    'no-barrel': without('ExportAllDeclaration', 'No barrels: import from the file itself.'),
    'no-intl-on-load': without(
      'Program > VariableDeclaration > VariableDeclarator > NewExpression[callee.object.name="Intl"]',
      'Made when the module loads, it costs an activation 10 ms: localeFormat makes it on first use.',
    ),
    'translate-by-t': without(
      'CallExpression[callee.object.property.name="l10n"]',
      'Translate by the `t` of model/text/l10n, which every room can call.',
    ),
  },
};
