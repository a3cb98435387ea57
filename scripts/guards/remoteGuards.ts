import type { Guard } from './guard.ts';

/** Against a remote machine that somebody works on. */
export const remoteGuards: readonly Guard[] = [
  {
    guard: 'a token goes to the secret store and nowhere else',
    file: 'src/editor/projects/tokens/tokens.ts',
    is: 'await this.#secrets.store(key, token);',
    without: 'await this.#secrets.store(key, token);\n    await this.#state.update(`copy of ${key}`, token);',
    tests: { 'ui/tokens.test.ts': ['no token and no secret stands anywhere'] },
  },
  {
    guard: 'nothing runs on the machine of the window',
    file: 'package.json',
    is: '"extensionKind": [\n    "workspace"\n  ]',
    without: '"extensionKind": [\n    "ui",\n    "workspace"\n  ]',
    tests: { 'unit/manifest.test.ts': ['runs where the workspace is, and nowhere else'] },
  },
];
