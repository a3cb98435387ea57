import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** Downloads and temporary files of tests, tour and start. Neither git nor the VSIX contains it. */
export const workFolder = join(root, '.vscode-test');

/** The fields of package.json that the scripts read. */
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
