import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../checkout.ts';
import { runMain } from '../runMain.mjs';

/** Whether `runhook` can be had from npm. Until then the documents say how to install the file. */
const isPublished = false;

/** What the documents say of it: before it is published, and then. */
export const wordings: readonly { file: string; before: string; then: string }[] = [
  {
    file: 'README.md',
    before: 'npm install --no-save ./runhook-cli.tgz # in the repository: docs/commandLine.md',
    then: 'npm install --no-save runhook',
  },
  {
    file: 'docs/commandLine.md',
    before: 'the package `runhook-cli.tgz`, which `npm run package` writes in a clone, beside the VSIX:',
    then: 'the package:',
  },
  {
    file: 'docs/commandLine.md',
    before: 'npm install --save-dev ./runhook-cli.tgz',
    then: 'npm install --save-dev runhook',
  },
  {
    file: 'docs/commandLine.md',
    before: 'by a saved request, with `runhook-cli.tgz` in the repository:',
    then: 'by a saved request:',
  },
  {
    file: 'docs/commandLine.md',
    before: 'npm install --no-save ./runhook-cli.tgz',
    then: 'npm install --no-save runhook',
  },
  {
    file: 'docs/testing.md',
    before: 'npm install --save-dev ./runhook-cli.tgz',
    then: 'npm install --save-dev runhook',
  },
  {
    file: 'action.yml',
    before: 'as npm install takes it\n    default: ./runhook-cli.tgz',
    then: 'as npm install takes it\n    default: runhook',
  },
  {
    file: 'docs/testing.md',
    before: 'With `runhook-cli.tgz` in the repository, the job in the [README]',
    then: 'The job in the [README]',
  },
];

/** A document as it has to be. */
export function worded(file: string, text: string, published = isPublished): string {
  return wordings
    .filter((one) => one.file === file)
    .reduce(
      (said, { before, then }) => (published ? said.replaceAll(before, then) : said.replaceAll(then, before)),
      text,
    );
}

// `npm run docs:npm` writes what the switch above says into the documents.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    for (const file of new Set(wordings.map((one) => one.file))) {
      const path = join(root, file);
      await writeFile(path, worded(file, await readFile(path, 'utf8')));
    }
  });
}
