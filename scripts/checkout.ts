import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** What is fetched or made for tests, tour and start; out of git and of the VSIX. */
export const workFolder = join(root, '.vscode-test');

/** package.json, so far as the scripts read it. */
export const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  publisher: string;
  name: string;
  version: string;
  license: string;
  homepage: string;
  repository: object;
  bugs: object;
  engines: { vscode: string };
};
