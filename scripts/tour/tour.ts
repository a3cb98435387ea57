import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { openWorkbench } from '../../test/support/openWorkbench.ts';
import { endSession, session } from '../../test/support/session.ts';
import type { Theme } from '../../test/support/workbench.ts';
import { root, workFolder } from '../checkout.ts';
import { packageExtension } from '../build/packageExtension.ts';
import { runMain } from '../runMain.mjs';
import { takePicture } from './tourPictures.ts';
import { withProgress } from '../progress.ts';
import { tourFiles, tourSettings, tourSteps } from './tourSteps.ts';
import { ensureVscodeServer } from '../test/vscodeServer.ts';

/** Light comes last: it is what the workbench goes on with. */
const themes: readonly Theme[] = ['dark', 'highContrast', 'light'];

// `npm run tour`: the main job without a person, with the packaged extension in a real VS Code. Prints what
// it saw and leaves pictures in .vscode-test/tour, with `-- --update` in media; fails with the name of the step that
// did not work.
await runMain(async () => {
  const { values } = parseArgs({ options: { update: { type: 'boolean', default: false } } });
  const folder = values.update ? join(root, 'media') : join(workFolder, 'tour');
  await ensureVscodeServer();
  await withProgress('building and packing Runhook', packageExtension);
  const workbench = await openWorkbench(await session(), {
    sandbox: true,
    settings: tourSettings,
    files: tourFiles,
    screenshots: join(folder, 'screenshots'),
  });
  await workbench.setTheme('light');
  for (const [index, step] of tourSteps.entries()) {
    const title = `${index + 1} of ${tourSteps.length}: ${step.name}`;
    try {
      const saw = await step.run(workbench);
      console.log(`✔ ${title}\n${saw.replaceAll(/^/gm, '    ')}`);
      for (const theme of step.screenshot === undefined ? [] : themes) {
        await workbench.setTheme(theme);
        await step.show?.(workbench);
        await workbench.screenshot(`${step.screenshot}-${theme}`);
        await step.hide?.(workbench);
        for (const picture of step.pictures ?? []) {
          await takePicture(workbench, picture, theme, join(folder, 'walkthrough'));
        }
      }
    } catch (error) {
      console.error(`✗ ${title}\n`, error);
      console.error(`A picture of it: ${await workbench.screenshot('tour-failed', workFolder)}`);
      return 1;
    }
  }
  await workbench.close();
  await endSession();
  console.log(`Its pictures are in ${relative(root, folder)}.`);
  return 0;
});
