import { existsSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root, workFolder } from '../checkout.ts';

/** A copy of the demo workspace, made once: what is changed in it stays. */
export async function demoWorkspace(): Promise<string> {
  const folder = join(workFolder, 'demo-workspace');
  if (!existsSync(folder)) {
    await cp(join(root, 'test', 'fixtures', 'demo-workspace'), folder, { recursive: true });
  }
  return folder;
}

/** Settings in which nothing is in the way of a newcomer. Written once; what is changed in them stays. */
export async function writeDemoSettings(files: readonly string[]): Promise<void> {
  const settings = {
    'telemetry.telemetryLevel': 'off',
    'workbench.startupEditor': 'readme',
    'workbench.secondarySideBar.defaultVisibility': 'hidden',
    'chat.disableAIFeatures': true,
    'update.mode': 'none',
    // The workspace lies in a checkout, and a question about it would be the first thing that a newcomer sees.
    'git.openRepositoryInParentFolders': 'never',
  };
  for (const file of files) {
    if (existsSync(file)) continue;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `${JSON.stringify(settings, null, 2)}\n`);
  }
}
