// The rules of this repository that the linter has not: the walls between the rooms, and what is not written here.
import { dirname, resolve } from 'node:path';
import { packageWall, wallBetween } from './walls.mjs';

/** Holds the walls of walls.mjs over every import and re-export, those of types included. */
const walls = {
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
    walls,
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
