import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundles } from '../../esbuild.mjs';

/**
 * The command line as it ships, in a folder of its own.
 * @param version the version of Runhook that it says it has
 * @returns the file for Node to run
 */
export async function buildProgram(version: string): Promise<string> {
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
