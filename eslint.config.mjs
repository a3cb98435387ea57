import { dirname, resolve } from 'node:path';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { packageWall, wallBetween } from './scripts/test/walls.mjs';

/** Holds the walls of scripts/test/walls.mjs over every import and re-export, those of types included. */
const roomWalls = {
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

export default defineConfig(
  globalIgnores(['dist', 'out', '.vscode-test', 'node_modules', 'media']),
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { runhook: { rules: { walls: roomWalls } } },
    rules: {
      'runhook/walls': 'error',
      'max-lines': ['error', 300],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Export by name.' },
        { selector: 'ExportAllDeclaration', message: 'No barrels: import from the file itself.' },
        {
          selector:
            'Program > VariableDeclaration > VariableDeclarator > NewExpression[callee.object.name="Intl"]',
          message:
            'Made when the module loads, it costs an activation 10 ms: localeFormat makes it on first use.',
        },
        {
          selector: 'CallExpression[callee.object.property.name="l10n"]',
          message: 'Translate by the `t` of model/text/l10n, which every room can call.',
        },
      ],
      eqeqeq: 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    extends: [tseslint.configs.disableTypeChecked],
    rules: { 'no-restricted-syntax': 'off', '@typescript-eslint/no-require-imports': 'off' },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
);
