// The walls between the rooms of src/: who may import whom. One table, read by the lint rule
// (eslint.config.mjs, which sees type imports too) and by the test over esbuild's metafile.

/**
 * `rooms`: what a room may import besides itself, as a room or as one folder of it.
 * `packages`: the packages it may import; `node:` stands for every built-in module.
 */
export const walls = {
  model: { rooms: [], packages: ['jsonc-parser', 'valibot'] },
  webhooks: { rooms: ['model'], packages: ['node:', 'valibot'] },
  listener: { rooms: ['model', 'webhooks'], packages: ['node:', 'valibot', 'vscode-jsonrpc'] },
  commandLine: {
    rooms: ['model', 'webhooks', 'listener', 'sandbox', 'client'],
    packages: ['node:', 'valibot'],
  },
  client: { rooms: ['model'], packages: ['node:', 'undici', 'valibot', 'vscode-jsonrpc'] },
  sandbox: { rooms: ['model', 'webhooks/signature'], packages: ['node:', 'undici', 'valibot'] },
  form: { rooms: ['model'], packages: ['@vscode-elements/elements'] },
  editor: { rooms: ['model', 'webhooks', 'client', 'api'], packages: ['node:', 'vscode', 'valibot'] },
  extension: { rooms: ['editor', 'api', 'model/text/l10n'], packages: ['vscode'] },
  api: { rooms: ['model'], packages: ['vscode'] },
};

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
  if (importer === undefined || imported === undefined || roomOf(importer) === roomOf(imported)) {
    return undefined;
  }
  const room = roomOf(importer);
  const allowed = walls[room]?.rooms ?? [];
  if (allowed.some((one) => imported === one || imported.startsWith(`${one}/`))) return undefined;
  return `src/${room} may import ${allowed.join(', ') || 'no other room'}, not ${imported}.`;
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
