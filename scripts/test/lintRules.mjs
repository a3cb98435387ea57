// This repository's own lint rules: the walls between the rooms, and forbidden constructs.
import { globSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * What each room of src/ may import, type imports included. The lint rule below and a test check it. A room within a
 * room has an entry of its own, and others have to name it.
 * `rooms`: other rooms, or single folders or modules of them.
 * `packages`: npm packages; `node:` means every built-in module.
 */
export const walls = {
  contract: { rooms: [], packages: ['valibot'] },
  shared: { rooms: ['contract'], packages: ['node:', 'birpc', 'jsonc-parser', 'valibot'] },
  service: { rooms: ['contract', 'shared'], packages: ['node:', 'undici', 'valibot'] },
  'service/sandbox': { rooms: ['contract', 'shared', 'service'], packages: ['node:', 'undici', 'valibot'] },
  deliveries: {
    rooms: ['contract', 'shared', 'service'],
    packages: ['node:', 'valibot', '@jridgewell/trace-mapping'],
  },
  listener: {
    rooms: [
      ...['contract', 'shared', 'service', 'deliveries', 'listener/attach'],
      'service/sandbox/webhook/webhookSender',
    ],
    packages: ['node:', 'valibot'],
  },
  'listener/attach': { rooms: ['contract', 'shared', 'deliveries'], packages: ['node:', 'valibot'] },
  agents: { rooms: ['contract', 'shared', 'service', 'deliveries'], packages: ['node:', 'valibot'] },
  suite: {
    rooms: ['contract', 'shared', 'service', 'deliveries'],
    packages: ['node:', 'valibot', '@jridgewell/trace-mapping'],
  },
  relay: {
    rooms: ['contract', 'shared', 'service', 'deliveries', 'listener'],
    packages: ['node:', 'valibot', '@nats-io'],
  },
  leaks: { rooms: ['shared', 'service/keys'], packages: ['node:'] },
  commandLine: {
    rooms: [
      ...['contract', 'shared', 'service', 'service/sandbox', 'deliveries', 'listener', 'listener/attach'],
      ...['suite', 'relay', 'agents'],
    ],
    packages: ['node:', 'valibot', '@modelcontextprotocol/server', 'jsonc-parser'],
  },
  pages: {
    rooms: ['contract', 'shared', 'service'],
    packages: ['@vscode-elements/elements', 'lit', 'valibot'],
  },
  editor: {
    rooms: [
      ...['contract', 'shared', 'service', 'service/sandbox/sandboxFault', 'service/sandbox/sandboxProtocol'],
      ...['deliveries', 'listener/attach', 'suite', 'agents', 'leaks', 'api'],
      ...[
        'pages/form/formProtocol',
        'pages/explanation/explanationProtocol',
        'pages/timeline/timelineProtocol',
      ],
    ],
    packages: ['node:', 'vscode', 'valibot', 'jsonc-parser'],
  },
  extension: { rooms: ['editor', 'api', 'shared/async/loadOnce', 'shared/text/l10n'], packages: ['vscode'] },
  api: { rooms: ['contract', 'deliveries'], packages: ['vscode'] },
};

/** The folders of `editor` that other features may import only through their `feature.ts`. */
const features = new Set(
  globSync('src/editor/*/feature.ts', { cwd: fileURLToPath(new URL('../..', import.meta.url)) }).map(
    (file) => file.split(/[\\/]/)[2],
  ),
);

/** Modules that assemble the features and may import their internals. */
const composers = new Set([
  'extension',
  'editor/features',
  'editor/activation/hasWork',
  'editor/activation/providers',
  'editor/kit/services',
]);

/** `src/service/keys/key.ts` → `service/keys/key`; undefined for a file outside src. */
function moduleOf(file) {
  return /(?:^|\/)src\/(.+)\.ts$/.exec(file.replaceAll('\\', '/'))?.[1];
}

/** The innermost room that a module or folder is in. */
function roomOf(module) {
  const inside = Object.keys(walls).filter((room) => module === room || module.startsWith(`${room}/`));
  return inside.sort((a, b) => b.length - a.length)[0] ?? module.split('/')[0];
}

/** The reason why the file `from` must not import the file `to`; undefined if the import is allowed. */
export function importViolation(from, to) {
  const importer = moduleOf(from);
  const imported = moduleOf(to);
  if (importer === undefined || imported === undefined) return undefined;
  if (roomOf(importer) === roomOf(imported)) return featureViolation(importer, imported);
  const room = roomOf(importer);
  const allowed = walls[room]?.rooms ?? [];
  const isIn = (one) => imported.startsWith(`${one}/`) && roomOf(imported) === roomOf(one);
  if (allowed.some((one) => imported === one || isIn(one))) return undefined;
  return `src/${room} may import ${allowed.join(', ') || 'no other room'}, not ${imported}.`;
}

/** The feature that contains a module, if any. */
function featureOf(module) {
  const [room, folder = ''] = module.split('/');
  return room === 'editor' && features.has(folder) ? folder : undefined;
}

function featureViolation(importer, imported) {
  const feature = featureOf(imported);
  if (feature === undefined || feature === featureOf(importer) || composers.has(importer)) return undefined;
  if (imported === `editor/${feature}/feature`) return undefined;
  return `Others import the feature ${feature} through its feature.ts, not ${imported}.`;
}

/** The reason why the file `from` must not import the package `name`; undefined if the import is allowed. */
export function packageViolation(from, name) {
  const importer = moduleOf(from);
  if (importer === undefined) {
    return undefined;
  }
  const room = roomOf(importer);
  const allowed = walls[room]?.packages ?? [];
  const fits = allowed.some((one) => name === one || name.startsWith(one.endsWith(':') ? one : `${one}/`));
  return fits ? undefined : `src/${room} may not import the package ${name}.`;
}

/** Reports imports and re-exports that cross a wall, type imports included. */
const wallRule = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const check = (node) => {
      if (typeof node.source?.value !== 'string') return;
      const name = node.source.value;
      const message = name.startsWith('.')
        ? importViolation(context.filename, resolve(dirname(context.filename), name))
        : packageViolation(context.filename, name);
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

/** A rule that reports every node that matches a selector. */
const forbid = (selector, message) => ({
  meta: { type: 'problem', schema: [] },
  create: (context) => ({ [selector]: (node) => context.report({ node, message }) }),
});

export default {
  meta: { name: 'runhook' },
  rules: {
    walls: wallRule,
    'no-default-export': forbid('ExportDefaultDeclaration', 'Export by name.'),
    'no-barrel': forbid('ExportAllDeclaration', 'No barrels: import from the file itself.'),
    'no-intl-on-load': forbid(
      'Program > VariableDeclaration > VariableDeclarator > NewExpression[callee.object.name="Intl"]',
      'Made when the module loads, it costs an activation 10 ms: localeFormat makes it on first use.',
    ),
    'one-clock': forbid(
      'CallExpression[callee.property.name=/^toLocale(Date|Time)?String$/]',
      'Rows, pages and messages have one clock: momentText and dayText of kit/localeFormat, timeOfDay.',
    ),
    'translate-by-t': forbid(
      'CallExpression[callee.object.property.name="l10n"]',
      'Translate by the `t` of shared/text/l10n, which every room can call.',
    ),
  },
};
