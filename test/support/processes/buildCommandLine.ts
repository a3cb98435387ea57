import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundles } from '../../../esbuild.mjs';

/**
 * Builds the command line as it ships into a new folder.
 * @param version the version of Runhook that it reports
 * @returns the file to run with Node
 */
export async function buildCommandLine(version: string): Promise<string> {
  const outdir = mkdtempSync(join(tmpdir(), 'runhook-built-'));
  const { threads } = bundles();
  await build({
    ...threads,
    outdir,
    entryPoints: { runhook: threads.entryPoints.runhook },
    define: { runhookVersion: JSON.stringify(version) },
    metafile: false,
  } as Parameters<typeof build>[0]);
  writeFileSync(join(outdir, 'package.json'), '{ "type": "module" }');
  return join(outdir, 'runhook.js');
}
