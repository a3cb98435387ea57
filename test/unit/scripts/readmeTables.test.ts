import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as prettier from 'prettier';
import { root } from '../../../scripts/checkout.ts';
import { withTables } from '../../../scripts/build/readmeTables.ts';

const file = join(root, 'README.md');
const readme = readFileSync(file, 'utf8');

describe('README.md', () => {
  it('has the commands, settings and tools of the manifest: npm run readme', async () => {
    const options = { ...(await prettier.resolveConfig(file)), parser: 'markdown' };
    assert.equal(readme, await prettier.format(withTables(readme), options));
  });

  it('fails where a table has no place', () => {
    assert.throws(() => withTables('# Nothing'), /no place for the table of commands/);
  });

  it('leads to files and headings that are there', () => {
    const targets = [...readme.matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)].map(
      ([, markdown, html]) => markdown ?? html ?? '',
    );
    const headings = new Set([...readme.matchAll(/^#+ (.+)$/gm)].map(([, text]) => slug(text ?? '')));
    for (const target of targets.filter((one) => !one.startsWith('https://'))) {
      if (target.startsWith('#')) assert.ok(headings.has(target.slice(1)), target);
      else assert.ok(existsSync(join(root, target)), target);
    }
  });
});

/** The anchor of a heading, as the marketplaces and GitHub make it. */
const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');
